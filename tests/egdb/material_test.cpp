#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>

#include <defiance/egdb/material.hpp>
#include <defiance/egdb/slice_index.hpp>
#include <defiance/rules/generator.hpp>

#include "../every_game.hpp"

using namespace defiance;

namespace {

/// Everything that moves make of the positions of a material, but for itself swapped and the end.
template <class Rules>
std::set<Material> reached_from(const Material& material) {
    std::set<Material> reached;
    const SliceIndex index(material);
    index.for_each(0, index.size(), [&](std::uint64_t, const Position& p) {
        MoveList moves;
        generate_moves<Rules>(p, moves);
        for (const Move& move : moves)
            reached.insert(material_of(with_black_to_move(after<Rules>(p, move))));
    });
    std::erase_if(reached, [&](const Material& m) {
        return m == material.swapped() || m.own() == 0 || m.theirs() == 0;
    });
    return reached;
}

}  // namespace

TEMPLATE_TEST_CASE("moves lead to the materials that are listed", "[egdb]", DEFIANCE_EVERY_GAME) {
    for (int pieces = 2; pieces <= 3; ++pieces)
        for (const Material& material : materials_of(pieces)) {
            CAPTURE(to_text(material));
            const std::vector<Material> list = successors_of(material);
            const std::set<Material> listed(list.begin(), list.end());
            CHECK(listed.size() == list.size());
            const std::set<Material> reached = reached_from<TestType>(material);
            // Italian men take no kings.
            if (TestType::game_type != Italian::game_type)
                CHECK(reached == listed);
            else
                CHECK(std::includes(listed.begin(), listed.end(), reached.begin(), reached.end()));
        }
}

TEST_CASE("Italian men leave kings alone", "[egdb][italian]") {
    CHECK(reached_from<Italian>({1, 0, 0, 2}) == std::set<Material>{{0, 2, 0, 1}});
    CHECK(reached_from<English>({1, 0, 0, 2}).size() == 3);
}

TEST_CASE("what a move makes of a material comes before it", "[egdb]") {
    std::set<Material> solved;
    for (int pieces = 2; pieces <= 6; ++pieces)
        for (const Material& material : materials_of(pieces)) {
            for (const Material& m : {material, material.swapped()})
                for (const Material& next : successors_of(m))
                    if (!solved.contains(next)) FAIL(to_text(m) << " before " << to_text(next));
            solved.insert(material);
            // The two of a pair are solved together.
            solved.insert(material.swapped());
        }
}

TEST_CASE("a material is read as it is written", "[egdb]") {
    CHECK(to_text(Material{2, 1, 0, 3}) == "2m1k-0m3k");
    for (int pieces = 2; pieces <= SliceIndex::max_pieces; ++pieces)
        for (const Material& material : materials_of(pieces))
            if (parse_material(to_text(material)) != material) FAIL(to_text(material));
    CHECK(parse_material("9m3k-3m9k") == Material{9, 3, 3, 9});
}

TEST_CASE("what is no material is not read", "[egdb]") {
    for (const char* text :
         {"",           "2m1k",      "2m1k-",     "2m1k-0m3",  "2m1k-0m3k ", " 2m1k-0m3k",
          "2m1k-0m3k2", "2M1K-0M3K", "2k1m-0k3m", "2m1k_0m3k", "am1k-0m3k",  "2m1k-0m:k",
          "2m1k-0m/k",  "-m1k-0m3k", "2m-1k0m3k", "+m1k-0m3k", "0m0k-1m0k",  "1m0k-0m0k",
          "9m4k-1m0k",  "1m0k-4m9k", "12m0k-1m0k"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_material(text));
    }
    std::string text = "2m1k-0m3k";
    CHECK(parse_material(text));
    for (std::size_t at = 0; at < text.size(); ++at)
        for (const char c : {'\0', '\xFF', '\xB2', '\n'}) {
            std::string hostile = text;
            hostile[at] = c;
            CHECK_FALSE(parse_material(hostile));
        }
    CHECK_FALSE(parse_material(text + std::string(1000, 'k')));
}
