#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// Where a game of a match begins.
struct Opening {
    std::string name;  ///< its moves, the Event tag of its game, or a number
    Position position;
};

/// A list of openings.
struct NamedOpenings {
    std::vector<Opening> list;
    std::string file;  ///< that they were read from; empty: they are built in
};

/// The positions of 11-man ballots: the start position without one man of each colour, those left
/// out in which either side could capture at once. The order is fixed.
[[nodiscard]] std::vector<Position> eleven_man_ballots(const GameRules& rules);

/// Whether three_move_openings() are of this game. Only English has such a list.
[[nodiscard]] bool has_three_move_openings(const GameRules& rules);

/// The three-move openings of the American Checker Federation, 174 with those of mail play and
/// those that are barred. English only.
[[nodiscard]] std::vector<Opening> three_move_openings();

/// Reads openings from the text of a file, which is one of two kinds:
///  - PDN, where a line begins with [: each game is an opening, its FEN tag, if it has one, and all
///    the moves after it;
///  - else each line is a FEN, or moves from the start position, with or without numbers; empty
///    lines and those that begin with # do not count. Where that makes no sense and a line has a
///    result such as *, or begins with the number of a second move or a later one, it is PDN too.
/// A byte order mark before either does no harm.
///
/// Error: the first fault, with the number of its line or game, of a move that of both; also when
/// there is no opening at all, and when a position is no place to begin, because the side to move
/// has no move.
[[nodiscard]] Result<std::vector<Opening>> read_openings(const GameRules& rules,
                                                         std::string_view text);

/// The same from the file at this path. Error, naming the file: also when it cannot be read.
[[nodiscard]] Result<std::vector<Opening>> read_openings_file(const GameRules& rules,
                                                              const std::string& path);

/// The openings that a word of the user names: `start`, `11-man`, `3-move`, the last two also
/// without the hyphen, or else the file at this path. Error: the game has no such list, or as for
/// read_openings_file().
[[nodiscard]] Result<NamedOpenings> openings_named(const GameRules& rules, std::string_view word);

}  // namespace defiance
