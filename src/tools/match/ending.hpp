#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace defiance {

/// By which rule a game ended. L: the side to move has lost, D: a draw. The texts of the endings
/// are in the same order.
enum class Ending : std::uint8_t {
    no_move,         ///< L1: it has no legal move
    illegal_move,    ///< L2: what it answered is no legal move
    gone,            ///< L3: it ended, crashed or closed its output
    too_late,        ///< L4: it used more than its time
    unasked_output,  ///< L5: it wrote when it was not asked
    too_large,       ///< L6: it held more memory than allowed
    repetition,      ///< D1: the position occurred for the third time
    no_progress,     ///< D2: too many moves of kings without capture
    too_long,        ///< D3: the game was longer than allowed
    law,             ///< D4: by the law of this game
    adjudicated,     ///< D5: by both players' values, or a claim that is accepted
    aborted          ///< no result
};

/// The rule's code, as in `reason=L1`.
[[nodiscard]] std::string_view code_of(Ending ending);
/// Whether the loser broke a rule, instead of being beaten on the board or having its loss agreed.
[[nodiscard]] bool is_fault(Ending ending);
/// In words, for people.
[[nodiscard]] std::string_view describe(Ending ending);
[[nodiscard]] std::optional<Ending> parse_ending(std::string_view code);

}  // namespace defiance
