#pragma once

#include <cstdint>
#include <span>

#include <defiance/rules/game.hpp>
#include <defiance/search/search.hpp>

namespace defiance {

/// An outcome of the game, for the side to move.
enum class Claim : std::uint8_t { none, win, loss, draw };

/// Which proven outcomes the engine claims. CheckerBoard ends a game of an engine match at once
/// where a draw is claimed, and by default where a win or a loss is.
enum class ClaimPolicy : std::uint8_t {
    never,   ///< none: every game is played out
    safe,    ///< wins at once; draws when nothing has happened for long; losses never
    proven,  ///< all
};
inline constexpr int max_claim_policy = static_cast<int>(ClaimPolicy::proven);

/// Own moves in a row in positions known to be drawn, without progress, after which
/// ClaimPolicy::safe claims the draw: until then the opponent may still err.
inline constexpr int draws_before_claim = 20;

/// True when a proven score stands under the draw laws: no position of `history` (the reversible
/// history of the game) has occurred twice, and the game ends before the draw law could end it.
[[nodiscard]] bool is_outcome_certain(const GameRules& rules, std::span<const Position> history,
                                      Score score);

/// The outcome that the result of a search proves, with the draw laws and the game so far taken
/// into account. Draws are proven by endgame databases only.
[[nodiscard]] Claim proven_outcome(const Game& game, const SearchLimits& limits,
                                   const SearchResult& result);

/// What the policy claims of a proven outcome. `known_draws` is GameTracker::known_draws().
[[nodiscard]] Claim claim_under(ClaimPolicy policy, Claim proven, int known_draws);

}  // namespace defiance
