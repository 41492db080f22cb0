#include <catch2/catch.hpp>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <defiance/egdb/build.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>

#include "../base/memory_left.hpp"
#include "../base/temporary.hpp"
#include "egdb/foreign/cake_blocks.hpp"
#include "egdb/foreign/readers.hpp"

using namespace defiance;

namespace {

const std::string sample = DEFIANCE_SOURCE_DIR "/tests/egdb/cake";
constexpr std::uint64_t plenty = 64 << 20;  // bytes of memory

std::unique_ptr<ForeignDatabase> opened(const std::string& folder, std::uint64_t memory = plenty,
                                        int max_pieces = 8) {
    Result<std::unique_ptr<ForeignDatabase>> database = open_cake(folder, memory, max_pieces);
    INFO((database ? "" : database.error()));
    REQUIRE(database);
    return *std::move(database);
}

/// Why the folder is refused; empty when it is not.
std::string refusal(const std::string& folder, std::uint64_t memory = plenty) {
    const Result<std::unique_ptr<ForeignDatabase>> database = open_cake(folder, memory);
    return database ? "" : database.error();
}

SolvedSlices solved(int max_pieces) {
    SolvedSlices slices;
    for (int pieces = 2; pieces <= max_pieces; ++pieces)
        for (const Material& material : materials_of(pieces))
            if (slices.find(material) == nullptr)
                solve_slices<English>(material, slices, {2, false});
    return slices;
}

struct Comparison {
    std::uint64_t positions = 0;
    std::uint64_t differences = 0;
    bool operator==(const Comparison&) const = default;
};

/// All positions in which neither side could capture; with black to move, or flipped with white.
Comparison compare(const ForeignDatabase& database, const SolvedSlices& slices, Side mover) {
    Comparison result;
    for (const auto& [material, slice] : slices.all())
        slice->index().for_each(
            0, slice->index().size(), [&, &values = *slice](std::uint64_t number, Position p) {
                const Position other = {p.black, p.white, p.kings, Side::white};
                if (can_capture<English>(p) || can_capture<English>(other)) return;
                ++result.positions;
                if (database.probe(mover == Side::black ? p : flipped(p)) != values.value(number))
                    ++result.differences;
            });
    return result;
}

std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<Wld> look_up(const ForeignDatabase& database, std::string_view fen) {
    const Result<Position> position = parse_fen(rules_of<English>, fen);
    REQUIRE(position);
    return database.probe(*position);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Cake's databases have the values of our solver", "[egdb][cake][truth]") {
    const auto database = opened(sample);
    CHECK(database->pieces() == 4);
    CHECK(database->description() == "Cake, 4 pieces, in " + sample);
    CHECK(compare(*database, solved(4), Side::black) == Comparison{4726851, 0});
}

TEST_CASE("a little memory is enough for Cake's databases, and several threads", "[egdb][cake]") {
    const SolvedSlices slices = solved(3);
    for (const std::uint64_t memory : {0, 1000, 300'000}) {
        const auto database = opened(sample + "/", memory);
        CHECK(compare(*database, slices, Side::white).differences == 0);
        std::atomic<std::uint64_t> differences = 0;
        std::vector<std::thread> threads;
        for (const Side side : {Side::black, Side::white, Side::black})
            threads.emplace_back(
                [&, side] { differences += compare(*database, slices, side).differences; });
        for (std::thread& thread : threads)
            thread.join();
        CHECK(differences == 0);
    }
}

TEST_CASE("what Cake's databases do not hold is unknown", "[egdb][cake]") {
    const auto database = opened(sample);
    CHECK(look_up(*database, "B:W29,30:B2,15") == Wld::win);
    CHECK(look_up(*database, "B:W29,30,31:B2,15") == std::nullopt);
    CHECK(database->probe(start_position(Side::black)) == std::nullopt);
    CHECK(database->probe({row(0), 0, 0, Side::black}) == std::nullopt);
    CHECK(database->probe({0, bit(3), 0, Side::black}) == std::nullopt);
    // Men that should be kings.
    CHECK(database->probe({row(7) & (0 - row(7)), bit(12), 0, Side::black}) == std::nullopt);
    CHECK(database->probe({bit(12), row(0) & (0 - row(0)), 0, Side::white}) == std::nullopt);
    const Position four = *parse_fen(rules_of<English>, "B:W29,30:B2,15");
    CHECK_FALSE(database->has_dtw());
    CHECK_FALSE(database->dtw(four, Wld::loss));
    CHECK_FALSE(database->dtc(four));

    const auto small = opened(sample, plenty, 3);
    CHECK(small->pieces() == 3);
    CHECK(look_up(*small, "B:W29,30:B2,15") == std::nullopt);
    CHECK(look_up(*small, "B:W29:B2,15") == look_up(*database, "B:W29:B2,15"));
}

TEST_CASE("Cake has a pair of files for each material of eight pieces", "[egdb][cake]") {
    const TemporaryFolder folder;
    folder.write("db8_4040.idx", "BASE4,0,4,0,3,2,b:=\r\nBASE4,0,4,0,3,2,w:-\r\n");
    folder.write("db8_4040.cpr", "");
    const auto database = opened(folder.path());
    CHECK(database->pieces() == 8);
    CHECK(look_up(*database, "B:W21,29,30,31:B1,2,3,13") == Wld::draw);
    CHECK(look_up(*database, "W:W21,29,30,31:B1,2,3,13") == Wld::loss);
    CHECK(look_up(*database, "B:W20,29,30,31:B1,2,3,9") == Wld::loss);
    CHECK(look_up(*database, "B:W21,29,30,K31:B1,2,3,13") == std::nullopt);
    folder.write("db8_3140.idx", "BASE4,0,4,0,1,2,b:=");
    CHECK(contains(refusal(folder.path()), "db8_3140.idx' tells of other pieces than its name"));
}

TEST_CASE("a slice of many blocks is found in", "[egdb][cake]") {
    // Two kings against one; byte after byte a run of five, each of another value than the last.
    constexpr std::uint32_t size = 496 * 30;
    constexpr std::uint32_t in_block = 5 * 1024;
    std::string table = "BASE0,2,0,1,0,0,b:0/0\n";
    std::string data;
    for (std::uint32_t number = 0; number < size; number += 5) {
        if (number > 0 && number % in_block == 0) table += std::to_string(number) + '\n';
        data += static_cast<char>(81 + 58 * (number / 5 % 3));
    }
    const TemporaryFolder folder;
    folder.write("db3.idx", table);
    folder.write("db3.cpr", data);
    constexpr Wld cycle[] = {Wld::win, Wld::loss, Wld::draw};
    for (const std::uint64_t memory : {std::uint64_t{0}, plenty}) {
        const auto database = opened(folder.path(), memory);
        // Black on squares 4 and 3, White on square 2 has the number 0; White on 29 is the last.
        for (std::uint32_t white = 0; white < 30; ++white) {
            const int place = static_cast<int>(white) + 2;
            const Coordinate c = {place % 4 * 2 + place / 4 % 2, place / 4};
            const Bitboard black = bit(index_of({0, 0})) | bit(index_of({2, 0}));
            const Bitboard other = bit(index_of(c));
            CHECK(database->probe({black, other, black | other, Side::black}) ==
                  cycle[496 * white / 5 % 3]);
        }
    }
    data.pop_back();
    folder.write("db3.cpr", data + '\x51');
    CHECK(refusal(folder.path()).empty());
    folder.write("db3.cpr", data + '\x55');
    CHECK(contains(refusal(folder.path()), "db3.cpr' is damaged"));
}

TEST_CASE("Cake's databases are used when more memory is allowed than there is", "[egdb][cake]") {
    // A file that is too large to be held: each byte stands for four wins.
    constexpr std::uint32_t number = 60'000;
    const TemporaryFolder folder;
    folder.write("db7.cpr", "");
    std::filesystem::resize_file(folder.path() + "/db7.cpr", number * cake::block_bytes);
    const auto last_value = [&] {
        Result<RandomAccessFile> file = RandomAccessFile::open(folder.path() + "/db7.cpr");
        REQUIRE(file);
        cake::Blocks blocks;
        REQUIRE(blocks.add(*std::move(file), number));
        REQUIRE_FALSE(blocks.make_ready(std::uint64_t{1} << 50));
        CHECK_FALSE(blocks.is_held(0));
        const cake::Part last = {number - 1, 0, cake::block_bytes, 4 * cake::block_bytes, true};
        return blocks.value(last, 4 * cake::block_bytes - 1);
    };
    CHECK(last_value() == Wld::win);
#ifdef DEFIANCE_CAN_LIMIT_MEMORY
    const MemoryLeft left(24 << 20);
    CHECK(last_value() == Wld::win);
#endif
}

TEST_CASE("a damaged slice is unknown, whichever slice its block was read for", "[egdb][cake]") {
    // Three slices in one block: wins, losses, draws.
    std::string data;
    const auto add_run = [&](int length, int value) {
        data += static_cast<char>(81 + 58 * value + length);
    };
    for (const int value : {0, 1})
        for (const int length : {57, 54, 46, 36})  // 10000, 4000, 800 and 80 positions
            add_run(length, value);
    for (const int length : {53, 44, 15})  // 3200, 500 and 20 positions
        add_run(length, 2);
    const std::string table =
        "BASE0,2,0,1,0,0,b:0/0\nBASE0,2,0,1,0,0,w:0/4\nBASE1,1,0,1,0,0,b:0/8\n";
    const Bitboard corner = bit(index_of({0, 0}));
    const Bitboard black = corner | bit(index_of({2, 0}));
    const Bitboard white = bit(index_of({4, 0}));
    const Position won = {black, white, black | white, Side::black};
    const Position lost = {black, white, black | white, Side::white};
    const Position drawn = {black, white, (black | white) & ~corner, Side::black};

    const TemporaryFolder folder;
    folder.write("db3.idx", table);
    folder.write("db3.cpr", data);
    const auto sound = opened(folder.path(), 0);
    CHECK(sound->probe(won) == Wld::win);
    CHECK(sound->probe(lost) == Wld::loss);
    CHECK(sound->probe(drawn) == Wld::draw);

    const TemporaryFolder damaged;
    damaged.write("db3.idx", table);
    data[4] = data[0];
    data[5] = 81;  // five positions instead of 4000
    damaged.write("db3.cpr", data);
    CHECK(contains(refusal(damaged.path()), "db3.cpr' is damaged"));
    const std::pair<Position, std::optional<Wld>> values[] = {
        {won, Wld::win}, {lost, std::nullopt}, {drawn, Wld::draw}};
    for (std::size_t first = 0; first < std::size(values); ++first) {
        const auto database = opened(damaged.path(), 0);
        for (std::size_t i = 0; i < std::size(values); ++i) {
            const auto& [position, value] = values[(first + i) % std::size(values)];
            CHECK(database->probe(position) == value);
        }
    }
}

TEST_CASE("a folder without databases of Cake is no fault", "[egdb][cake]") {
    const TemporaryFolder folder;
    for (const std::string& path : {folder.path(), folder.path() + "/none", std::string()}) {
        const Result<std::unique_ptr<ForeignDatabase>> database = open_cake(path, plenty);
        REQUIRE(database);
        CHECK(*database == nullptr);
    }
}

TEST_CASE("tables that are not Cake's are refused", "[egdb][cake]") {
    const std::pair<const char*, const char*> tables[] = {
        {"", "is empty"},
        {"\n", "is empty"},
        {"PK\x03\x04 something else", "no table"},
        {"BASE0,1,0,1,0,0,b", "no table"},
        {"BASE0,1,0,1,0,0,x:=", "no table"},
        {"BASE0,1,0,1,0,0,b:", "no table"},
        {"BASE0,1,0,1,0,0,b:?", "unknown value"},
        {"BASE0,1,0,1,0,0,b:=\nBASE0,1,0,1,0,0,b:=", "twice"},
        {"BASE0,1,0,1,0,7,b:=", "no table"},
        {"BASE0,1,0,1,0,1,b:=", "no table"},
        {"BASE0,99999999999999999999,0,1,0,0,b:=", "no table"},
        {"BASE0,7,0,7,0,0,b:=", "no table"},
        {"BASE0,2,0,0,0,0,b:=", "no table"},
        {"BASE0,1,0,2,0,0,b:=", "other pieces"},
        {"BASE0,1,0,1,0,0,b:0", "no table"},
        {"BASE0,1,0,1,0,0,b:0/1024", "impossible place"},
        {"BASE0,1,0,1,0,0,b:0/4294967296", "impossible place"},
        {"BASE0,1,0,1,0,0,b:4294967295/0", "out of order"},
        {"BASE0,1,0,1,0,0,b:1/0", "out of order"},
        {"BASE0,1,0,1,0,0,b:0/0 0", "out of order"},
        {"BASE0,1,0,1,0,0,b:0/0 5 5", "out of order"},
        {"BASE0,1,0,1,0,0,b:0/0 996", "out of order"},
        {"BASE0,1,0,1,0,0,b:0/0 99999999999999999999", "out of order"},
        {"BASE0,1,0,1,0,0,b:0/9\nBASE1,0,1,0,6,6,b:0/8", "out of order"},
    };
    for (const auto& [text, problem] : tables) {
        const TemporaryFolder folder;
        folder.write("db2.idx", text);
        folder.write("db2.cpr", std::string(100, '\0'));
        INFO(text);
        const std::string answer = refusal(folder.path());
        CHECK(contains(answer, "db2.idx' "));
        CHECK(contains(answer, problem));
    }
}

TEST_CASE("data cut off, grown or missing is refused", "[egdb][cake]") {
    const TemporaryFolder folder;
    folder.copy_from(sample);
    CHECK(refusal(folder.path()).empty());
    for (const std::string name : {"db2.cpr", "db3.cpr", "db4.cpr"}) {
        const std::string whole = content_of(sample + "/" + name);
        for (std::size_t size = 0; size < whole.size(); size += 1 + size / 10) {
            folder.write(name, whole.substr(0, size));
            const std::string answer = refusal(folder.path(), size % 2 == 0 ? plenty : 0);
            if (!contains(answer, name + "' ")) FAIL_CHECK(name << " of " << size << " bytes");
        }
        folder.write(name, whole + std::string(1024, '\0'));
        CHECK(contains(refusal(folder.path()), "db"));
        std::filesystem::remove(folder.path() + "/" + name);
        CHECK(contains(refusal(folder.path()), name + "' cannot be opened"));
        folder.write(name, whole);
    }
    folder.write("db5.idx", "BASE0,3,0,2,0,0,b:=");
    CHECK(contains(refusal(folder.path()), "db5.cpr' cannot be opened"));
}

TEST_CASE("changed bytes do no harm", "[egdb][cake]") {
    std::mt19937 random(7);
    const TemporaryFolder folder;
    folder.copy_from(sample);
    for (const std::string name : {"db2.cpr", "db2.idx", "db3.cpr", "db3.idx"}) {
        const std::string whole = content_of(sample + "/" + name);
        for (int i = 0; i < 60; ++i) {
            std::string changed = whole;
            changed[random() % changed.size()] = static_cast<char>(random());
            folder.write(name, changed);
            const auto database = open_cake(folder.path(), i % 2 == 0 ? plenty : 0, 3);
            if (!database) {
                CHECK(contains(database.error(), folder.path() + "/db"));
                continue;
            }
            const SliceIndex index({1, 1, 1, 0});
            index.for_each(0, index.size() / 8, [&](std::uint64_t, const Position& p) {
                static_cast<void>((*database)->probe(p));
            });
        }
        folder.write(name, whole);
    }
}
