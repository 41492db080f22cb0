#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace defiance {

/// A number that is tuned.
struct SpsaVariable {
    double start = 0;
    double low = 0;  ///< its bounds
    double high = 0;
    double step = 1;  ///< how far it is moved to and fro in the last iteration
};

/// What a run depends on besides the results of its trials.
struct SpsaSettings {
    std::vector<SpsaVariable> variables;
    std::uint64_t iterations = 1;
    std::uint64_t seed = 1;
};

/// Two points to compare.
struct SpsaTrial {
    std::vector<double> plus;   ///< theta + c_k delta, within the bounds
    std::vector<double> minus;  ///< theta - c_k delta
    std::vector<int> signs;     ///< delta: 1 or -1 for each variable
};

/// Simultaneous perturbation stochastic approximation (J. C. Spall, IEEE Transactions on Automatic
/// Control 37, 1992): looks for the point with the largest value when only the values of two points
/// can be compared, and with much chance in it. In iteration k = 1 ... N all variables are moved at
/// once, each by c_k to a side that is drawn by lot, and to the other side; theta then goes by
///
///     a_k lead / (2 c_k delta)
///
/// where `lead` is what the first point is worth more than the second. An iteration may have
/// several trials with lots of their own, whose steps add up. The gain sequences are those that
/// Spall recommends, scaled by what the last iteration shall do:
///
///     c_k = step (N / k)^gamma                      gamma = 0.101
///     a_k = rate step^2 ((A + N) / (A + k))^alpha   alpha = 0.602, A = N / 10
///
/// so that in the end a lead of 2, which is that of a pair of games won, moves a variable by
/// `rate` = 0.008 of its step, and in the beginning by about twice as much.
///
/// Computed from basic operations in a fixed order, and theta is kept in millionths: the same
/// results of the trials lead to the same numbers on every build.
class Spsa {
public:
    static constexpr double rate = 0.008;
    static constexpr double alpha = 0.602;
    static constexpr double gamma = 0.101;
    static constexpr std::uint64_t stability_divisor = 10;  // A is a tenth of the iterations
    static constexpr std::uint64_t max_iterations = 1'000'000'000;

    /// From 1 to max_iterations iterations; every start lies within its bounds.
    explicit Spsa(SpsaSettings settings);

    /// Iterations that are over.
    [[nodiscard]] std::uint64_t iteration() const { return iteration_; }
    [[nodiscard]] bool is_done() const { return iteration_ == settings_.iterations; }

    /// Theta.
    [[nodiscard]] std::vector<double> values() const;

    /// A trial of the next iteration; is_done() must not hold. Depends on the seed, the iteration
    /// and the number only.
    [[nodiscard]] SpsaTrial trial(std::size_t number) const;

    /// Ends an iteration. leads[i] is what the first point of trial(i) was worth more than its
    /// second one.
    void advance(std::span<const double> leads);

    /// All that has come of the trials, as a line of text.
    [[nodiscard]] std::string state() const;
    /// Goes on from there. False, and nothing changes, when it is no state of these settings.
    [[nodiscard]] bool restore(std::string_view state);

private:
    static constexpr double unit = 1e6;

    [[nodiscard]] double perturbation() const;
    [[nodiscard]] double gain() const;
    [[nodiscard]] std::vector<int> signs_of(std::size_t number) const;

    SpsaSettings settings_;
    std::uint64_t iteration_ = 0;
    std::vector<std::int64_t> theta_;  // in millionths
};

}  // namespace defiance
