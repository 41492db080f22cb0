#include <tools/support/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

constexpr double quantile_95 = 1.959964;
/// Outcomes that did not occur are counted as this many, so that no probability is zero.
constexpr double never_seen = 1e-3;
/// Elo is 400 times a decimal logarithm of odds; twice 400 over ln 10 makes a lead in standard
/// deviations, for small ones, the same number.
constexpr double normalized_scale = 800 / std::numbers::ln10;

template <std::size_t Results>
using Distribution = std::array<double, Results>;

/// Share of the points of a result.
template <std::size_t Results>
constexpr double points(std::size_t result) {
    return static_cast<double>(result) / (Results - 1);
}

template <std::size_t Results>
double mean_of(const Distribution<Results>& weights, const Distribution<Results>& values) {
    double sum = 0;
    for (std::size_t i = 0; i < Results; ++i)
        sum += weights[i] * values[i];
    return sum;
}

/// The distribution under which the observed one is most likely and `values` have the mean 0: each
/// probability is divided by 1 + slope * value, where the slope solves the equation for the mean.
/// The observed one itself when all values have the same sign.
template <std::size_t Results>
Distribution<Results> most_likely(const Distribution<Results>& observed,
                                  const Distribution<Results>& values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (*least >= 0 || *most <= 0) return observed;
    DEFIANCE_ASSERT(std::all_of(observed.begin(), observed.end(), [](double p) { return p > 0; }));
    // All divisors are positive between these bounds, and the mean falls from one to the other.
    double low = -1 / *most;
    double high = -1 / *least;
    DEFIANCE_ASSERT(low < high);
    constexpr int bisections = 100;
    for (int i = 0; i < bisections; ++i) {
        const double slope = (low + high) / 2;
        double mean = 0;
        for (std::size_t r = 0; r < Results; ++r)
            mean += observed[r] * values[r] / (1 + slope * values[r]);
        (mean > 0 ? low : high) = slope;
    }
    Distribution<Results> result;
    for (std::size_t r = 0; r < Results; ++r)
        result[r] = observed[r] / (1 + (low + high) / 2 * values[r]);
    return result;
}

template <std::size_t Results>
Distribution<Results> most_likely_with_share(const Distribution<Results>& observed, double share) {
    Distribution<Results> values;
    for (std::size_t r = 0; r < Results; ++r)
        values[r] = points<Results>(r) - share;
    return most_likely(observed, values);
}

/// The same for a lead over 1/2 of `lead` standard deviations. The condition is not linear in the
/// probabilities; it is met by steps, in each of which the deviation is taken as linear around the
/// distribution found last.
template <std::size_t Results>
Distribution<Results> most_likely_with_lead(const Distribution<Results>& observed, double lead) {
    Distribution<Results> shares;
    for (std::size_t r = 0; r < Results; ++r)
        shares[r] = points<Results>(r);
    Distribution<Results> found;
    found.fill(1.0 / Results);
    constexpr int max_steps = 50;
    constexpr double close_enough = 1e-10;
    for (int step = 0; step < max_steps; ++step) {
        const double mean = mean_of(found, shares);
        double variance = 0;
        for (std::size_t r = 0; r < Results; ++r)
            variance += found[r] * (shares[r] - mean) * (shares[r] - mean);
        const double deviation = std::sqrt(variance);
        Distribution<Results> values;
        for (std::size_t r = 0; r < Results; ++r) {
            const double distance = (shares[r] - mean) / deviation;
            values[r] = shares[r] - 0.5 - lead * deviation * (1 + distance * distance) / 2;
        }
        const Distribution<Results> next = most_likely(observed, values);
        double change = 0;
        for (std::size_t r = 0; r < Results; ++r)
            change = std::max(change, std::abs(next[r] - found[r]));
        found = next;
        if (change < close_enough) break;
    }
    return found;
}

template <std::size_t Results>
Distribution<Results> most_likely_with(const Distribution<Results>& observed, double elo,
                                       EloKind kind) {
    if (kind == EloKind::logistic) return most_likely_with_share(observed, share_of(elo));
    // A pair's share deviates less than a game's, by the root of two.
    const double games = Results == std::tuple_size_v<PairOutcomes> ? 2 : 1;
    return most_likely_with_lead(observed, elo / normalized_scale * std::sqrt(games));
}

std::string elo_text(double elo, int decimals) {
    if (std::isinf(elo)) return elo > 0 ? "+inf" : "-inf";
    return (elo < 0 ? "" : "+") + fixed(elo, decimals);
}

}  // namespace

double ShareEstimate::low() const {
    return std::max(0.0, share - quantile_95 * error);
}
double ShareEstimate::high() const {
    return std::min(1.0, share + quantile_95 * error);
}

