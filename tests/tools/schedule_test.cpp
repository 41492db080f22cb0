#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <tools/match/cross_table.hpp>
#include <tools/match/schedule.hpp>

using namespace defiance;

namespace {

/// Plays a schedule to its end; the player with the smaller number wins every game, except that the
/// players in `draws` share the points with each other.
std::vector<PairingResult> play(Schedule& schedule, const std::set<std::size_t>& draws = {}) {
    std::vector<PairingResult> results;
    for (int round = 0; round < 100; ++round) {
        const std::vector<Pairing> pairings = schedule.next_round(results);
        if (pairings.empty()) return results;
        for (const Pairing& pairing : pairings) {
            const auto all = 2 * static_cast<std::int64_t>(pairing.games);
            const bool is_even = draws.count(pairing.first) + draws.count(pairing.second) == 2;
            const std::int64_t first = is_even ? all / 2 : pairing.first < pairing.second ? all : 0;
            results.push_back({pairing, first, all - first});
        }
    }
    FAIL("a schedule without end");
    return results;
}

std::map<std::pair<std::size_t, std::size_t>, int> meetings(
    const std::vector<PairingResult>& results) {
    std::map<std::pair<std::size_t, std::size_t>, int> count;
    for (const PairingResult& result : results)
        ++count[std::minmax(result.pairing.first, result.pairing.second)];
    return count;
}

}  // namespace

TEST_CASE("in a round robin everybody meets everybody once", "[tools][match]") {
    const auto schedule = make_schedule({Format::round_robin, 5, 4, 0});
    const auto results = play(*schedule);
    CHECK(results.size() == 10);
    CHECK(meetings(results).size() == 10);
    for (const PairingResult& result : results)
        CHECK(result.pairing.games == 4);
    CHECK(half_points({Format::round_robin, 5, 4, 0}, results) ==
          std::vector<std::int64_t>{32, 24, 16, 8, 0});
}

TEST_CASE("in a gauntlet the first meets all others", "[tools][match]") {
    const auto results = play(*make_schedule({Format::gauntlet, 4, 2, 0}));
    REQUIRE(results.size() == 3);
    for (const PairingResult& result : results)
        CHECK(result.pairing.first == 0);
}

TEST_CASE("in a knockout who loses is out", "[tools][match]") {
    for (std::size_t players = 2; players <= 9; ++players) {
        const auto schedule = make_schedule({Format::knockout, players, 2, 0});
        const auto results = play(*schedule);
        CHECK(results.size() == players - 1);
        const auto places = schedule->places();
        REQUIRE(places.size() == players);
        CHECK(places.front() == 0);
        CHECK(std::set<std::size_t>(places.begin(), places.end()).size() == players);
    }
}

TEST_CASE("in a knockout of five the bye of the second round goes to another player",
          "[tools][match]") {
    const auto schedule = make_schedule({Format::knockout, 5, 2, 0});
    const std::vector<Pairing> first = schedule->next_round({});
    REQUIRE(first.size() == 2);
    // Who had the bye, number 2, is in the middle of those who are left.
    const std::vector<Pairing> second = schedule->next_round({{first[0], 0, 4}, {first[1], 4, 0}});
    REQUIRE(second.size() == 1);
    CHECK(second[0].first == 1);
    CHECK(second[0].second == 2);
}

TEST_CASE("in a knockout a bye goes to one of those with the fewest", "[tools][match]") {
    for (std::size_t players = 3; players <= 65; ++players) {
        const auto schedule = make_schedule({Format::knockout, players, 2, 0});
        std::vector<PairingResult> results;
        std::map<std::size_t, int> byes;  // of those who are left
        for (std::size_t player = 0; player < players; ++player)
            byes[player] = 0;
        while (byes.size() > 1) {
            const std::vector<Pairing> pairings = schedule->next_round(results);
            REQUIRE(pairings.size() == byes.size() / 2);
            std::map<std::size_t, int> idle = byes;
            for (const Pairing& pairing : pairings) {
                idle.erase(pairing.first);
                idle.erase(pairing.second);
            }
            for (const auto& [player, count] : idle) {
                for (const auto& other : byes)
                    CHECK(count <= other.second);
                ++byes[player];
            }
            // In turn the second and the first win, so that players from everywhere are left.
            for (std::size_t i = 0; i < pairings.size(); ++i) {
                const bool first_wins = i % 2 != 0;
                results.push_back({pairings[i], first_wins ? 4 : 0, first_wins ? 0 : 4});
                byes.erase(first_wins ? pairings[i].second : pairings[i].first);
            }
        }
        CHECK(schedule->next_round(results).empty());
        CHECK(schedule->places().front() == byes.begin()->first);
    }
}

