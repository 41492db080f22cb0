#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <defiance/base/random.hpp>
#include <tools/tuning/spsa.hpp>

using namespace defiance;

namespace {

constexpr std::size_t trials_of_iteration = 4;

/// Three numbers of different sizes, far from where a hill has its top.
SpsaSettings hill_settings(std::uint64_t iterations = 600) {
    SpsaSettings settings;
    settings.variables = {{80, 0, 400, 10}, {0, -100, 100, 4}, {5, 1, 12, 1}};
    settings.iterations = iterations;
    settings.seed = 3;
    return settings;
}

const std::vector<double> hill_top = {120, -20, 8};

/// The height of the hill, with steps as the unit of length.
double height(const std::vector<double>& place) {
    const SpsaSettings settings = hill_settings();
    double sum = 0;
    for (std::size_t i = 0; i < place.size(); ++i) {
        const double steps = (place[i] - hill_top[i]) / settings.variables[i].step;
        sum -= steps * steps / 4;
    }
    return sum;
}

/// Iterations in which a trial tells the difference of heights times `factor`, and `noise` times a
/// number from -1 to 1.
void climb(Spsa& spsa, std::uint64_t iterations, double factor, double noise = 0) {
    Random random(spsa.iteration() + 11);
    for (std::uint64_t i = 0; i < iterations; ++i) {
        std::vector<double> leads;
        for (std::size_t number = 0; number < trials_of_iteration; ++number) {
            const SpsaTrial trial = spsa.trial(number);
            const double chance = static_cast<double>(random.below(2001)) / 1000 - 1;
            leads.push_back(factor * (height(trial.plus) - height(trial.minus)) + noise * chance);
        }
        spsa.advance(leads);
    }
}

/// The largest distance from the top, in steps.
double distance_from_top(const Spsa& spsa) {
    const SpsaSettings settings = hill_settings();
    double largest = 0;
    for (std::size_t i = 0; i < hill_top.size(); ++i)
        largest = std::max(largest,
                           std::abs(spsa.values()[i] - hill_top[i]) / settings.variables[i].step);
    return largest;
}

}  // namespace

TEST_CASE("SPSA finds the top of a hill", "[tools][tuning]") {
    Spsa spsa(hill_settings());
    const double before = distance_from_top(spsa);
    CHECK(before == 5);
    climb(spsa, 600, 1);
    CHECK(spsa.is_done());
    CHECK(distance_from_top(spsa) < 0.05);
}

TEST_CASE("SPSA comes near it in spite of chance that is larger than any difference",
          "[tools][tuning]") {
    Spsa spsa(hill_settings(4000));
    climb(spsa, 4000, 0.2, 10);
    CHECK(distance_from_top(spsa) < 1.2);
    Spsa blind(hill_settings(4000));
    climb(blind, 4000, 0, 10);
    CHECK(distance_from_top(blind) > 2);
}

TEST_CASE("SPSA goes down the hill when told the opposite, to the bounds", "[tools][tuning]") {
    Spsa spsa(hill_settings());
    climb(spsa, 600, -1);
    CHECK(distance_from_top(spsa) > 5);
    CHECK(spsa.values()[0] < 20);
    CHECK(spsa.values()[1] == 100);
    CHECK(spsa.values()[2] == 1);
}

TEST_CASE("the steps of SPSA are those of its gain sequences", "[tools][tuning]") {
    constexpr std::uint64_t iterations = 500;
    SpsaSettings settings = hill_settings(iterations);
    settings.variables = {{100, -1e6, 1e6, 10}};
    Spsa spsa(settings);
    for (std::uint64_t k = 1; k <= iterations; ++k) {
        const double before = spsa.values()[0];
        const SpsaTrial trial = spsa.trial(0);
        const auto number = static_cast<double>(k);
        const double c = 10 * std::pow(500 / number, 0.101);
        const double a = 0.008 * std::pow(550 / (50 + number), 0.602);
        REQUIRE(std::abs(trial.signs[0]) == 1);
        REQUIRE(trial.plus[0] == Approx(before + c * trial.signs[0]));
        REQUIRE(trial.minus[0] == Approx(before - c * trial.signs[0]));
        // Leads of several trials add up.
        const double lead = 1.5;
        spsa.advance(std::vector<double>{lead, 0});
        const double moved = a * 100 / (2 * c) * lead * trial.signs[0];
        REQUIRE(spsa.values()[0] - before == Approx(moved).margin(2e-6));
        // A pair of games won moves a variable by so much of its step in the end.
        if (k == iterations) CHECK(std::abs(moved) * 2 / lead == Approx(0.008 * 10));
    }
}

TEST_CASE("the lots of SPSA depend on seed, iteration and trial, and are even", "[tools][tuning]") {
    SpsaSettings settings = hill_settings(1000);
    Spsa spsa(settings);
    settings.seed = 4;
    const Spsa other(settings);
    std::vector<int> sums(3);
    int same_as_other_seed = 0;
    int same_as_other_trial = 0;
    std::vector<std::vector<int>> of_iterations;
    for (std::size_t number = 0; number < 1000; ++number) {
        const std::vector<int> signs = spsa.trial(number).signs;
        for (std::size_t i = 0; i < signs.size(); ++i)
            sums[i] += signs[i];
        same_as_other_seed += signs == other.trial(number).signs ? 1 : 0;
        same_as_other_trial += signs == spsa.trial(number + 1).signs ? 1 : 0;
        of_iterations.push_back(signs);
    }
    for (const int sum : sums)
        CHECK(std::abs(sum) < 150);
    CHECK(same_as_other_seed < 250);
    CHECK(same_as_other_trial < 250);
    spsa.advance({});
    int same_as_before = 0;
    for (std::size_t number = 0; number < 1000; ++number)
        same_as_before += of_iterations[number] == spsa.trial(number).signs ? 1 : 0;
    CHECK(same_as_before < 250);
}

TEST_CASE("SPSA goes on from a state as if it had not stopped", "[tools][tuning]") {
    Spsa whole(hill_settings());
    climb(whole, 200, 1, 3);
    const std::string state = whole.state();
    climb(whole, 100, 1, 3);
    Spsa rest(hill_settings());
    REQUIRE(rest.restore(state));
    CHECK(rest.iteration() == 200);
    CHECK(rest.state() == state);
    climb(rest, 100, 1, 3);
    CHECK(rest.state() == whole.state());
    CHECK(rest.values() == whole.values());

    const std::string last = whole.state();
    for (const char* wrong :
         {"", "x", "1", "1 80000000 0", "1 80000000 0 5000000 0", "601 80000000 0 5000000",
          "-1 80000000 0 5000000", "1 80000000 0 13000000", "1 80000000 0 5.5"}) {
        INFO(wrong);
        CHECK_FALSE(whole.restore(wrong));
        CHECK(whole.state() == last);
    }
}
