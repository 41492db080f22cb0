#include <defiance/base/file.hpp>
#include <defiance/base/file_bytes.hpp>
#include <defiance/base/mapped_file.hpp>
#include <defiance/base/random_access_file.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include "temporary.hpp"

using namespace defiance;

namespace {

/// Bytes that tell their place.
std::string pattern(std::size_t size) {
    std::string content(size, 0);
    for (std::size_t i = 0; i < size; ++i)
        content[i] = static_cast<char>(i * 7 + i / 256);
    return content;
}

std::string text_of(std::span<const std::uint8_t> bytes) {
    return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("a mapped file is its content", "[base]") {
    const std::string content = pattern(100'001);
    const TemporaryFile file(content);
    Result<MappedFile> mapped = MappedFile::open(file.path());
    REQUIRE(mapped);
    CHECK(text_of(mapped->bytes()) == content);

    MappedFile moved = *std::move(mapped);
    CHECK(mapped->bytes().empty());
    CHECK(text_of(moved.bytes()) == content);
    Result<MappedFile> other = MappedFile::open(file.path());
    REQUIRE(other);
    moved = *std::move(other);
    CHECK(text_of(moved.bytes()) == content);
}

TEST_CASE("an empty file is mapped as nothing", "[base]") {
    const TemporaryFile file("");
    const Result<MappedFile> mapped = MappedFile::open(file.path());
    REQUIRE(mapped);
    CHECK(mapped->bytes().empty());
}

TEST_CASE("the bytes of a file stay where they are", "[base]") {
    const std::string content = pattern(100'001);
    const TemporaryFile file(content);
    Result<FileBytes> opened = FileBytes::open(file.path());
    REQUIRE(opened);
    CHECK(text_of(opened->bytes()) == content);
    const std::uint8_t* const place = opened->bytes().data();
    std::vector<FileBytes> moved;
    moved.push_back(*std::move(opened));
    moved.push_back(*FileBytes::open(file.path()));
    CHECK(moved[0].bytes().data() == place);
    CHECK(text_of(moved[0].bytes()) == content);
    CHECK(text_of(moved[1].bytes()) == content);

    const TemporaryFile empty("");
    const Result<FileBytes> nothing = FileBytes::open(empty.path());
    REQUIRE(nothing);
    CHECK(nothing->bytes().empty());
}

TEST_CASE("what is no file has no bytes", "[base]") {
    const TemporaryFolder folder;
    for (const std::string& path : {std::string(), folder.path(), folder.path() + "/no/file"}) {
        const Result<FileBytes> opened = FileBytes::open(path);
        REQUIRE_FALSE(opened);
        CHECK(opened.error().find("'" + path + "'") != std::string::npos);
        CHECK_FALSE(can_be_mapped_safely(path));
    }
}

// Only Windows says whether a disk can be pulled out, and keeps others from writing what is open.
#ifdef _WIN32
TEST_CASE("nobody writes a file whose bytes are in use", "[base]") {
    const TemporaryFile file(pattern(1000));
    const Result<FileBytes> opened = FileBytes::open(file.path());
    REQUIRE(opened);
    CHECK(write_file(file.path(), "other"));
    CHECK(text_of(opened->bytes()) == pattern(1000));
    CHECK_FALSE(can_be_mapped_safely("\\\\server\\share\\file"));
}
#else
TEST_CASE("no file is mapped where anybody can cut it off", "[base]") {
    const TemporaryFile file(pattern(1000));
    CHECK_FALSE(can_be_mapped_safely(file.path()));
    const Result<FileBytes> opened = FileBytes::open(file.path());
    REQUIRE(opened);
    std::filesystem::resize_file(file.path(), 10);
    CHECK(text_of(opened->bytes()) == pattern(1000));
}
#endif

TEST_CASE("a file is read at any place", "[base]") {
    const std::string content = pattern(10'000);
    const TemporaryFile file(content);
    const Result<RandomAccessFile> opened = RandomAccessFile::open(file.path());
    REQUIRE(opened);
    CHECK(opened->size() == content.size());
    std::array<std::uint8_t, 100> part{};
    for (const std::size_t offset : {0, 1, 4095, 9900}) {
        REQUIRE(opened->read_at(offset, part));
        CHECK(text_of(part) == content.substr(offset, part.size()));
    }
    CHECK(opened->read_at(10'000, {}));
    CHECK_FALSE(opened->read_at(9901, part));
    CHECK_FALSE(opened->read_at(10'001, {}));
    CHECK_FALSE(opened->read_at(~std::uint64_t{0}, part));
    CHECK_FALSE(opened->read_at(std::uint64_t{1} << 33, part));
}

TEST_CASE("many threads read one file", "[base]") {
    const std::string content = pattern(100'000);
    const TemporaryFile file(content);
    const Result<RandomAccessFile> opened = RandomAccessFile::open(file.path());
    REQUIRE(opened);
    std::atomic<int> faults = 0;
    std::vector<std::thread> readers;
    for (std::size_t reader = 0; reader < 4; ++reader)
        readers.emplace_back([&, reader] {
            std::array<std::uint8_t, 16> part{};
            for (std::size_t i = 0; i < 2000; ++i) {
                const std::size_t offset = (i * 7919 + reader * 31) % (content.size() - 16);
                if (!opened->read_at(offset, part) || text_of(part) != content.substr(offset, 16))
                    ++faults;
            }
        });
    for (std::thread& reader : readers)
        reader.join();
    CHECK(faults == 0);
}

TEST_CASE("a part of a file is memory of its own", "[base]") {
    const std::string content = pattern(10'000);
    const TemporaryFile file(content);
    const Result<RandomAccessFile> opened = RandomAccessFile::open(file.path());
    REQUIRE(opened);
    const auto part = opened->read_part(4000, 100);
    REQUIRE(part);
    CHECK(text_of(*part) == content.substr(4000, 100));
    CHECK(opened->read_part(10'000, 0));
    for (const std::uint64_t size : {std::uint64_t{10'001}, ~std::uint64_t{0}}) {
        const auto beyond = opened->read_part(1, size);
        REQUIRE_FALSE(beyond);
        CHECK(beyond.error() == "it cannot be read");
    }
}

// Windows lets nobody do that, but a drive of the network can go away there, too.
#ifndef _WIN32
TEST_CASE("a file that is cut off while it is open cannot be read any more", "[base]") {
    const TemporaryFile file(pattern(100'000));
    const Result<RandomAccessFile> opened = RandomAccessFile::open(file.path());
    REQUIRE(opened);
    CHECK(opened->read_part(50'000, 100));
    std::filesystem::resize_file(file.path(), 1000);
    CHECK_FALSE(opened->read_part(50'000, 100));
    CHECK(opened->read_part(0, 100));
}
#endif

TEST_CASE("what is no file cannot be mapped", "[base]") {
    const TemporaryFolder folder;
    for (const std::string& path : {std::string(), folder.path(), folder.path() + "/no/file"}) {
        const Result<MappedFile> mapped = MappedFile::open(path);
        REQUIRE_FALSE(mapped);
        CHECK(mapped.error().find("cannot be") != std::string::npos);
        CHECK(mapped.error().find("'" + path + "'") != std::string::npos);
        CHECK_FALSE(RandomAccessFile::open(path));
    }
}
