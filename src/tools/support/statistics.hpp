#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>

namespace defiance {

/// How often each result came: of single games 0, 1/2 and 1 point, of pairs of games 0, 1/2, 1,
/// 1 1/2 and 2 points for the first player. Games of a pair begin with the same opening, colours
/// exchanged; they are counted together, because an opening that favours one colour makes their
/// results depend on each other.
template <std::size_t Results>
using Outcomes = std::array<std::int64_t, Results>;
using GameOutcomes = Outcomes<3>;
using PairOutcomes = Outcomes<5>;

/// An estimate of the share of the points that the first player gets in the long run.
struct ShareEstimate {
    double share = 0.5;    ///< of the points so far, 0 to 1
    double deviation = 0;  ///< standard deviation of one outcome's share among those that came
    /// Standard error of `share`, with the deviation as the outcomes let expect it. While all
    /// outcomes are alike they say little about their spread: one more is then assumed, with every
    /// result equally likely.
    double error = 0.5;

    /// Bounds of the interval of 95 %, within 0 to 1.
    [[nodiscard]] double low() const;
    [[nodiscard]] double high() const;
};
template <std::size_t Results>
[[nodiscard]] ShareEstimate estimate_share(const Outcomes<Results>& outcomes);

/// The difference in Elo that means this share of the points; infinite for 0 and 1.
[[nodiscard]] double elo_of(double share);
/// The share of the points that this difference in Elo means.
[[nodiscard]] double share_of(double elo);

/// The probability that the first player is the stronger one, if nothing was known before.
[[nodiscard]] double likelihood_of_superiority(const ShareEstimate& estimate);

/// What the bounds of a sequential test mean.
enum class EloKind {
    logistic,   ///< plain Elo: the share of the points decides
    normalized  ///< the lead over an even result in standard deviations of a game, on Elo's scale
                ///< (M. Van den Bergh, Normalized Elo): the effort of a test is then the same at
                ///< any rate of draws
};

/// A sequential probability ratio test of H0, the difference is elo0, against H1, it is elo1.
struct SequentialTest {
    double elo0 = 0;
    double elo1 = 5;
    double alpha = 0.05;  ///< chance to accept H1 although H0 is true
    double beta = 0.05;   ///< chance to accept H0 although H1 is true
    EloKind kind = EloKind::logistic;

    /// Bounds of the log-likelihood ratio at which H0 or H1 is accepted (A. Wald, 1945).
    [[nodiscard]] double lower_bound() const;
    [[nodiscard]] double upper_bound() const;
};

/// Logarithm of the ratio of the likelihoods of the outcomes under H1 and H0, each at its most
/// likely distribution: the generalised test of M. Van den Bergh, A Practical Introduction to the
/// GSPRT. 0 without outcomes.
template <std::size_t Results>
[[nodiscard]] double log_likelihood_ratio(const Outcomes<Results>& outcomes,
                                          const SequentialTest& test);

enum class TestVerdict { open, h0, h1 };
[[nodiscard]] TestVerdict verdict_of(double log_likelihood_ratio, const SequentialTest& test);

/// The result of a match in pairs of games.
class MatchScore {
public:
    /// Adds a game; the first player's points are 0, 1 or 2 halves.
    void add_game(int halves);
    /// Tells that two of the games added were a pair. `games` is a number for what was played in
    /// both: a pair whose games were played before, move by move, is a copy and says nothing new,
    /// so it does not count; 0 when it is not known.
    void close_pair(int first_halves, int second_halves, std::uint64_t games = 0);
    /// Adds both games of a pair.
    void add_pair(int first_halves, int second_halves);

    [[nodiscard]] std::int64_t games() const { return games_[0] + games_[1] + games_[2]; }
    [[nodiscard]] const GameOutcomes& outcomes() const { return games_; }
    [[nodiscard]] const PairOutcomes& pairs() const { return pairs_; }
    /// Pairs that did not count, because they were copies.
    [[nodiscard]] std::int64_t copies() const { return copies_; }
    /// The share of the points by the pairs, or by the games as long as there is no pair.
    [[nodiscard]] ShareEstimate share() const;
    /// W-D-L of the first player.
    [[nodiscard]] std::string tally() const;
    /// W-D-L, points and Elo with their intervals of 95 %, and the likelihood of superiority; one
    /// line.
    [[nodiscard]] std::string summary() const;
    /// `E +- X`: Elo by the pairs and half its interval of 95 %, both with one decimal, or inf.
    [[nodiscard]] std::string elo_with_error() const;

private:
    GameOutcomes games_{};
    PairOutcomes pairs_{};
    std::set<std::uint64_t> played_;  // numbers of the pairs that counted
    std::int64_t copies_ = 0;
};

}  // namespace defiance
