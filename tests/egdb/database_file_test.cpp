#include <catch2/catch.hpp>

#include <defiance/base/checksum.hpp>
#include <defiance/egdb/database_file.hpp>

using namespace defiance;
using namespace defiance::database_file;

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr Identity english = {21, 0x12345678};
constexpr std::size_t head_size = 32;
constexpr std::size_t entry_size = 28;

const Bytes some_values = {1, 2, 3, 4, 5};
const Bytes some_plies = {255, 0, 0};

Bytes sample_file() {
    return assemble(english, {{{1, 2, 0, 3}, Content::values, 0, some_values},
                              {{1, 2, 0, 3}, Content::dtw, 0, some_plies},
                              {{0, 1, 0, 1}, Content::values, 0, {}}});
}

/// Puts in the checksum of head and list as they are now, so that only their meaning is wrong.
void sign(Bytes& bytes, std::size_t parts = 3) {
    for (std::size_t i = 28; i < 32; ++i)
        bytes[i] = 0;
    const std::uint32_t sum =
        checksum(std::span<const std::uint8_t>(bytes).first(head_size + parts * entry_size));
    for (std::size_t i = 0; i < 4; ++i)
        bytes[28 + i] = static_cast<std::uint8_t>(sum >> (8 * i));
}

std::string why_refused(const Bytes& bytes, const Identity& identity = english) {
    const auto parts = parts_of(bytes, identity);
    return parts ? "it is not" : parts.error();
}

