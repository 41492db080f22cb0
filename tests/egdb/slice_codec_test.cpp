#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include "egdb/build/slice_packer.hpp"
#include "egdb/codec/dtw_codec.hpp"
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
    return {pack_slice<Rules>(slice, tree_for<Rules>(slice), threads),
            pack_dtw<Rules>(slice, threads)};
}

/// How many quiet positions are not what they were after packing and unpacking.
template <class Rules>
std::uint64_t changed(const SolvedSlice& slice, const Packed& bytes) {
    const SliceIndex& index = slice.index();
    const Result<PackedSlice> values = PackedSlice::open(index.material(), bytes.values);
    const Result<PackedDtw> plies = PackedDtw::open(index.material(), bytes.plies);
    REQUIRE(values);
    REQUIRE(plies);
    CHECK(values->blocks() == blocks_of(index));
    BlockValues block_values{};
    BlockDtw block_plies{};
    std::uint64_t faults = 0;
    index.for_each(0, index.size(), [&](std::uint64_t number, const Position& p) {
        const auto place = static_cast<std::size_t>(number % positions_per_block);
        if (place == 0) {
            values->template unpack<Rules>(number / positions_per_block, block_values);
            plies->template unpack<Rules>(number / positions_per_block, block_values, block_plies);
        }
        if (!is_quiet<Rules>(p)) return;
        const Wld value = slice.value(number);
        const int exact = value == Wld::draw ? drawn_dtw : slice.dtw(number);
        if (block_values[place] != static_cast<std::uint8_t>(value) || block_plies[place] != exact)
            ++faults;
    });
    return faults;
}

/// Unpacks what can be opened, as a probe would; how many values and plies make no sense.
template <class Rules>
std::uint64_t senseless(const Material& material, const Bytes& value_bytes,
                        const Bytes& ply_bytes) {
    const Result<PackedSlice> values = PackedSlice::open(material, value_bytes);
    const Result<PackedDtw> plies = PackedDtw::open(material, ply_bytes);
    std::uint64_t faults = 0;
    for (std::uint64_t block = 0; block < blocks_of(SliceIndex(material)); ++block) {
        BlockValues block_values{};
        if (values) values->template unpack<Rules>(block, block_values);
        for (const std::uint8_t value : block_values)
            if (value > static_cast<std::uint8_t>(Wld::loss)) ++faults;
        BlockDtw block_plies;
        block_plies.fill(drawn_dtw);
        if (plies) plies->template unpack<Rules>(block, block_values, block_plies);
        for (std::size_t i = 0; i < block_plies.size(); ++i)
            if (block_plies[i] != drawn_dtw &&
                block_plies[i] % 2 != (block_values[i] == static_cast<int>(Wld::win) ? 1 : 0))
                ++faults;
    }
    return faults;
}

}  // namespace

TEMPLATE_TEST_CASE("values and plies come back when they are packed", "[egdb]", English, Italian,
                   Spanish, Russian, Brazilian, Czech) {
    for (const Material& material :
         {Material{0, 1, 0, 1}, Material{1, 0, 0, 1}, Material{0, 2, 0, 1}, Material{1, 0, 1, 1},
          Material{2, 0, 1, 0}, Material{0, 1, 1, 1}}) {
        CAPTURE(to_text(material));
        const SolvedSlice& slice = *three_pieces<TestType>().find(material);
        const Packed bytes = packed<TestType>(slice);
        CHECK(changed<TestType>(slice, bytes) == 0);
        CHECK(bytes.values.size() < slice.index().size() / 8);
        CHECK(pack_slice<TestType>(slice, tree_for<TestType>(slice), 3) == bytes.values);
        CHECK(pack_dtw<TestType>(slice, 3) == bytes.plies);
    }
}

TEST_CASE("a block of one value takes no bytes of its own", "[egdb]") {
    const Material material = {0, 1, 0, 2};
    SolvedSlice slice(material);
    for (std::uint64_t number = 0; number < slice.index().size(); ++number)
        slice.set_value(number, Wld::win);
    const Bytes bytes = pack_slice<Russian>(slice, tree_for<Russian>(slice), 1);
    // The least tree there is takes nine bits.
    CHECK(bytes.size() == 2 + blocks_of(slice.index()));
    const Result<PackedSlice> opened = PackedSlice::open(material, bytes);
    REQUIRE(opened);
    for (std::uint64_t block = 0; block < opened->blocks(); ++block) {
        BlockValues values{};
        opened->unpack<Russian>(block, values);
        CHECK(std::count(values.begin(), values.end(), 1) == std::ssize(values));
    }
}

