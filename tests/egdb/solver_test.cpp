#include <catch2/catch.hpp>

#include <defiance/egdb/build.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>

#include "../every_game.hpp"
#include "solved.hpp"

using namespace defiance;

namespace {

struct Counts {
    std::uint64_t win = 0;
    std::uint64_t loss = 0;
    std::uint64_t draw = 0;
    int longest = 0;  ///< plies, of wins and losses

    bool operator==(const Counts&) const = default;
};

/// Of all positions of so many pieces, with both colours to move.
Counts counts_of(const SolvedSlices& slices, int pieces) {
    Counts counts;
    for (const Material& material : materials_of(pieces)) {
        const SolvedSlice& slice = *slices.find(material);
        for (std::uint64_t number = 0; number < slice.index().size(); ++number) {
            const Wld value = slice.value(number);
            (value == Wld::win ? counts.win : value == Wld::loss ? counts.loss : counts.draw) += 2;
            if (value != Wld::draw) counts.longest = std::max(counts.longest, slice.dtw(number));
        }
    }
    return counts;
}

struct Found {
    Wld value;
    int plies;
};

template <class Rules>
Found look_up(std::string_view fen) {
    const Result<Position> position = parse_fen(rules_of<Rules>, fen);
    REQUIRE(position);
    const Position seen = with_black_to_move(*position);
    const SolvedSlice* slice = three_pieces<Rules>().find(material_of(seen));
    REQUIRE(slice != nullptr);
    const std::uint64_t number = slice->index().rank(seen);
    return {slice->value(number), slice->dtw(number)};
}

}  // namespace

// Counts and longest wins from a solver of others, those of English from Kingsrow's databases too.
TEST_CASE("the values of up to three pieces are those that others have found", "[egdb]") {
    CHECK(counts_of(three_pieces<English>(), 2) == Counts{1432, 804, 4740, 13});
    CHECK(counts_of(three_pieces<English>(), 3) == Counts{200500, 174610, 16954, 62});
    const auto three = [](const SolvedSlices& slices) {
        Counts counts = counts_of(slices, 3);
        counts.longest = 0;
        return counts;
    };
    CHECK(three(three_pieces<Italian>()) == Counts{192232, 165424, 34408, 0});
    CHECK(three(three_pieces<Spanish>()) == Counts{126014, 61566, 204484, 0});
    CHECK(three(three_pieces<Czech>()) == Counts{126014, 61566, 204484, 0});
    CHECK(three(three_pieces<Russian>()) == Counts{134950, 66826, 190288, 0});
    CHECK(three(three_pieces<Brazilian>()) == Counts{134922, 66826, 190316, 0});
}

TEMPLATE_TEST_CASE("every value follows from the moves of its position", "[egdb]",
                   DEFIANCE_EVERY_GAME) {
    for (int pieces = 2; pieces <= 3; ++pieces)
        for (const Material& material : materials_of(pieces))
            CHECK_FALSE(find_unproven<TestType>(three_pieces<TestType>(), material, 2));
}

TEST_CASE("values without plies are the same", "[egdb]") {
    SolvedSlices slices;
    for (int pieces = 2; pieces <= 3; ++pieces)
        for (const Material& material : materials_of(pieces))
            if (slices.find(material) == nullptr)
                solve_slices<Russian>(material, slices, {1, false});
    std::uint64_t differences = 0;
    for (const auto& [material, slice] : slices.all()) {
        const SolvedSlice& other = *three_pieces<Russian>().find(material);
        for (std::uint64_t number = 0; number < slice->index().size(); ++number)
            if (slice->value(number) != other.value(number)) ++differences;
        CHECK_FALSE(slice->has_dtw());
    }
    CHECK(differences == 0);
}

TEST_CASE("a wrong value is not proven", "[egdb]") {
    SolvedSlices slices;
    const Material kings = {0, 1, 0, 1};
    solve_slices<English>(kings, slices, {1, false});
    CHECK_FALSE(find_unproven<English>(slices, kings, 1));
    auto forged = std::make_unique<SolvedSlice>(kings);
    for (std::uint64_t number = 0; number < forged->index().size(); ++number)
        forged->set_value(number, slices.find(kings)->value(number));
    const std::uint64_t drawn = [&] {
        std::uint64_t number = 0;
        while (forged->value(number) != Wld::draw)
            ++number;
        return number;
    }();
    forged->set_value(drawn, Wld::loss);
    slices.add(std::move(forged));
    CHECK(find_unproven<English>(slices, kings, 1));
}

TEST_CASE("slices are found by their material as long as they are kept", "[egdb]") {
    SolvedSlices slices;
    const Material pair = {1, 0, 0, 1};
    for (const Material& m : {Material{0, 1, 0, 1}, pair, pair.swapped(), Material{1, 2, 3, 2}})
        CHECK(slices.find(m) == nullptr);
    for (const Material& m : {Material{0, 1, 0, 1}, pair, pair.swapped()}) {
        slices.add(std::make_unique<SolvedSlice>(m));
        REQUIRE(slices.find(m) != nullptr);
        CHECK(slices.find(m)->index().material() == m);
        CHECK(slices.find(m) == slices.all().at(m).get());
    }
    auto other = std::make_unique<SolvedSlice>(pair);
    const SolvedSlice* const address = other.get();
    slices.add(std::move(other));
    CHECK(slices.find(pair) == address);
    slices.keep([&](const Material& m) { return m == pair; });
    CHECK(slices.all().size() == 1);
    CHECK(slices.find(pair) == address);
    CHECK(slices.find(pair.swapped()) == nullptr);
    const SolvedSlices moved = std::move(slices);
    CHECK(moved.find(pair) == address);
}

TEST_CASE("endings every player knows", "[egdb]") {
    // Two kings beat one that is not in the double corner; in it they need the longest.
    CHECK(look_up<English>("W:WK18,K15:BK1").value == Wld::win);
    CHECK(look_up<English>("W:WK14:BK1").value == Wld::draw);
    // Its only step is into a capture.
    const Found last_step = look_up<English>("B:B21:W29");
    CHECK(last_step.value == Wld::loss);
    CHECK(last_step.plies == 2);
    // Who cannot move has lost at once.
    const Found blocked = look_up<English>("B:W16,19:B12");
    CHECK(blocked.value == Wld::loss);
    CHECK(blocked.plies == 0);
    const Found capture = look_up<English>("W:W18:B15");
    CHECK(capture.value == Wld::win);
    CHECK(capture.plies == 1);
    // One flying king holds the main road against two.
    CHECK(look_up<Russian>("W:WKa3,Kc1:BKh8").value == Wld::draw);
}
