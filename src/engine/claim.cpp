#include <defiance/engine/claim.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

bool has_repetition(std::span<const Position> history) {
    for (std::size_t i = 0; i < history.size(); ++i) {
        const auto here = history.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::find(history.begin(), here, *here) != here) return true;
    }
    return false;
}

/// True when a database win of unknown distance is safe from the draw laws: with kings alone, if
/// the law and the moves made leave time for their longest win. That men, whose moves count anew,
/// never need longer between two of them is likely, but nobody has proven it.
bool is_safe_known_win(const Game& game) {
    constexpr std::size_t max_plies_gone = 7;
    const GameRules& rules = game.rules();
    const Position& position = game.position();
    // Who is about to lose may have a move before the longest win of the other side.
    const int longest = rules.longest_win_of_kings + 1;
    return longest + static_cast<int>(max_plies_gone) < rules.min_reversible_limit &&
           position.occupied() == position.kings &&
           count(position.kings) <= max_pieces_of_longest_win &&
           game.reversible_plies() <= max_plies_gone && !has_repetition(game.reversible_history());
}

}  // namespace

bool is_outcome_certain(const GameRules& rules, std::span<const Position> history, Score score) {
    if (!is_proven(score)) return false;
    DEFIANCE_ASSERT(!history.empty());
    const int plies = static_cast<int>(history.size()) - 1 + plies_to_end(score);
    return plies < rules.min_reversible_limit && !has_repetition(history);
}

Claim proven_outcome(const Game& game, const SearchLimits& limits, const SearchResult& result) {
    DEFIANCE_ASSERT(result.score >= -score_infinite && result.score <= score_infinite);
    if (!result.move) return Claim::loss;
    // A move that was excluded from the search might be better.
    const bool is_whole = limits.search_moves.empty() && !result.is_restricted;
    if (const auto& known = result.egdb; known && is_whole) {
        if (known->wld == Wld::draw) return Claim::draw;
        if (!known->dtw && is_safe_known_win(game))
            return known->wld == Wld::win ? Claim::win : Claim::loss;
    }
    if (!is_outcome_certain(game.rules(), game.reversible_history(), result.score))
        return Claim::none;
    if (is_proven_win(result.score)) return Claim::win;
    return is_whole ? Claim::loss : Claim::none;
}

Claim claim_under(ClaimPolicy policy, Claim proven, int known_draws) {
    DEFIANCE_ASSERT(known_draws >= 0);
    switch (policy) {
        case ClaimPolicy::never:
            return Claim::none;
        case ClaimPolicy::safe:
            if (proven == Claim::win) return Claim::win;
            return proven == Claim::draw && known_draws >= draws_before_claim ? Claim::draw
                                                                              : Claim::none;
        case ClaimPolicy::proven:
            return proven;
    }
    return Claim::none;
}

}  // namespace defiance
