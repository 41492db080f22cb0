#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

#include <defiance/base/file.hpp>
#include <defiance/egdb/build.hpp>

#include "../base/temporary.hpp"
#include "solved.hpp"

using namespace defiance;

namespace {

std::string slice_in(const TemporaryFolder& folder) {
    return folder.path() + path_separator + "slice";
}

}  // namespace

TEST_CASE("solved slices are kept byte for byte as they ever were", "[egdb]") {
    const TemporaryFolder folder;
    const std::string path = slice_in(folder);
    const database_file::Identity who = {29, 0x12345678};
    const Material material = {0, 1, 0, 1};
    const bool has_dtw = GENERATE(false, true);
    SolvedSlice slice(material);
    slice.set_value(0, Wld::win);
    slice.set_value(1, Wld::loss);
    slice.set_value(5, Wld::win);
    std::string golden = has_dtw ? "DEFIPLYS" : "DEFIFULL";
    golden += std::string("\x1D\0\0\0\x78\x56\x34\x12\0\1\0\1", 12);
    golden += has_dtw ? "\x3E\xFF\xE9\x9E" : "\x21\x45\xDE\x8A";
    golden += "\x09\x04" + std::string(246, '\0');
    if (has_dtw) {
        LargeArray<std::uint16_t> plies(slice.index().size());
        plies[0] = 7;
        plies[1] = 258;
        plies[5] = 9;
        slice.set_dtw(std::move(plies));
        golden += std::string("\7\0\2\1\0\0\0\0\0\0\x09", 11) + std::string(1973, '\0');
    }
    REQUIRE_FALSE(save_solved(path, who, slice));
    CHECK(*read_file(path) == golden);
    CHECK(load_solved(path, who, material));
    // A format to come.
    for (const std::size_t at : {std::size_t{10}, std::size_t{11}}) {
        std::string later = golden;
        later[at] = 1;
        folder.write("slice", later + "more");
        const auto refused = load_solved(path, who, material);
        REQUIRE_FALSE(refused);
        CHECK(refused.error() ==
              path + ": it has the format version " + (at == 10 ? "1" : "256") + ", not 0");
    }
}

TEST_CASE("solved slices are kept in files", "[egdb]") {
    const TemporaryFolder folder;
    const Material material = {1, 0, 0, 2};
    const std::string path = slice_in(folder);
    const SolvedSlice& with_dtw = *three_pieces<Czech>().find(material);
    SolvedSlice without_plies(material);
    std::ranges::copy(with_dtw.packed(), without_plies.packed().begin());
    const bool has_dtw = GENERATE(true, false);
    const SolvedSlice& slice = has_dtw ? with_dtw : without_plies;
    REQUIRE_FALSE(save_solved(path, identity<Czech>(), slice));
    const auto loaded = load_solved(path, identity<Czech>(), material);
    REQUIRE(loaded);
    CHECK(std::ranges::equal((*loaded)->packed(), slice.packed()));
    CHECK((*loaded)->index().material() == material);
    CHECK((*loaded)->has_dtw() == has_dtw);
    std::uint64_t differences = 0;
    for (std::uint64_t i = 0; has_dtw && i < slice.index().size(); ++i)
        if ((*loaded)->dtw(i) != slice.dtw(i)) ++differences;
    CHECK(differences == 0);

    const auto why_refused = [&](const database_file::Identity& who, const Material& what) {
        const auto read = load_solved(path, who, what);
        if (read) return std::string("it is not");
        CHECK(read.error().find(path) == 0);
        return read.error().substr(path.size() + 2);
    };
    const std::string mixed_up = "it is damaged or belongs to something else";
    CHECK(why_refused(identity<Spanish>(), material) == mixed_up);
    CHECK(why_refused({identity<Czech>().game_type, 5}, material) == mixed_up);
    CHECK(why_refused(identity<Czech>(), {0, 1, 0, 2}) == "it is not of the right size");
    const std::string content = *read_file(path);
    for (std::size_t at = 0; at < content.size(); at += 1 + content.size() / 97) {
        std::string damaged = content;
        damaged[at] = static_cast<char>(damaged[at] ^ 16);
        folder.write("slice", damaged);
        CHECK(why_refused(identity<Czech>(), material) == mixed_up);
        folder.write("slice", content.substr(0, at));
        CHECK(why_refused(identity<Czech>(), material) == "it is not of the right size");
    }
    std::filesystem::remove(path);
    CHECK_FALSE(load_solved(path, identity<Czech>(), material));
}

TEST_CASE("a solved slice with a value that there is not is refused", "[egdb]") {
    const TemporaryFolder folder;
    const Material material = {1, 0, 0, 2};
    const std::string path = slice_in(folder);
    const auto loaded_with = [&](std::size_t at, int byte) {
        SolvedSlice slice(material);
        slice.packed()[at] = static_cast<std::uint8_t>(byte);
        // With the checksum of just these values.
        REQUIRE_FALSE(save_solved(path, identity<Czech>(), slice));
        return load_solved(path, identity<Czech>(), material);
    };
    const std::size_t last = SolvedSlice(material).packed().size() - 1;
    for (const std::size_t at : {std::size_t{0}, last / 2, last})
        for (int bits = 0; bits < 8; bits += 2) {
            CAPTURE(at, bits);
            CHECK(loaded_with(at, 2 << bits));
            CHECK(loaded_with(at, 1 << bits));
            const auto refused = loaded_with(at, 3 << bits);
            REQUIRE_FALSE(refused);
            CHECK(refused.error() == path + ": it is damaged or belongs to something else");
        }
    // Neighbours do not make up such a value.
    CHECK(loaded_with(last / 2, 0b10011001));
    CHECK(loaded_with(last / 2, 0b01100110));
}
