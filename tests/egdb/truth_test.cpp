#include <catch2/catch.hpp>

#include <algorithm>

#include <defiance/egdb/build.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <tools/egdb/verifier.hpp>

#include "../every_game.hpp"

using namespace defiance;

namespace {

/// Positions with both colours to move, and plies of the longest game that is not drawn.
struct Truth {
    std::uint64_t won = 0;
    std::uint64_t lost = 0;
    std::uint64_t drawn = 0;
    int longest = 0;

    bool operator==(const Truth&) const = default;
};

std::ostream& operator<<(std::ostream& stream, const Truth& truth) {
    return stream << truth.won << '/' << truth.lost << '/' << truth.drawn << ", " << truth.longest;
}

void add(const SolvedSlice& slice, Truth& truth) {
    for (std::uint64_t number = 0; number < slice.index().size(); ++number) {
        const Wld value = slice.value(number);
        (value == Wld::win ? truth.won : value == Wld::loss ? truth.lost : truth.drawn) += 2;
        if (value != Wld::draw) truth.longest = std::max(truth.longest, slice.dtw(number));
    }
}

/// What solvers of others have found for four pieces.
template <class Rules>
constexpr Truth known_truth() {
    switch (Rules::game_type) {
        case English::game_type:
            return {5'148'608, 3'834'180, 3'435'844, 109};
        case Italian::game_type:
            return {5'177'936, 4'080'742, 3'159'954, 89};
        case Spanish::game_type:
            return {4'534'642, 2'375'562, 5'508'428, 84};
        case Russian::game_type:
            return {4'818'786, 2'511'818, 5'088'028, 86};
        case Brazilian::game_type:
            return {4'816'132, 2'513'032, 5'089'468, 86};
        case Czech::game_type:
            return {4'525'766, 2'370'194, 5'522'672, 84};
        default:
            return {};
    }
}

}  // namespace

// The one test that solves so much: it takes seconds for each game.
TEMPLATE_TEST_CASE("the embedded databases are what the solver gives", "[egdb][truth]",
                   DEFIANCE_EVERY_GAME) {
    constexpr int threads = 2;
    const Endgames<TestType> endgames({});
    SolvedSlices slices;
    Truth found;
    std::uint64_t compared = 0;
    std::uint64_t positions = 0;
    for (int pieces = 2; pieces <= 4; ++pieces)
        for (const Material& material : materials_of(pieces)) {
            if (slices.find(material) == nullptr)
                solve_slices<TestType>(material, slices, {threads, true, nullptr});
            const SolvedSlice& slice = *slices.find(material);
            if (pieces == 4) add(slice, found);
            const defiance::Comparison comparison = compare_with(endgames, slice, threads);
            compared += comparison.compared;
            CHECK_FALSE(comparison.lacks_plies);
            positions += slice.index().size();
            if (comparison.difference)
                FAIL(to_text(material)
                     << ": " << to_fen(rules_of<TestType>, *comparison.difference));
        }
    CHECK(found == known_truth<TestType>());
    // What is kept are the quiet positions of one of two swapped materials.
    CHECK(compared > positions / 5);
    CHECK(compared < positions * 3 / 5);
}
