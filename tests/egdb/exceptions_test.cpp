#include <catch2/catch.hpp>

#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include <defiance/base/large_array.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/egdb/slice_index.hpp>
#include <defiance/rules/games.hpp>

#include "../base/failing_allocation.hpp"

using namespace defiance;

namespace {

constexpr std::size_t enough_positions_to_throw = 4000;

/// Positions of two to five pieces, some with captures.
std::vector<Position> positions_to_ask() {
    std::vector<Position> positions;
    for (int pieces = 2; pieces <= 5; ++pieces)
        for (const Material& material : materials_of(pieces)) {
            const SliceIndex index(material);
            if (material.men() % 2 == 0) positions.push_back(index.at(index.size() / 3));
        }
    return positions;
}

/// Calls probe(position) with one allocation after the other failing, until none does; the value
/// it gives in the end.
template <class Probe>
auto after_failures(Probe probe, int& failures) {
    for (int successes = 0;; ++successes) {
        const FailingAllocation failing(successes);
        try {
            const auto result = probe();
            if (!failing.has_failed()) return result;
        } catch (const std::bad_alloc&) {
            ++failures;
        }
    }
}

}  // namespace

TEST_CASE("databases stay usable when memory runs out during a probe", "[egdb]") {
    const Endgames<English> sound{EndgameSettings{}};
    const Endgames<English> endgames{EndgameSettings{}};
    int failures = 0;
    for (const Position& position : positions_to_ask()) {
        int failed_probes = 0;
        const auto probed = after_failures([&] { return endgames.probe(position); }, failed_probes);
        CHECK(probed == sound.probe(position));
        CHECK(failed_probes == 0);  // a probe needs no memory
        const auto resolved = after_failures(
            [&] { return endgames.resolve(position, enough_positions_to_throw); }, failures);
        CHECK(resolved == sound.resolve(position, enough_positions_to_throw));
    }
    CHECK(failures > 100);
    CHECK(endgames.report() == sound.report());
}

TEST_CASE("an array that is too large for the addresses is not a smaller one", "[egdb]") {
    CHECK_THROWS_AS(LargeArray<std::uint8_t>(std::uint64_t{1} << 63 | 1), std::length_error);
    CHECK_THROWS_AS(LargeArray<std::uint16_t>(std::uint64_t{1} << 63 | 1), std::length_error);
}

TEST_CASE("databases can be opened again after memory ran out", "[egdb]") {
    int failures = 0;
    const auto endgames = after_failures(
        [] { return std::make_shared<const Endgames<English>>(EndgameSettings{}); }, failures);
    CHECK(failures > 10);
    CHECK(endgames->pieces() == 5);
    CHECK(endgames->probe(SliceIndex({1, 0, 1, 0}).at(100)) ==
          Endgames<English>{EndgameSettings{}}.probe(SliceIndex({1, 0, 1, 0}).at(100)));
}
