#include <catch2/catch.hpp>

#include <algorithm>

#include <defiance/egdb/build.hpp>
#include <defiance/rules/game_rules.hpp>

#include "../every_game.hpp"

using namespace defiance;

// Kings alone stay kings alone, so the endings with men need not be solved for it.
TEMPLATE_TEST_CASE("the longest win of kings alone is the one that the rules name", "[egdb][truth]",
                   DEFIANCE_EVERY_GAME) {
    constexpr int threads = 2;
    SolvedSlices slices;
    int longest = 0;
    for (int pieces = 2; pieces <= max_pieces_of_longest_win; ++pieces)
        for (const Material& material : materials_of(pieces)) {
            if (material.men() != 0) continue;
            if (slices.find(material) == nullptr)
                solve_slices<TestType>(material, slices, {threads, true, nullptr});
            const SolvedSlice& slice = *slices.find(material);
            for (std::uint64_t number = 0; number < slice.index().size(); ++number)
                if (slice.value(number) == Wld::win) longest = std::max(longest, slice.dtw(number));
        }
    CHECK(longest == rules_of<TestType>.longest_win_of_kings);
}