TEST_CASE("a tied knockout pairing is played on, with new openings, but not for ever",
          "[tools][match]") {
    const auto schedule = make_schedule({Format::knockout, 2, 4, 0});
    const auto results = play(*schedule, {0, 1});
    REQUIRE(results.size() == 6);
    CHECK(results[1].pairing.games == 2);
    CHECK(results[1].pairing.opening_pair == 2);
    CHECK(results[5].pairing.opening_pair == 6);
    CHECK(schedule->places() == std::vector<std::size_t>{0, 1});
}

TEST_CASE("in a Swiss tournament nobody meets twice while that can be", "[tools][match]") {
    for (std::size_t players = 2; players <= 11; ++players) {
        INFO(players);
        const ScheduleSettings settings = {Format::swiss, players, 2, 0};
        const auto results = play(*make_schedule(settings));
        for (const auto& [pair, count] : meetings(results))
            CHECK(count == 1);
        const auto points = half_points(settings, results);
        CHECK(std::max_element(points.begin(), points.end()) == points.begin());
    }
}

TEST_CASE("in a Swiss tournament who sits out gets its points, and all sit out alike",
          "[tools][match]") {
    const ScheduleSettings settings = {Format::swiss, 5, 2, 5};
    const auto results = play(*make_schedule(settings), {0, 1, 2, 3, 4});
    REQUIRE(results.size() == 10);
    // Four rounds of two drawn games, and one free round of two points.
    CHECK(half_points(settings, results) == std::vector<std::int64_t>(5, 4 * 2 + 4));
}

TEST_CASE("the cross table counts points and breaks ties by Sonneborn-Berger", "[tools][match]") {
    // a beats b, b beats c, c beats a 1.5 to 0.5; d loses all but one drawn game to a.
    const std::vector<PairingResult> results = {
        {{0, 1, 2, 0}, 4, 0}, {{1, 2, 2, 0}, 4, 0}, {{2, 0, 2, 0}, 3, 1},
        {{3, 0, 2, 0}, 1, 3}, {{3, 1, 2, 0}, 0, 4}, {{3, 2, 2, 0}, 0, 4},
    };
    const auto points = half_points({Format::round_robin, 4, 2, 0}, results);
    CHECK(points == std::vector<std::int64_t>{8, 8, 7, 1});
    // a: 4*8/4 + 1*7/4 + 3*1/4 = 10.5; b: 0 + 4*7/4 + 4*1/4 = 8; both with 4 points.
    const auto order = order_by_points(results, points);
    CHECK(order == std::vector<std::size_t>{0, 1, 2, 3});
    const auto lines = cross_table(order, {"a", "b", "c", "d"}, results, points,
                                   {{0, 2, 4}, {2, 0, 4}, {2, 1, 3}, {5, 1, 0}});
    REQUIRE(lines.size() == 5);
    CHECK(lines[1] == "  1 a            4       4-2-0     10.50      x      2    0.5    1.5");
    CHECK(lines[4] == "  4 d          0.5       0-1-5      2.00    0.5      0      0      x");
}

TEST_CASE("openings last for all rounds of a pairing", "[tools][match]") {
    CHECK(openings_in_row({Format::round_robin, 4, 6, 0}) == 3);
    CHECK(openings_in_row({Format::gauntlet, 4, 7, 0}) == 4);
    CHECK(openings_in_row({Format::swiss, 4, 6, 2}) == 6);
    CHECK(openings_in_row({Format::swiss, 4, 2, 0}) == 3);
    CHECK(openings_in_row({Format::knockout, 4, 6, 0}) == 8);
    CHECK(is_single_pairing({Format::round_robin, 2, 6, 0}));
    CHECK_FALSE(is_single_pairing({Format::round_robin, 3, 6, 0}));
    CHECK_FALSE(is_single_pairing({Format::swiss, 2, 6, 3}));
}
