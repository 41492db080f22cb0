#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/cb/api.hpp>
#include <tools/support/cb_board.hpp>

namespace defiance {

/// A move as an engine tells it, in a record of `get movelist` or in a CBmove.
struct ReportedMove {
    struct Jump {
        coor landing;
        coor captured;
        int piece;
    };
    int old_piece = 0;
    int new_piece = 0;
    coor from{};
    coor to{};
    std::vector<Jump> jumps;
};

/// Reads the reply to `get movelist`; `index_of_number` knows the game's numbering. Returns what is
/// wrong with it, or nothing.
[[nodiscard]] std::string read_movelist(std::string_view reply,
                                        const std::function<int(int)>& index_of_number,
                                        std::vector<ReportedMove>& moves);

[[nodiscard]] ReportedMove from_description(const CBmove& move);

/// The board after CheckerBoard has played the move, which must have no fault.
[[nodiscard]] CbBoard carry_out(CbBoard board, const ReportedMove& move);

/// What makes the move nonsense on this board, whatever the rules are: squares off the board,
/// pieces that are not there, a path that does not follow the diagonals or does not pass the
/// captured piece and no other. Empty when it makes sense.
[[nodiscard]] std::string find_fault(const ReportedMove& move, const CbBoard& board);

/// Why CheckerBoard could not carry out this CBmove on the board, or an empty text. Where the last
/// jump lands need only stand in `to`.
[[nodiscard]] std::string find_description_fault(const CBmove& move, const CbBoard& board);

/// The board after CheckerBoard has carried it out; it must have no fault.
[[nodiscard]] CbBoard carried_out(const CBmove& move, const CbBoard& board);

}  // namespace defiance
