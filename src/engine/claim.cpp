#include <defiance/engine/claim.hpp>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

/// True when a win that a database knows, but not how soon, is safe from the draw laws. The plain
/// law leaves time enough for any with few pieces; how much others need nobody has counted.
bool is_safe_known_win(const Game& game) {
    constexpr int max_pieces_counted = 5;
    constexpr std::size_t max_plies_gone = 8;
    return game.rules().draw_law == DrawLaw::plain &&
           count(game.position().occupied()) <= max_pieces_counted &&
           game.reversible_history().size() <= max_plies_gone;
}

}  // namespace

Claim proven_outcome(const Game& game, const SearchLimits& limits, const SearchResult& result) {
    if (!result.move) return Claim::loss;
    // A move that was not looked at might be better.
    const bool is_whole = limits.only.empty();
    if (const auto& known = result.verdict; known && is_whole) {
        if (known->wld == Wld::draw) return Claim::draw;
        if (!known->dtw && is_safe_known_win(game))
            return known->wld == Wld::win ? Claim::win : Claim::loss;
    }
    if (!win_is_certain(game.rules(), game.reversible_history(), result.score)) return Claim::none;
    if (is_win(result.score)) return Claim::win;
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
