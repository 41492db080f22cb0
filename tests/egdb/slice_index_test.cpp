#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include <defiance/egdb/slice_index.hpp>

using namespace defiance;

TEST_CASE("the materials of some pieces come in an order that can be solved", "[egdb]") {
    CHECK(materials_of(2).size() == 4);
    for (int pieces = 2; pieces <= 6; ++pieces) {
        const std::vector<Material> materials = materials_of(pieces);
        for (std::size_t i = 0; i < materials.size(); ++i) {
            const Material& m = materials[i];
            CHECK(m.total() == pieces);
            CHECK((m.own() > 0 && m.theirs() > 0));
            CHECK(std::count(materials.begin(), materials.end(), m) == 1);
            CHECK(std::count(materials.begin(), materials.end(), m.swapped()) == 1);
            if (i > 0) CHECK(materials[i - 1].men() <= m.men());
        }
    }
}

TEST_CASE("every position has a number of its own, without gaps", "[egdb]") {
    std::uint64_t faults = 0;
    for (int pieces = 2; pieces <= 3; ++pieces)
        for (const Material& material : materials_of(pieces)) {
            const SliceIndex index(material);
            std::uint64_t expected = 0;
            index.for_each(0, index.size(), [&](std::uint64_t number, const Position& p) {
                const bool is_right = number == expected++ && index.rank(p) == number &&
                                      index.at(number) == p && material_of(p) == material &&
                                      !find_fault(p) && p.side == Side::black;
                if (!is_right) ++faults;
            });
            CHECK(expected == index.size());
        }
    CHECK(faults == 0);
}

TEST_CASE("materials have places of their own in a table", "[egdb]") {
    std::set<std::size_t> taken;
    std::size_t materials = 0;
    for (int pieces = 2; pieces <= SliceIndex::max_pieces; ++pieces)
        for (const Material& material : materials_of(pieces)) {
            ++materials;
            CHECK(place_of(material) < material_places);
            taken.insert(place_of(material));
        }
    CHECK(taken.size() == materials);
}

// Numbers of positions with both sides to move, from two independent solvers.
TEST_CASE("there are as many positions as others have counted", "[egdb]") {
    const std::uint64_t known[] = {6976, 392064, 12418632, 278901616};
    for (int pieces = 2; pieces <= 5; ++pieces) {
        std::uint64_t positions = 0;
        for (const Material& material : materials_of(pieces))
            positions += SliceIndex(material).size();
        CHECK(2 * positions == known[pieces - 2]);
    }
}

TEST_CASE("large materials are numbered too, wherever one begins", "[egdb]") {
    for (const Material& material :
         {Material{3, 1, 2, 2}, Material{0, 5, 0, 3}, Material{4, 0, 4, 0}, Material{1, 0, 7, 0},
          Material{5, 0, 0, 1}}) {
        const SliceIndex index(material);
        const std::uint64_t step = index.size() / 997 + 1;
        std::uint64_t faults = 0;
        for (std::uint64_t begin = 0; begin < index.size(); begin += step) {
            std::uint64_t expected = begin;
            const std::uint64_t end = std::min(begin + 50, index.size());
            index.for_each(begin, end, [&](std::uint64_t number, const Position& p) {
                if (number != expected++ || index.rank(p) != number || !(index.at(number) == p) ||
                    !(material_of(p) == material) || find_fault(p))
                    ++faults;
            });
            if (expected != end) ++faults;
        }
        CHECK(faults == 0);
    }
}

TEST_CASE("a position with white to move is seen from the other side", "[egdb]") {
    const Position black_to_move = {bit(1), bit(30) | bit(20), bit(20), Side::black};
    CHECK(with_black_to_move(black_to_move) == black_to_move);
    CHECK(with_black_to_move(flipped(black_to_move)) == black_to_move);
    CHECK(material_of(black_to_move) == Material{1, 0, 1, 1});
}
