#include <tools/posdb/scores.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

/// No heuristic score may look like a certain one.
constexpr DatabaseScore max_guess = 5000;

/// A step that falls from 1 to 0 around 0, `width` points wide.
double falling(double x, double width) {
    return 1 / (1 + std::exp(x / width));
}

/// Which scores are good where neither side is far ahead.
double even_threshold(double best) {
    return best - 10 * falling(-std::abs(best), 10);
}

}  // namespace

DatabaseScore database_score(Score score) {
    if (is_proven_win(score)) return proven_score - plies_to_end(score);
    if (is_proven_loss(score)) return plies_to_end(score) - proven_score;
    if (is_decided(score)) return score > 0 ? unknown_distance_score : -unknown_distance_score;
    return std::clamp(in_centimen(score), -max_guess, max_guess);
}

DatabaseScore database_score(const EgdbResult& result) {
    if (result.wld == Wld::draw) return 0;
    const DatabaseScore win = result.dtw ? proven_score - *result.dtw : unknown_distance_score;
    return result.wld == Wld::win ? win : -win;
}

DatabaseScore score_of_move(DatabaseScore score_after) {
    const DatabaseScore score = -score_after;
    if (std::abs(score) == unknown_distance_score || !is_certain(score)) return score;
    return score > 0 ? score - 1 : score + 1;
}

// The curves of Chess Cloud Database, in its hundredths of a pawn; a man is taken as one.

double good_threshold(DatabaseScore best) {
    constexpr double losing = -50;
    constexpr double worse = -30;
    constexpr double better = 50;
    constexpr double winning = 75;
    const double m = best;
    if (m <= losing) return losing;
    if (m < worse) return std::lerp(losing, even_threshold(worse), (m - losing) / (worse - losing));
    if (m <= better) return even_threshold(m);
    if (m < winning) return std::lerp(even_threshold(m), m, (m - better) / (winning - better));
    return m;
}

double best_threshold(DatabaseScore best) {
    const double m = best;
    if (m >= 50 || m < -30) return m;
    const double threshold = m - 5 * falling(-std::abs(m), 20);
    return m > 0 ? std::max(threshold, 1.0) : threshold;
}

int rank_of(DatabaseScore score, DatabaseScore best) {
    DEFIANCE_ASSERT(score <= best);
    if (score < good_threshold(best)) return 0;
    return score >= best_threshold(best) ? 2 : 1;
}

std::optional<double> win_rate(DatabaseScore score) {
    constexpr double scale = 330;
    if (std::abs(score) >= certain_score) return std::nullopt;
    return 100 / (1 + std::exp(-score / scale));
}

}  // namespace defiance
