#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

#include <defiance/base/checksum.hpp>
#include <defiance/base/random.hpp>
#include <defiance/egdb/slice_index.hpp>

#include "egdb/build/ribbon_maker.hpp"
#include "egdb/codec/ribbon.hpp"

using namespace defiance;

namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<RibbonBit> any_bits(std::size_t number, std::uint64_t seed) {
    Random random(seed);
    std::vector<RibbonBit> bits(number);
    for (RibbonBit& bit : bits)
        bit = {random.next(), random.below(2) == 1};
    return bits;
}

Ribbon opened(const Bytes& bytes) {
    const auto ribbon = Ribbon::open(bytes);
    REQUIRE(ribbon);
    CHECK(ribbon->bytes == bytes.size());
    return ribbon->ribbon;
}

std::size_t wrong_bits(const Ribbon& ribbon, const std::vector<RibbonBit>& bits) {
    return static_cast<std::size_t>(std::ranges::count_if(
        bits, [&](const RibbonBit& bit) { return ribbon.bit(bit.key) != bit.bit; }));
}

}  // namespace

TEST_CASE("a ribbon answers every key with its bit", "[egdb]") {
    for (const std::size_t number : {0, 1, 2, 63, 500, 4096, 4097, 30'000}) {
        CAPTURE(number);
        const auto bits = any_bits(number, number);
        const auto bytes = make_ribbon(bits, 2);
        REQUIRE(bytes);
        CHECK(wrong_bits(opened(*bytes), bits) == 0);
    }
}

TEST_CASE("a ribbon takes hardly more than a bit for a key", "[egdb]") {
    const auto bytes = make_ribbon(any_bits(200'000, 1), 2);
    REQUIRE(bytes);
    CHECK(8.0 * static_cast<double>(bytes->size()) < 1.06 * 200'000);
    CHECK(8.0 * static_cast<double>(bytes->size()) > 1.00 * 200'000);
}

TEST_CASE("a ribbon does not depend on threads or the order of its bits", "[egdb]") {
    auto bits = any_bits(20'000, 2);
    const auto bytes = make_ribbon(bits, 1);
    CHECK(make_ribbon(bits, 3) == bytes);
    std::ranges::reverse(bits);
    CHECK(make_ribbon(bits, 2) == bytes);
    // The same on every machine, for all versions that write this format.
    CHECK(checksum(*bytes) == 0x81BD31BD);
}

TEST_CASE("a ribbon gives keys that it does not know both bits alike", "[egdb]") {
    const auto bytes = make_ribbon(any_bits(20'000, 3), 1);
    const Ribbon ribbon = opened(*bytes);
    Random random(99);
    int set = 0;
    for (int i = 0; i < 20'000; ++i)
        set += ribbon.bit(random.next()) ? 1 : 0;
    CHECK(set > 9'500);
    CHECK(set < 10'500);
}

TEST_CASE("what a ribbon cannot know is refused", "[egdb]") {
    auto bits = any_bits(100, 4);
    bits.push_back(bits.front());
    CHECK(make_ribbon(bits, 1));
    bits.back().bit = !bits.back().bit;
    CHECK_FALSE(make_ribbon(bits, 1));
}

TEST_CASE("a ribbon without shards says no", "[egdb]") {
    const auto bytes = make_ribbon({}, 1);
    REQUIRE(bytes);
    CHECK(*bytes == Bytes(4));
    CHECK_FALSE(opened(*bytes).bit(5));
    CHECK_FALSE(Ribbon().bit(5));
}

TEST_CASE("bytes that are no ribbon are refused or answer something", "[egdb]") {
    const Bytes bytes = *make_ribbon(any_bits(6'000, 5), 1);
    for (std::size_t size = 0; size < bytes.size(); ++size)
        if (Ribbon::open(std::span(bytes).first(size))) FAIL("cut off at " << size);
    Bytes longer = bytes;
    longer.push_back(1);
    REQUIRE(Ribbon::open(longer));
    CHECK(Ribbon::open(longer)->bytes == bytes.size());
    Random random(6);
    int opened_ones = 0;
    for (int round = 0; round < 3'000; ++round) {
        // Copied, so that the sanitizer sees any byte read beyond its end.
        Bytes damaged = bytes;
        for (int i = 0; i < 2; ++i)
            damaged[random.below(std::size_t{12})] ^=
                static_cast<std::uint8_t>(1U << random.below(8U));
        const auto ribbon = Ribbon::open(damaged);
        if (!ribbon) continue;
        ++opened_ones;
        for (int i = 0; i < 50; ++i)
            static_cast<void>(ribbon->ribbon.bit(random.next()));
    }
    CHECK(opened_ones > 0);
}

TEST_CASE("the positions of a slice have different keys", "[egdb]") {
    const SliceIndex index({1, 1, 1, 0});
    std::vector<std::uint64_t> keys;
    index.for_each(0, index.size(),
                   [&](std::uint64_t, const Position& p) { keys.push_back(ribbon_key(p, 0)); });
    std::ranges::sort(keys);
    CHECK(std::ranges::adjacent_find(keys) == keys.end());
    const Position p = index.at(5);
    CHECK(ribbon_key(p, 0) != ribbon_key(p, 1));
    // As docs/databases.md has it.
    CHECK(ribbon_key(Position{0x00000101, 0x80000000, 0x00000100, Side::black}, 3) ==
          0xE7FA2F037C63A259U);
}
