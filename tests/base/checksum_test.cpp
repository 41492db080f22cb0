#include <catch2/catch.hpp>

#include <numeric>
#include <string_view>
#include <vector>

#include <defiance/base/checksum.hpp>

using namespace defiance;

namespace {

std::vector<std::uint8_t> bytes_of(std::string_view text) {
    return {text.begin(), text.end()};
}

}  // namespace

TEST_CASE("checksums are those that others reckon", "[base]") {
    CHECK(checksum({}) == 0);
    CHECK(checksum(bytes_of("a")) == 0xE8B7BE43);
    CHECK(checksum(bytes_of("123456789")) == 0xCBF43926);
    CHECK(checksum(bytes_of("The quick brown fox jumps over the lazy dog")) == 0x414FA339);
    CHECK(checksum(std::vector<std::uint8_t>(32, 0)) == 0x190A55AD);
    CHECK(checksum(std::vector<std::uint8_t>(32, 255)) == 0xFF6CAB0B);
}

// The check value of RFC 3720 and others, and its example of zeros.
TEST_CASE("the Castagnoli checksum is that of iSCSI", "[base]") {
    CHECK(checksum_castagnoli({}) == 0);
    CHECK(checksum_castagnoli(bytes_of("123456789")) == 0xE3069283);
    CHECK(checksum_castagnoli(std::vector<std::uint8_t>(32, 0)) == 0x8A9136AA);
    CHECK(checksum_castagnoli(bytes_of("6789"), checksum_castagnoli(bytes_of("12345"))) ==
          0xE3069283);
}

// Eight bytes are taken at a step, so the place where one call ends matters.
TEST_CASE("a checksum can be reckoned in parts", "[base]") {
    std::vector<std::uint8_t> bytes(70);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{200});
    const std::uint32_t whole = checksum(bytes);
    const std::span<const std::uint8_t> all = bytes;
    for (std::size_t i = 0; i <= bytes.size(); ++i)
        for (std::size_t j = i; j <= bytes.size(); ++j) {
            const std::uint32_t first_two = checksum(all.subspan(i, j - i), checksum(all.first(i)));
            if (checksum(all.subspan(j), first_two) != whole) FAIL("split at " << i << ", " << j);
        }
    CHECK(whole != checksum(all.first(69)));
}

TEST_CASE("every single bit changes the checksum", "[base]") {
    std::vector<std::uint8_t> bytes(37, 77);
    const std::uint32_t whole = checksum(bytes);
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
        bytes[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
        CHECK(checksum(bytes) != whole);
        bytes[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    }
}
