#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/search/score.hpp>

namespace defiance {

/// True when a position becomes drawn with this ply of king moves without a capture. A side
/// without a legal move has lost instead. A game that goes on after that, because nobody has said
/// that it is drawn, is searched as if there were no law.
template <class Rules>
[[nodiscard]] bool is_drawn_by_law(const Position& p, int reversible) {
    return reversible >= min_reversible_limit<Rules> && reversible == reversible_limit<Rules>(p) &&
           count_moves<Rules>(p) != 0;
}

/// The scores of draws by law. They are not all 0, because the game may go on: the better
/// the position would be without the law, the better the draw. With 0 for all, a side that is about
/// to complete the count would give its pieces away.
class DrawByLawScore {
public:
    static constexpr Score limit = 8;  ///< the scores lie within +-limit

    /// The score of a draw in a position that would have this score without the law.
    [[nodiscard]] static constexpr Score of(Score without_law) {
        return std::clamp(without_law >> shift, -limit, limit);
    }

    // A null or wider window (alpha, beta) for the score of a draw asks the same as the window
    // (alpha_without_law(alpha), beta_without_law(beta)) asks of the score s without the law:
    // of(s) > alpha just when s > alpha_without_law(alpha), and of(s) >= beta just when
    // s >= beta_without_law(beta).

    /// The bound that cuts off a drawn node where the window (alpha, beta) lies beyond all draws.
    [[nodiscard]] static constexpr std::optional<Score> cutoff(Score alpha, Score beta) {
        if (alpha >= limit) return limit;
        if (beta <= -limit) return -limit;
        return std::nullopt;
    }
    /// `alpha` must be below the highest score of a draw: above it nothing has to be searched.
    [[nodiscard]] static constexpr Score alpha_without_law(Score alpha) {
        DEFIANCE_ASSERT(alpha < limit);
        return alpha < -limit ? -score_infinite : (alpha + 1) * (1 << shift) - 1;
    }
    /// `beta` must be above the lowest score of a draw.
    [[nodiscard]] static constexpr Score beta_without_law(Score beta) {
        DEFIANCE_ASSERT(beta > -limit);
        return beta > limit ? score_infinite : beta * (1 << shift);
    }

private:
    static constexpr int shift = 5;
};

/// A value to xor into the table key of a node of this depth, so that results that depend on the
/// draw law are not used at another count. 0 when no line of the search can reach the law or the
/// law is behind it: ordinary positions share their entries, and so do those without kings, which
/// have one count only. Lines are taken to be up to twice as long as the depth, because forced
/// moves of one side cost no depth; few have forced moves of both.
template <class Rules>
[[nodiscard]] std::uint64_t draw_law_key(const Position& p, int reversible, int depth) {
    DEFIANCE_ASSERT(reversible >= 0 && depth >= 0);
    if (p.kings == 0) return 0;
    const int reach = reversible + 2 * depth;
    if (reach < min_reversible_limit<Rules>) return 0;
    const int limit = reversible_limit<Rules>(p);
    if (reach < limit || reversible >= limit) return 0;
    // The multiples of an odd constant are not 0 and differ for all counts.
    return (static_cast<std::uint64_t>(reversible) + 1) * 0xD6E8FEB86659FD93U;
}

/// True when the draw law could end the game before a win or loss that is `plies` away. Not with
/// men on the board, because their moves restart the count, nor when the game has gone on after it.
template <class Rules>
[[nodiscard]] bool is_spoiled_by_law(const Position& p, int plies, int reversible) {
    DEFIANCE_ASSERT(reversible >= 0 && plies >= 0);
    if (reversible + plies < min_reversible_limit<Rules> || p.men() != 0) return false;
    const int limit = reversible_limit<Rules>(p);
    return reversible < limit && reversible + plies >= limit;
}

/// The same of a database result.
template <class Rules>
[[nodiscard]] bool is_spoiled_by_law(const Position& p, const EgdbResult& result, int reversible) {
    return result.dtw && is_spoiled_by_law<Rules>(p, *result.dtw, reversible);
}

}  // namespace defiance