template <std::size_t Results>
ShareEstimate estimate_share(const Outcomes<Results>& outcomes) {
    double total = 0;
    double sum = 0;
    for (std::size_t r = 0; r < Results; ++r) {
        total += static_cast<double>(outcomes[r]);
        sum += static_cast<double>(outcomes[r]) * points<Results>(r);
    }
    if (total == 0) return {};
    ShareEstimate estimate;
    estimate.share = sum / total;
    DEFIANCE_ASSERT(estimate.share >= 0 && estimate.share <= 1);
    double squares = 0;
    double any_result = 0;
    for (std::size_t r = 0; r < Results; ++r) {
        const double distance = points<Results>(r) - estimate.share;
        squares += static_cast<double>(outcomes[r]) * distance * distance;
        any_result += distance * distance / Results;
    }
    estimate.deviation = std::sqrt(squares / total);
    // One outcome says nothing about the spread.
    if (total <= 1) return estimate;
    // By one less than there are: they lie closer to their own mean than to the true one.
    estimate.error = squares > 0 ? std::sqrt(squares / (total - 1) / total)
                                 : std::sqrt(any_result) / (total + 1);
    return estimate;
}

double elo_of(double share) {
    DEFIANCE_ASSERT(share >= 0 && share <= 1);
    return -400 * std::log10(1 / share - 1);
}
double share_of(double elo) {
    return 1 / (1 + std::pow(10, -elo / 400));
}

double likelihood_of_superiority(const ShareEstimate& estimate) {
    DEFIANCE_ASSERT(estimate.error >= 0);
    const double lead = estimate.share - 0.5;
    if (estimate.error == 0) return lead > 0 ? 1 : lead < 0 ? 0 : 0.5;
    return 0.5 * std::erfc(-lead / estimate.error / std::numbers::sqrt2);
}

double SequentialTest::lower_bound() const {
    DEFIANCE_ASSERT(alpha > 0 && alpha < 1 && beta > 0 && beta < 1);
    return std::log(beta / (1 - alpha));
}
double SequentialTest::upper_bound() const {
    DEFIANCE_ASSERT(alpha > 0 && alpha < 1 && beta > 0 && beta < 1);
    return std::log((1 - beta) / alpha);
}

template <std::size_t Results>
double log_likelihood_ratio(const Outcomes<Results>& outcomes, const SequentialTest& test) {
    DEFIANCE_ASSERT(test.elo0 < test.elo1);
    Distribution<Results> observed;
    double total = 0;
    for (std::size_t r = 0; r < Results; ++r) {
        observed[r] = std::max(static_cast<double>(outcomes[r]), never_seen);
        total += observed[r];
    }
    if (total < 1) return 0;
    for (double& share : observed)
        share /= total;
    const auto under_h0 = most_likely_with(observed, test.elo0, test.kind);
    const auto under_h1 = most_likely_with(observed, test.elo1, test.kind);
    double ratio = 0;
    for (std::size_t r = 0; r < Results; ++r)
        ratio += observed[r] * std::log(under_h1[r] / under_h0[r]);
    return total * ratio;
}

TestVerdict verdict_of(double log_likelihood_ratio, const SequentialTest& test) {
    DEFIANCE_ASSERT(test.lower_bound() < test.upper_bound());
    if (log_likelihood_ratio >= test.upper_bound()) return TestVerdict::h1;
    if (log_likelihood_ratio <= test.lower_bound()) return TestVerdict::h0;
    return TestVerdict::open;
}

void MatchScore::add_game(int halves) {
    DEFIANCE_ASSERT(halves >= 0 && halves <= 2);
    ++games_[static_cast<std::size_t>(halves)];
}

void MatchScore::close_pair(int first_halves, int second_halves, std::uint64_t games) {
    DEFIANCE_ASSERT(first_halves >= 0 && second_halves >= 0 && first_halves + second_halves <= 4);
    if (games != 0 && !played_.insert(games).second) {
        ++copies_;
        return;
    }
    ++pairs_[static_cast<std::size_t>(first_halves + second_halves)];
}

void MatchScore::add_pair(int first_halves, int second_halves) {
    add_game(first_halves);
    add_game(second_halves);
    close_pair(first_halves, second_halves);
}

ShareEstimate MatchScore::share() const {
    const bool has_pair = std::any_of(pairs_.begin(), pairs_.end(), [](auto n) { return n != 0; });
    return has_pair ? estimate_share(pairs_) : estimate_share(games_);
}

std::string MatchScore::tally() const {
    return std::to_string(games_[2]) + '-' + std::to_string(games_[1]) + '-' +
           std::to_string(games_[0]);
}

std::string MatchScore::summary() const {
    const ShareEstimate estimate = share();
    return "W-D-L " + tally() + "  points " + fixed(estimate.share * 100, 1) +
           " % (95 %: " + fixed(estimate.low() * 100, 1) + " to " +
           fixed(estimate.high() * 100, 1) + ")  Elo " + elo_text(elo_of(estimate.share), 0) +
           " (" + elo_text(elo_of(estimate.low()), 0) + " to " +
           elo_text(elo_of(estimate.high()), 0) + ")  LOS " +
           fixed(likelihood_of_superiority(estimate) * 100, 1) + " %";
}

std::string MatchScore::elo_with_error() const {
    const ShareEstimate estimate = share();
    const double half = (elo_of(estimate.high()) - elo_of(estimate.low())) / 2;
    return elo_text(elo_of(estimate.share), 1) + " +- " +
           (std::isfinite(half) ? fixed(half, 1) : "inf");
}

template ShareEstimate estimate_share(const GameOutcomes&);
template ShareEstimate estimate_share(const PairOutcomes&);
template double log_likelihood_ratio(const GameOutcomes&, const SequentialTest&);
template double log_likelihood_ratio(const PairOutcomes&, const SequentialTest&);

}  // namespace defiance
