#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <defiance/base/result.hpp>

namespace defiance {

/// A player as the user names it: what it is, and `;key=value` for how it is used.
///
///   self                   the engine built into this program
///   dll:FILE, so:FILE      a CheckerBoard engine
///   mw:COMMAND             a program that speaks the Checkers Middleware protocol
///   hub:COMMAND            a program that speaks the Hub protocol, version 2
///   random                 plays any move
///
/// A semicolon that belongs to a file or command is written twice.
struct PlayerSpec {
    enum class Kind { self, library, middleware, hub, random };

    Kind kind = Kind::self;
    std::string target;                 ///< the file or the command
    std::string name;                   ///< name=; empty when not given
    std::string folder;                 ///< folder=: where it runs; empty when not given
    std::vector<std::string> commands;  ///< send=, hash=, depth=, nodes= of engines and param= of
                                        ///< `self`: sent before the first game
    /// param=NAME=VALUE: parameters of `hub`, set before the first game.
    std::vector<std::pair<std::string, std::string>> parameters;
    std::int64_t depth = 0;  ///< depth= and nodes= of `hub`, told with every move; 0: no limit
    std::int64_t nodes = 0;
    double time_factor = 1;        ///< time=: its share of the time given to all
    std::uint64_t seed = 1;        ///< seed=: of `random`; see seed_of_game()
    bool takes_positions = false;  ///< setup=1: `mw` that knows our `setup FEN`

    /// True when the player can begin a game from any position.
    [[nodiscard]] bool can_set_up() const { return kind != Kind::middleware || takes_positions; }
};

/// Error: what is wrong with the text.
[[nodiscard]] Result<PlayerSpec> parse_player(std::string_view text);

/// The seed of a `random` player in one game: of its own for each game and each player, also when
/// both were given the same. `player` is its index among the players, `game` the game's number.
[[nodiscard]] std::uint64_t seed_of_game(std::uint64_t seed, std::size_t player, std::size_t game);

/// What to call a player that is given no name and does not tell its own: after its file or
/// program.
[[nodiscard]] std::string name_by_target(const PlayerSpec& spec);

}  // namespace defiance