TEST_CASE("the size of packed values is estimated well", "[egdb]") {
    const SolvedSlice& slice = *three_pieces<English>().find({1, 1, 0, 1});
    const BuiltTree tree = tree_for<English>(slice);
    const double taken = 8.0 * static_cast<double>(pack_slice<English>(slice, tree, 1).size());
    CHECK(tree.bits == Approx(taken).epsilon(0.2));
}

TEST_CASE("plies that are too many for a byte are not packed", "[egdb]") {
    const SolvedSlice& solved = *three_pieces<English>().find({0, 2, 0, 1});
    SolvedSlice slice(solved.index().material());
    LargeArray<std::uint16_t> plies(slice.index().size());
    std::uint64_t longest = 0;
    for (std::uint64_t number = 0; number < slice.index().size(); ++number) {
        slice.set_value(number, solved.value(number));
        plies[number] = static_cast<std::uint16_t>(solved.dtw(number));
        if (solved.value(number) == Wld::win) longest = number;
    }
    const LargeArray<std::uint16_t> right = plies;
    plies[longest] = 253;
    slice.set_dtw(plies);
    CHECK(changed<English>(slice, packed<English>(slice)) == 0);
    plies[longest] = max_packed_dtw + 1;
    slice.set_dtw(plies);
    CHECK(pack_dtw<English>(slice, 2).empty());
    slice.set_dtw(right);
    CHECK_FALSE(pack_dtw<English>(slice, 2).empty());
}

TEMPLATE_TEST_CASE("packed values that are cut off or too long are refused", "[egdb]", English,
                   Russian) {
    for (const Material& material : {Material{0, 1, 0, 1}, Material{1, 0, 1, 0}}) {
        const SolvedSlice& slice = *three_pieces<TestType>().find(material);
        const Packed bytes = packed<TestType>(slice);
        for (std::size_t size = 0; size < bytes.values.size(); ++size) {
            const Bytes cut(bytes.values.begin(),
                            bytes.values.begin() + static_cast<std::ptrdiff_t>(size));
            if (PackedSlice::open(material, cut)) FAIL("cut off at " << size);
        }
        Bytes longer = bytes.values;
        longer.push_back(0);
        CHECK_FALSE(PackedSlice::open(material, longer));
        // Plies have no end that could be told; what is missing decodes to something.
        const std::uint64_t least = PackedDtw::contexts + 4 * blocks_of(slice.index());
        for (std::size_t size = 0; size < bytes.plies.size(); ++size) {
            const Bytes cut(bytes.plies.begin(),
                            bytes.plies.begin() + static_cast<std::ptrdiff_t>(size));
            if (static_cast<bool>(PackedDtw::open(material, cut)) != (size >= least))
                FAIL("plies cut off at " << size);
            if (size % 7 == 0) CHECK(senseless<TestType>(material, bytes.values, cut) == 0);
        }
    }
}

TEMPLATE_TEST_CASE("damaged values and plies do no harm", "[egdb]", English, Russian) {
    std::mt19937 random(1);
    for (const Material& material : {Material{0, 1, 0, 1}, Material{2, 0, 1, 0}}) {
        const Packed bytes = packed<TestType>(*three_pieces<TestType>().find(material));
        std::uint64_t faults = 0;
        const std::size_t step = material.total() == 2 ? 1 : 61;
        for (std::size_t bit = 0; bit < 8 * bytes.values.size(); bit += 3 * step) {
            Bytes flipped = bytes.values;
            flipped[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
            faults += senseless<TestType>(material, flipped, bytes.plies);
        }
        for (std::size_t bit = 0; bit < 8 * bytes.plies.size(); bit += 11 * step) {
            Bytes flipped = bytes.plies;
            flipped[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
            faults += senseless<TestType>(material, bytes.values, flipped);
        }
        for (int round = 0; round < 100; ++round) {
            Bytes any(random() % 500);
            for (std::uint8_t& byte : any)
                byte = static_cast<std::uint8_t>(random());
            faults += senseless<TestType>(material, round % 2 == 0 ? any : bytes.values, any);
        }
        CHECK(faults == 0);
    }
}

TEST_CASE("packed values of another slice are refused or harmless", "[egdb]") {
    const SolvedSlice& two_kings = *three_pieces<English>().find({0, 1, 0, 1});
    const Bytes bytes = pack_slice<English>(two_kings, tree_for<English>(two_kings), 1);
    // More blocks than there are bytes.
    CHECK_FALSE(PackedSlice::open({2, 2, 2, 2}, bytes));
    CHECK_FALSE(PackedSlice::open({0, 2, 0, 1}, bytes));
    CHECK_FALSE(PackedDtw::open({2, 2, 2, 2}, bytes));
    CHECK_FALSE(PackedSlice::open({0, 1, 0, 1}, {}));
}