/// Why the sample is refused when some bytes of its list are these and it is signed anew.
std::string why_refused_with(std::size_t at, const Bytes& changed) {
    Bytes bytes = sample_file();
    std::copy(changed.begin(), changed.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    sign(bytes);
    return why_refused(bytes);
}

bool equal(std::span<const std::uint8_t> a, const Bytes& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

TEST_CASE("the parts of a database file come back", "[egdb]") {
    const Bytes bytes = sample_file();
    CHECK(bytes.size() == head_size + 3 * entry_size + 8);
    CHECK(std::string(bytes.begin(), bytes.begin() + 8) == "DEFIEGDB");
    const auto parts = parts_of(bytes, english);
    REQUIRE(parts);
    REQUIRE(parts->size() == 3);
    const DatabasePart& values = (*parts)[0];
    const DatabasePart& plies = (*parts)[1];
    const DatabasePart& empty = (*parts)[2];
    CHECK(values.material == Material{1, 2, 0, 3});
    CHECK(values.content == Content::values);
    CHECK(equal(values.bytes, some_values));
    CHECK(plies.material == Material{1, 2, 0, 3});
    CHECK(plies.content == Content::dtw);
    CHECK(equal(plies.bytes, some_plies));
    CHECK(empty.material == Material{0, 1, 0, 1});
    CHECK(empty.bytes.empty());
    for (const DatabasePart& part : *parts)
        CHECK(is_intact(part));

    const auto nothing = parts_of(assemble(english, {}), english);
    REQUIRE(nothing);
    CHECK(nothing->empty());
}

// The layout that the header promises: files made today are read by later versions.
TEST_CASE("a database file is laid out as promised", "[egdb]") {
    const Bytes part = {9, 8};
    const Bytes bytes = assemble({26, 0x0A0B0C0D}, {{{1, 0, 2, 3}, Content::dtw, 0, part}});
    const std::uint32_t sum = checksum(part);
    const auto byte = [](std::uint32_t number, int i) {
        return static_cast<std::uint8_t>(number >> (8 * i));
    };
    Bytes expected = {'D',
                      'E',
                      'F',
                      'I',
                      'E',
                      'G',
                      'D',
                      'B',
                      2,
                      0,
                      26,
                      0,
                      13,
                      12,
                      11,
                      10,
                      1,
                      0,
                      0,
                      0,
                      62,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      1,
                      0,
                      2,
                      3,
                      1,
                      0,
                      0,
                      0,
                      byte(sum, 0),
                      byte(sum, 1),
                      byte(sum, 2),
                      byte(sum, 3),
                      60,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      2,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      9,
                      8};
    sign(expected, 1);
    CHECK(bytes == expected);
}

TEST_CASE("what is no database file of this game is refused", "[egdb]") {
    const Bytes bytes = sample_file();
    CHECK(why_refused(bytes) == "it is not");
    CHECK(why_refused({}) == "it is no endgame database of Defiance");
    CHECK(why_refused(Bytes(1000)) == "it is no endgame database of Defiance");
    CHECK(why_refused_with(7, {'C'}) == "it is no endgame database of Defiance");
    CHECK(why_refused_with(8, {1}) == "it has the format version 1, not 2");
    CHECK(why_refused_with(8, {0, 1}) == "it has the format version 256, not 2");
    CHECK(why_refused_with(10, {26}) == "it is for another game (type 26)");
    CHECK(why_refused(bytes, {25, english.rules_fingerprint}) ==
          "it is for another game (type 21)");
    CHECK(why_refused(bytes, {21, 0x12345679}) == "it was made under other rules");
    CHECK(why_refused_with(15, {0x13}) == "it was made under other rules");
}

TEST_CASE("a database file that is cut off or too long is refused", "[egdb]") {
    const Bytes bytes = sample_file();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK(why_refused(cut) == (size < head_size ? "it is no endgame database of Defiance"
                                                    : "it is cut off or too long"));
    }
    Bytes longer = bytes;
    longer.push_back(0);
    CHECK(why_refused(longer) == "it is cut off or too long");
    // More parts than the file has room for, or any.
    CHECK(why_refused_with(16, {4}) == "it is cut off or too long");
    CHECK(why_refused_with(16, {0, 16}) == "it is cut off or too long");
    CHECK(why_refused_with(16, {255, 255, 255, 255}) == "it is cut off or too long");
}

TEST_CASE("a changed list of contents is refused", "[egdb]") {
    const Bytes bytes = sample_file();
    for (std::size_t at = 0; at < head_size + 3 * entry_size; ++at)
        for (int bit = 0; bit < 8; ++bit) {
            Bytes flipped = bytes;
            flipped[at] ^= static_cast<std::uint8_t>(1 << bit);
            if (why_refused(flipped) == "it is not") FAIL("byte " << at << ", bit " << bit);
            if (at >= 28) CHECK(why_refused(flipped) == "its list of contents is damaged");
        }
}

TEST_CASE("a list of contents that makes no sense is refused", "[egdb]") {
    const std::string senseless = "its list of contents makes no sense";
    const std::size_t entry = head_size + entry_size;
    CHECK(why_refused_with(entry, {1, 2, 0, 3, 1}) == "it is not");
    // A side without pieces, too many of them, a content that there is not.
    CHECK(why_refused_with(entry, {0, 0, 0, 3}) == senseless);
    CHECK(why_refused_with(entry, {1, 2, 0, 0}) == senseless);
    CHECK(why_refused_with(entry, {3, 3, 0, 3}) == senseless);
    CHECK(why_refused_with(entry, {1, 255, 0, 1}) == senseless);
    CHECK(why_refused_with(entry + 4, {2}) == senseless);
    // A place or a size beyond the end, also such whose sum is within it.
    CHECK(why_refused_with(entry + 12, {125}) == senseless);
    CHECK(why_refused_with(entry + 20, {4}) == senseless);
    CHECK(why_refused_with(entry + 12, {0, 1}) == senseless);
    CHECK(why_refused_with(entry + 12, Bytes(8, 255)) == senseless);
    CHECK(why_refused_with(entry + 20, Bytes(8, 255)) == senseless);
    CHECK(why_refused_with(entry + 19, {1}) == senseless);
    CHECK(why_refused_with(entry + 27, {1}) == senseless);
}

TEST_CASE("a part that has changed is not intact", "[egdb]") {
    const Bytes bytes = sample_file();
    const std::size_t data = head_size + 3 * entry_size;
    for (std::size_t bit = 0; bit < 8 * 8; ++bit) {
        Bytes flipped = bytes;
        flipped[data + bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
        const auto parts = parts_of(flipped, english);
        REQUIRE(parts);
        const bool is_in_values = bit < 8 * some_values.size();
        CHECK(is_intact((*parts)[0]) != is_in_values);
        CHECK(is_intact((*parts)[1]) == is_in_values);
        CHECK(is_intact((*parts)[2]));
    }
}
