#include <catch2/catch.hpp>

#include <cmath>

#include <tools/support/statistics.hpp>

using namespace defiance;

namespace {

/// Outcomes of pairs as fastchess counts them, with the two ways to share the points apart.
constexpr PairOutcomes pairs(int lost_lost, int lost_drawn, int won_lost, int drawn_drawn,
                             int won_drawn, int won_won) {
    return {lost_lost, lost_drawn, won_lost + drawn_drawn, won_drawn, won_won};
}

constexpr GameOutcomes games(int won, int lost, int drawn) {
    return {lost, drawn, won};
}

double half_width(const ShareEstimate& e) {
    return (elo_of(e.high()) - elo_of(e.low())) / 2;
}

}  // namespace

// The figures are those of the tests of fastchess (github.com/Disservin/fastchess, app/tests,
// sprt_test.cpp at 0cbac498), which follow the results of tests on the Stockfish testing framework.
TEST_CASE("log-likelihood ratios are those that others have published", "[tools][statistics]") {
    struct Known {
        double ratio;
        double published;
    };
    using enum EloKind;
    const Known known[] = {
        {log_likelihood_ratio(games(36433, 36027, 68692), {0, 2, 0.05, 0.05, normalized}), 0.92},
        {log_likelihood_ratio(games(10871, 10650, 20431), {-1.75, 0.25, 0.05, 0.05, normalized}),
         2.30},
        {log_likelihood_ratio(games(21404, 21184, 40708), {0.5, 2.5, 0.05, 0.05, logistic}), -1.57},
        {log_likelihood_ratio(games(57433, 57030, 106593), {0, 2, 0.05, 0.05, logistic}), -2.59},
        {log_likelihood_ratio(pairs(365, 16618, 36029, 200, 16974, 390),
                              {0, 2, 0.05, 0.05, normalized}),
         2.25},
        {log_likelihood_ratio(pairs(127, 4883, 10311, 401, 5150, 104),
                              {-1.75, 0.25, 0.05, 0.05, normalized}),
         3.01},
        {log_likelihood_ratio(pairs(223, 9863, 20279, 1000, 10037, 246),
                              {0.5, 2.5, 0.05, 0.05, logistic}),
         -3.07},
        {log_likelihood_ratio(pairs(871, 26175, 55003, 980, 26678, 821),
                              {0, 2, 0.05, 0.05, logistic}),
         -4.98},
    };
    for (const Known& k : known)
        CHECK(k.ratio == Approx(k.published).margin(0.006));
}

// elo_test.cpp of the same, at 2f5e8881. There the variance is the mean square, which makes the
// error of n outcomes smaller by 1 / 2n of it.
TEST_CASE(
    "Elo, its interval and the likelihood of superiority are those that others have published",
    "[tools][statistics]") {
    const ShareEstimate first = estimate_share(pairs(34, 54, 31, 32, 64, 75));
    CHECK(elo_of(first.share) == Approx(55.58).epsilon(0.001));
    CHECK(half_width(first) == Approx(27.65).epsilon(0.002));
    CHECK(likelihood_of_superiority(first) > 0.99995);
    const ShareEstimate second = estimate_share(pairs(332, 433, 457, 41, 333, 334));
    CHECK(elo_of(second.share) == Approx(-8.64).epsilon(0.001));
    CHECK(half_width(second) == Approx(10.33).epsilon(0.001));
    CHECK(likelihood_of_superiority(second) == Approx(0.0505).margin(0.0001));
    const ShareEstimate third = estimate_share(pairs(7895, 8757, 5485, 200, 568, 9999));
    CHECK(elo_of(third.share) == Approx(-21.04).epsilon(0.001));
    CHECK(half_width(third) == Approx(2.95).epsilon(0.002));
    const ShareEstimate single = estimate_share(games(136, 96, 111));
    CHECK(elo_of(single.share) == Approx(40.70).epsilon(0.001));
    CHECK(half_width(single) == Approx(30.43).epsilon(0.002));
    CHECK(likelihood_of_superiority(single) == Approx(0.9960).margin(0.0001));
    CHECK(likelihood_of_superiority(estimate_share(games(76, 89, 123))) ==
          Approx(0.1553).margin(0.0005));
}

TEST_CASE("the interval of a few pairs is as wide as they let expect", "[tools][statistics]") {
    // Shares of 1/2 and 1: their variance by one less than there are is 1/8.
    CHECK(estimate_share(PairOutcomes{0, 0, 1, 0, 1}).error == Approx(0.25));
    // 1/4, 1/2, 3/4 and 1: 5/48.
    CHECK(estimate_share(PairOutcomes{0, 1, 1, 1, 1}).error == Approx(std::sqrt(5.0 / 48 / 4)));
    CHECK(estimate_share(PairOutcomes{0, 1, 1, 1, 1}).deviation == Approx(std::sqrt(5.0 / 64)));
}

