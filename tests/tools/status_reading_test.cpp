#include <catch2/catch.hpp>

#include <tools/support/status_reading.hpp>

using namespace defiance;

namespace {

StatusValue estimate(double value) {
    return {StatusValue::Kind::estimate, value, std::nullopt};
}

std::optional<StatusValue> value_of(std::string_view status) {
    return read_status(status).value;
}

}  // namespace

TEST_CASE("status lines are read in any order of their items", "[tools][status]") {
    for (const std::string_view line :
         {"depth 19/34  value=-12  time 0.10s  nodes 3.10M  speed 8123 kN/s  pv 11-15 22-18",
          "value=-12  pv 11-15 22-18 15x22 25x18  depth 19/34  nodes 3.10M  speed 8123 kN/s",
          "speed 8123 kN/s  nodes 3.10M  depth 19  best 11-15  value=-12"}) {
        const StatusReading reading = read_status(line);
        CHECK(reading.depth == 19);
        CHECK(reading.value == estimate(-12));
        CHECK(reading.nodes_per_second == 8123e3);
        CHECK_FALSE(reading.is_only_move);
    }
}

TEST_CASE("status lines of other engines are read", "[tools][status]") {
    const StatusReading simplech = read_status("best:8-11 time 1.20s, depth 12, value 31");
    CHECK(simplech.depth == 12);
    CHECK(simplech.value == estimate(31));
    CHECK_FALSE(simplech.nodes_per_second);
    const StatusReading cake = read_status(
        "depth 21/35/18.5  time 0.10s  value=-4  nodes 123456  1234kN/s  db 0% cut 95.1% pv 9-14");
    CHECK(cake.depth == 21);
    CHECK(cake.value == estimate(-4));
    CHECK(cake.nodes_per_second == 1234e3);
    const StatusReading guinn = read_status("depth 21/35 eval +7 time 1.25 speed 1.5Mn/s pv 9-14");
    CHECK(guinn.depth == 21);
    CHECK(guinn.value == estimate(7));
    CHECK(guinn.nodes_per_second == 1.5e6);
    CHECK(read_status("Depth=11, score: 5, 900 Knps").nodes_per_second == 900e3);
    CHECK(read_status("950 n/s").nodes_per_second == 950);
}

TEST_CASE("values in words are read", "[tools][status]") {
    using Kind = StatusValue::Kind;
    CHECK(value_of("value=draw  pv 1-5") == StatusValue{Kind::draw, 0, std::nullopt});
    CHECK(value_of("value=won in 17 moves  pv 1-5") == StatusValue{Kind::win, 0, 17});
    CHECK(value_of("value=won  pv 1-5") == StatusValue{Kind::win, 0, std::nullopt});
    CHECK(value_of("value=lost in 9 moves") == StatusValue{Kind::loss, 0, 9});
    CHECK(value_of("value=lost  depth 12") == StatusValue{Kind::loss, 0, std::nullopt});
    CHECK(value_of("depth 3 value=+29967 (won in 33 plies)") == StatusValue{Kind::win, 0, 17});
    CHECK(value_of("value=-29970 (lost in 30 plies)") == StatusValue{Kind::loss, 0, 15});
    CHECK(value_of("value=won in 1 move")->text() == "won in 1 move");
    CHECK(value_of("value=lost in 9 moves")->text() == "lost in 9 moves");
    CHECK(value_of("value=won")->text() == "won");
    CHECK(value_of("value=draw")->text() == "draw");
    CHECK(value_of("value=12")->text() == "+12");
    CHECK(value_of("value=-12")->text() == "-12");
}

TEST_CASE("a value says who stands better", "[tools][status]") {
    CHECK(value_of("value=won in 3 moves")->is_winning(400));
    CHECK_FALSE(value_of("value=won in 3 moves")->is_losing(400));
    CHECK_FALSE(value_of("value=won in 3 moves")->is_drawish(1e9));
    CHECK(value_of("value=lost")->is_losing(400));
    CHECK_FALSE(value_of("value=lost")->is_winning(0));
    CHECK(value_of("value=draw")->is_drawish(0));
    CHECK_FALSE(value_of("value=draw")->is_winning(0));
    CHECK(value_of("value=400")->is_winning(400));
    CHECK_FALSE(value_of("value=399")->is_winning(400));
    CHECK(value_of("value=-400")->is_losing(400));
    CHECK_FALSE(value_of("value=-399")->is_losing(400));
    CHECK(value_of("value=-10")->is_drawish(10));
    CHECK_FALSE(value_of("value=11")->is_drawish(10));
}

TEST_CASE("words without numbers, and parts of words, say nothing", "[tools][status]") {
    for (const std::string_view line :
         {"thinking about depth and value", "", "n/s", "retrieval 7, seldepth 30", "values 12",
          "value", "depth", "value="}) {
        INFO(line);
        const StatusReading reading = read_status(line);
        CHECK_FALSE(reading.depth);
        CHECK_FALSE(reading.value);
        CHECK_FALSE(reading.nodes_per_second);
    }
    // A later one counts when the first says nothing.
    CHECK(read_status("the depth is unknown, depth 12").depth == 12);
    CHECK(read_status("seldepth 30 depth 12").depth == 12);
    const StatusReading forced = read_status("only move");
    CHECK(forced.is_only_move);
    CHECK_FALSE(forced.value);
}

TEST_CASE("numbers behind words are read with their units", "[tools][status]") {
    CHECK(number_after("nodes 950", "nodes") == 950);
    CHECK(number_after("nodes=12.3k", "nodes") == 12.3e3);
    CHECK(number_after("nodes: 4M", "nodes") == 4e6);
    CHECK(number_after("nodes 2G", "nodes") == 2e9);
    CHECK(number_after("time 5ms", "time") == 5);
    CHECK(number_after("value -3.", "value") == -3);
    CHECK_FALSE(number_after("nodes", "nodes"));
    CHECK_FALSE(number_after("nodes many", "nodes"));
}

TEST_CASE("a depth below zero is none", "[tools][status]") {
    CHECK_FALSE(read_status("depth -1  value=+3").depth);
    CHECK(read_status("depth 0  value=+3").depth == 0);
}
