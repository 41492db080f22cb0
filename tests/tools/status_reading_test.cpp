#include <catch2/catch.hpp>

#include <tools/support/status_reading.hpp>

using namespace defiance;

TEST_CASE("status lines of different engines are read", "[tools][match]") {
    const StatusReading ours =
        read_status("depth 19  value=-12  time 0.10s  nodes 3.10M  speed 8123 kN/s  pv 11-15");
    CHECK(ours.depth == 19);
    CHECK(ours.value == -12);
    CHECK(ours.nodes_per_second == 8123e3);
    const StatusReading other = read_status("best: 9-14, 1.25s, depth: 21/35/18 eval: +7, 1.5Mn/s");
    CHECK(other.depth == 21);
    CHECK(other.value == 7);
    CHECK(other.nodes_per_second == 1.5e6);
    const StatusReading nothing = read_status("thinking about depth and value");
    CHECK_FALSE(nothing.depth);
    CHECK_FALSE(nothing.value);
    CHECK_FALSE(nothing.nodes_per_second);
    CHECK_FALSE(read_status("").depth);
    CHECK_FALSE(read_status("n/s").nodes_per_second);
}

TEST_CASE("numbers behind words are read with their units", "[tools][match]") {
    CHECK(number_after("nodes 950", "nodes") == 950);
    CHECK(number_after("nodes=12.3k", "nodes") == 12.3e3);
    CHECK(number_after("nodes: 4M", "nodes") == 4e6);
    CHECK(number_after("nodes 2G", "nodes") == 2e9);
    CHECK(number_after("time 5ms", "time") == 5);
    CHECK(number_after("value -3.", "value") == -3);
    CHECK_FALSE(number_after("nodes", "nodes"));
    CHECK_FALSE(number_after("nodes many", "nodes"));
}
