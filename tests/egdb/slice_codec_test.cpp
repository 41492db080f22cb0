#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include "../every_game.hpp"
#include "egdb/build/slice_packer.hpp"
#include "egdb/codec/dtw_codec.hpp"
#include "egdb/codec/slice_codec.hpp"
#include "solved.hpp"

using namespace defiance;

namespace {

using Bytes = std::vector<std::uint8_t>;

struct Packed {
    Bytes values;
    Bytes plies;
};

template <class Rules>
Packed packed(const SolvedSlice& slice, int threads = 1) {
    return {pack_slice<Rules>(slice, tree_for<Rules>(slice), {threads}),
            pack_dtw<Rules>(slice, threads)};
}

/// How many quiet positions are not what they were before they were packed.
template <class Rules>
std::uint64_t changed(const SolvedSlice& slice, const Packed& bytes) {
    const Result<PackedSlice> values = PackedSlice::open(bytes.values);
    const Result<PackedDtw> plies = PackedDtw::open(bytes.plies);
    REQUIRE(values);
    REQUIRE(plies);
    std::uint64_t faults = 0;
    slice.index().for_each(0, slice.index().size(), [&](std::uint64_t number, const Position& p) {
        if (!is_quiet<Rules>(p)) return;
        const Wld value = slice.value(number);
        if (values->template value<Rules>(p) != value ||
            (value != Wld::draw && plies->plies(p, value) != slice.dtw(number)))
            ++faults;
    });
    return faults;
}

/// Asks what can be opened for every `step`-th position; how many values and plies make no sense.
template <class Rules>
std::uint64_t senseless(const Material& material, const Bytes& value_bytes, const Bytes& ply_bytes,
                        std::uint64_t step) {
    const Result<PackedSlice> values = PackedSlice::open(value_bytes);
    const Result<PackedDtw> plies = PackedDtw::open(ply_bytes);
    const SliceIndex index(material);
    std::uint64_t faults = 0;
    for (std::uint64_t number = 0; number < index.size(); number += step) {
        const Position p = index.at(number);
        if (!is_quiet<Rules>(p)) continue;
        if (values && values->template value<Rules>(p) > Wld::loss) ++faults;
        if (plies && (plies->plies(p, Wld::win) % 2 != 1 || plies->plies(p, Wld::loss) % 2 != 0))
            ++faults;
    }
    return faults;
}

}  // namespace

TEMPLATE_TEST_CASE("values and plies come back when they are packed", "[egdb]",
                   DEFIANCE_EVERY_GAME) {
    for (const Material& material :
         {Material{0, 1, 0, 1}, Material{1, 0, 0, 1}, Material{0, 2, 0, 1}, Material{1, 0, 1, 1},
          Material{2, 0, 1, 0}, Material{0, 1, 1, 1}}) {
        CAPTURE(to_text(material));
        const SolvedSlice& slice = *three_pieces<TestType>().find(material);
        const Packed bytes = packed<TestType>(slice);
        CHECK(changed<TestType>(slice, bytes) == 0);
        CHECK(bytes.values.size() < 50 + slice.index().size() / 8);
        CHECK(pack_slice<TestType>(slice, tree_for<TestType>(slice), {3}) == bytes.values);
        CHECK(pack_dtw<TestType>(slice, 3) == bytes.plies);
    }
}

TEST_CASE("a slice of one value takes hardly any bytes", "[egdb]") {
    const Material material = {0, 1, 0, 2};
    SolvedSlice slice(material);
    for (std::uint64_t number = 0; number < slice.index().size(); ++number)
        slice.set_value(number, Wld::win);
    const Bytes bytes = pack_slice<Russian>(slice, tree_for<Russian>(slice), {1});
    // The seed, a tree of one leaf, two ribbons without shards.
    CHECK(bytes.size() == 1 + (2 + 3) + 4 + 4);
    const Result<PackedSlice> opened = PackedSlice::open(bytes);
    REQUIRE(opened);
    CHECK(opened->value<Russian>(slice.index().at(7)) == Wld::win);
}

// The tree is built from a sample of large slices, so a value may turn up that no example had.
TEST_CASE("a value that the tree has not seen is kept", "[egdb]") {
    const SolvedSlice& solved = *three_pieces<English>().find({1, 1, 0, 1});
    const SliceIndex& index = solved.index();
    SolvedSlice slice(index.material());
    SolvedSlice with_exceptions(index.material());
    std::uint64_t quiet = 0;
    index.for_each(0, index.size(), [&](std::uint64_t number, const Position& p) {
        slice.set_value(number, Wld::win);
        const bool is_exception = is_quiet<English>(p) && ++quiet % 1000 == 0;
        with_exceptions.set_value(number, is_exception ? Wld::loss : Wld::win);
    });
    const TreeDraft tree = tree_for<English>(slice);
    CHECK(tree.leaves.size() == 1);
    const Bytes bytes = pack_slice<English>(with_exceptions, tree, {1});
    const Result<PackedSlice> values = PackedSlice::open(bytes);
    REQUIRE(values);
    std::uint64_t faults = 0;
    index.for_each(0, index.size(), [&](std::uint64_t number, const Position& p) {
        if (is_quiet<English>(p) && values->value<English>(p) != with_exceptions.value(number))
            ++faults;
    });
    CHECK(faults == 0);
    CHECK(quiet > 1000);
}