TEST_CASE("a test ends at its bounds", "[tools][statistics]") {
    const SequentialTest test{0, 5, 0.05, 0.05, EloKind::logistic};
    CHECK(test.upper_bound() == Approx(2.944).margin(0.001));
    CHECK(test.lower_bound() == Approx(-2.944).margin(0.001));
    CHECK(verdict_of(2.95, test) == TestVerdict::h1);
    CHECK(verdict_of(-2.95, test) == TestVerdict::h0);
    CHECK(verdict_of(2.94, test) == TestVerdict::open);
    const SequentialTest uneven{0, 5, 0.01, 0.1, EloKind::logistic};
    CHECK(uneven.upper_bound() == Approx(std::log(90)));
    CHECK(uneven.lower_bound() == Approx(std::log(0.1 / 0.99)));
}

TEST_CASE("few and one-sided results make no nonsense", "[tools][statistics]") {
    for (const EloKind kind : {EloKind::logistic, EloKind::normalized}) {
        const SequentialTest test{0, 10, 0.05, 0.05, kind};
        CHECK(log_likelihood_ratio(PairOutcomes{}, test) == 0);
        CHECK(log_likelihood_ratio(PairOutcomes{0, 0, 0, 0, 50}, test) > 0);
        CHECK(log_likelihood_ratio(PairOutcomes{50, 0, 0, 0, 0}, test) < 0);
        CHECK(log_likelihood_ratio(PairOutcomes{5, 10, 20, 10, 5}, test) < 0);
        CHECK(log_likelihood_ratio(PairOutcomes{1, 10, 20, 10, 9}, test) > 0);
        CHECK(std::abs(log_likelihood_ratio(PairOutcomes{0, 0, 1, 0, 0}, test)) < 1);
    }
    CHECK(estimate_share(PairOutcomes{}).share == 0.5);
    CHECK(estimate_share(PairOutcomes{}).low() == 0);
    CHECK(estimate_share(PairOutcomes{0, 0, 0, 0, 1}).low() < 0.1);
    CHECK(likelihood_of_superiority(estimate_share(PairOutcomes{0, 0, 7, 0, 0})) == 0.5);
    CHECK(std::isinf(elo_of(1)));
    CHECK(share_of(elo_of(0.7)) == Approx(0.7));
}

TEST_CASE("a match is summed up in games and pairs", "[tools][statistics]") {
    MatchScore score;
    score.add_pair(2, 2);
    score.add_pair(2, 1);
    score.add_pair(1, 1);
    score.add_pair(0, 2);
    CHECK(score.games() == 8);
    CHECK(score.tally() == "4-3-1");
    CHECK(score.pairs() == PairOutcomes{0, 0, 2, 1, 1});
    CHECK(score.summary().find("W-D-L 4-3-1  points 68.8 %") == 0);
    MatchScore wins;
    wins.add_pair(2, 2);
    wins.add_pair(2, 2);
    CHECK(wins.summary().find("Elo +inf (+") != std::string::npos);
    CHECK(wins.summary().find("to +inf)") != std::string::npos);
}

TEST_CASE("the first game counts before there is a pair", "[tools][statistics]") {
    MatchScore score;
    CHECK(score.share().share == 0.5);
    score.add_game(2);
    CHECK(score.share().share == 1);
    CHECK(score.elo_with_error() == "+inf +- inf");
    score.add_game(1);
    score.close_pair(2, 1);
    CHECK(score.share().share == 0.75);
    CHECK(score.outcomes() == GameOutcomes{0, 1, 1});
}

TEST_CASE("outcomes that are all alike say little about their spread", "[tools][statistics]") {
    for (const std::size_t result : {0U, 2U, 4U}) {
        double last = 0.5;
        for (const std::int64_t pairs : {2, 10, 100, 1000}) {
            PairOutcomes outcomes{};
            outcomes[result] = pairs;
            const double error = estimate_share(outcomes).error;
            CHECK(error > 0);
            CHECK(error < last);
            last = error;
        }
        CHECK(last < 0.001);
    }
    const double superiority =
        likelihood_of_superiority(estimate_share(PairOutcomes{0, 0, 0, 2, 0}));
    CHECK(superiority > 0.5);
    CHECK(superiority < 0.99);
}

TEST_CASE("a pair of games that was played before counts once", "[tools][statistics]") {
    MatchScore score;
    for (const std::uint64_t games : {7U, 7U, 8U, 7U, 0U, 0U}) {
        score.add_game(2);
        score.add_game(1);
        score.close_pair(2, 1, games);
    }
    CHECK(score.games() == 12);
    CHECK(score.pairs() == PairOutcomes{0, 0, 0, 4, 0});
    CHECK(score.copies() == 2);
}