TEST_CASE("the size of packed values and plies is estimated well", "[egdb]") {
    const SolvedSlice& slice = *three_pieces<English>().find({1, 1, 0, 1});
    const TreeDraft tree = tree_for<English>(slice);
    const Packed bytes = packed<English>(slice);
    // The heads and the ends of two ribbons come on top.
    constexpr double bits_of_ribbons = 8 * 2 * (8 + 8);
    CHECK(tree.bits + bits_of_ribbons ==
          Approx(8.0 * static_cast<double>(bytes.values.size())).epsilon(0.2));
    CHECK(static_cast<double>(bits_of_dtw<English>(slice).value_or(0)) ==
          Approx(8.0 * static_cast<double>(bytes.plies.size())).epsilon(0.1));
}

TEST_CASE("plies that are too many for a byte are not packed", "[egdb]") {
    const SolvedSlice& solved = *three_pieces<English>().find({0, 2, 0, 1});
    SolvedSlice slice(solved.index().material());
    LargeArray<std::uint16_t> plies(slice.index().size());
    std::uint64_t longest = 0;
    slice.index().for_each(0, slice.index().size(), [&](std::uint64_t number, const Position& p) {
        slice.set_value(number, solved.value(number));
        plies[number] = static_cast<std::uint16_t>(solved.dtw(number));
        if (solved.value(number) == Wld::win && is_quiet<English>(p)) longest = number;
    });
    plies[longest] = max_packed_dtw;
    slice.set_dtw(plies);
    CHECK(changed<English>(slice, packed<English>(slice)) == 0);
    CHECK(bits_of_dtw<English>(slice).has_value());
    plies[longest] = max_packed_dtw + 2;
    slice.set_dtw(plies);
    CHECK(pack_dtw<English>(slice, 2).empty());
    CHECK_FALSE(bits_of_dtw<English>(slice));
}

TEMPLATE_TEST_CASE("packed values that are cut off or too long are refused", "[egdb]", English,
                   Russian) {
    for (const Material& material : {Material{0, 1, 0, 1}, Material{1, 0, 1, 0}}) {
        const Packed bytes = packed<TestType>(*three_pieces<TestType>().find(material));
        for (std::size_t size = 0; size < bytes.values.size(); ++size)
            if (PackedSlice::open(std::span(bytes.values).first(size))) FAIL("cut off at " << size);
        for (std::size_t size = 0; size < bytes.plies.size(); ++size)
            if (PackedDtw::open(std::span(bytes.plies).first(size))) FAIL("cut off at " << size);
        for (Bytes longer : {bytes.values, bytes.plies}) {
            longer.push_back(0);
            CHECK_FALSE(PackedSlice::open(longer));
            CHECK_FALSE(PackedDtw::open(longer));
        }
    }
}

TEMPLATE_TEST_CASE("damaged values and plies do no harm", "[egdb]", English, Russian) {
    std::mt19937 random(1);
    for (const Material& material : {Material{0, 1, 0, 1}, Material{2, 0, 1, 0}}) {
        const Packed bytes = packed<TestType>(*three_pieces<TestType>().find(material));
        std::uint64_t faults = 0;
        const std::size_t step = material.total() == 2 ? 1 : 61;
        const auto some = [&] { return 1 + random() % (material.total() == 2 ? 30 : 2000); };
        for (std::size_t bit = 0; bit < 8 * bytes.values.size(); bit += 3 * step) {
            Bytes flipped = bytes.values;
            flipped[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
            faults += senseless<TestType>(material, flipped, bytes.plies, some());
        }
        for (std::size_t bit = 0; bit < 8 * bytes.plies.size(); bit += 11 * step) {
            Bytes flipped = bytes.plies;
            flipped[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
            faults += senseless<TestType>(material, bytes.values, flipped, some());
        }
        for (int round = 0; round < 100; ++round) {
            Bytes any(random() % 500);
            for (std::uint8_t& byte : any)
                byte = static_cast<std::uint8_t>(random());
            faults += senseless<TestType>(material, any, any, 50);
        }
        CHECK(faults == 0);
    }
}
