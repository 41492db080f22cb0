#include <catch2/catch.hpp>

#include <string>

#include <defiance/base/checksum.hpp>
#include <defiance/book/opening_book.hpp>
#include <tools/support/games.hpp>

#include "../base/temporary.hpp"
#include "book_support.hpp"

using namespace defiance;
using testing::random_book;

namespace {

std::string bytes_of_book(const GameRules& rules, const std::vector<BookPosition>& positions) {
    const auto bytes = make_book(rules, positions, "made by chance");
    REQUIRE(bytes);
    return *bytes;
}

Position with_turned_board(const Position& position) {
    return flipped(position);
}

}  // namespace

TEST_CASE("a book knows its positions and their moves, whatever the colours", "[book]") {
    Random random(1501);
    for (const GameCore* core : built_games()) {
        const GameRules* const rules = &core->rules;
        const auto positions = random_book(*rules, random, 900);
        const TemporaryFile file(bytes_of_book(*rules, positions));
        const auto book = OpeningBook::open(*rules, file.path());
        REQUIRE(book);
        CHECK(book->positions() == positions.size());
        CHECK(book->description() == "made by chance");
        for (const BookPosition& entry : positions) {
            REQUIRE(book->find(entry.position) == entry.moves);
            std::vector<BookMove> others = entry.moves;
            for (BookMove& m : others)
                m.move = turned(m.move);
            REQUIRE(book->find(with_turned_board(entry.position)) == others);
        }
        // The same pieces with the other side to move, and a position that no game reaches.
        Position other = rules->start_position();
        other.side = opponent(other.side);
        other.black &= other.black - 1;
        CHECK(book->find(other).empty());
        CHECK(book->find({0xFFFFFFFF, 0, 0, Side::black}).empty());
        CHECK(book->find({}).empty());
        std::uint64_t moves = 0;
        std::uint64_t visited = 0;
        CHECK_FALSE(book->for_each([&](const BookPosition& entry) {
            ++visited;
            moves += entry.moves.size();
            CHECK(book->find(entry.position) == entry.moves);
            return true;
        }));
        CHECK(visited == positions.size());
        CHECK(moves == book->moves());
    }
}

TEST_CASE("the same positions make the same book in any order", "[book]") {
    Random random(1502);
    const GameRules& rules = rules_of<Russian>;
    auto positions = random_book(rules, random, 300);
    const std::string bytes = bytes_of_book(rules, positions);
    std::reverse(positions.begin(), positions.end());
    for (BookPosition& entry : positions) {
        std::reverse(entry.moves.begin(), entry.moves.end());
        entry.position = flipped(entry.position);
        for (BookMove& m : entry.moves)
            m.move = turned(m.move);
    }
    CHECK(bytes_of_book(rules, positions) == bytes);
    positions.push_back(positions.front());
    CHECK_FALSE(make_book(rules, positions, ""));
    CHECK_FALSE(make_book(rules, {}, ""));
}

TEST_CASE("no book is made of a position that its readers refuse", "[book]") {
    for (const GameCore* core : built_games()) {
        const GameRules* const rules = &core->rules;
        const Position alone{bit(9), 0, 0, Side::black};
        MoveList moves;
        rules->generate_moves(alone, moves);
        REQUIRE_FALSE(moves.empty());
        const std::vector<BookPosition> positions = {{alone, {BookMove{moves[0], 0, 0, 0}}}};
        const auto book = make_book(*rules, positions, "");
        REQUIRE_FALSE(book);
        CHECK_THAT(book.error(), Catch::Contains("no white piece"));
    }
}

TEST_CASE("what is no book of the game is refused by name", "[book][hostile]") {
    Random random(1503);
    const GameRules& rules = rules_of<English>;
    const std::string good = bytes_of_book(rules, random_book(rules, random, 200));
    const auto error_of = [&](const std::string& content, const GameRules& game) {
        const TemporaryFile file(content);
        const auto book = OpeningBook::open(game, file.path());
        REQUIRE_FALSE(book);
        CHECK(book.error().find(file.path()) != std::string::npos);
        CHECK(book.error().find('\n') == std::string::npos);
        return book.error();
    };
    CHECK_THAT(error_of("", rules), Catch::Contains("no opening book"));
    CHECK_THAT(error_of(std::string(100'000, 'x'), rules), Catch::Contains("no opening book"));
    CHECK_THAT(error_of(good.substr(0, 5000), rules), Catch::Contains("damaged"));
    CHECK_THAT(error_of(good + "x", rules), Catch::Contains("damaged"));
    CHECK_THAT(error_of(good, rules_of<Italian>), Catch::Contains("for the game english"));
    CHECK_FALSE(OpeningBook::open(rules, "/nowhere/english.book"));
}

TEST_CASE("a thousand damaged books never give a move that is not legal", "[book][hostile]") {
    Random random(1504);
    const GameRules& rules = rules_of<Brazilian>;
    const auto positions = random_book(rules, random, 300);
    const std::string good = bytes_of_book(rules, positions);
    const TemporaryFolder folder;
    int refused = 0;
    int found_later = 0;
    for (int i = 0; i < 1000; ++i) {
        std::string bytes = good;
        for (int changes = 1 + random.below(4); changes > 0; --changes)
            bytes[random.below(bytes.size())] ^= static_cast<char>(1 + random.below(255));
        if (random.below(10) == 0) bytes.resize(random.below(bytes.size()));
        folder.write("damaged.book", bytes);
        const auto book = OpeningBook::open(rules, folder.path() + "/damaged.book");
        if (!book) {
            ++refused;
            continue;
        }
        REQUIRE(book->for_each([](const BookPosition&) { return true; }));
        ++found_later;
        for (int n = 0; n < 30; ++n) {
            const BookPosition& entry = positions[random.below(positions.size())];
            const auto moves = book->find(entry.position);
            // Unknown, or as it was.
            REQUIRE((moves.empty() || moves == entry.moves));
        }
    }
    CHECK(refused > 100);
    CHECK(found_later > 100);
    CHECK(refused + found_later == 1000);
}

TEST_CASE("damage with a right checksum is harmless too", "[book][hostile]") {
    Random random(1505);
    const GameRules& rules = rules_of<English>;
    const auto positions = random_book(rules, random, 60);
    const std::string good = bytes_of_book(rules, positions);
    const TemporaryFolder folder;
    const auto repaired = [](std::string bytes) {
        constexpr std::size_t page = 4096;
        for (std::size_t at = 2 * page; at < bytes.size(); at += page) {
            const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data() + at);
            const std::uint32_t sum = checksum({data, page - 4});
            for (std::size_t i = 0; i < 4; ++i)
                bytes[at + page - 4 + i] = static_cast<char>(sum >> (8 * i) & 0xFF);
        }
        return bytes;
    };
    CHECK(repaired(good) == good);
    for (int i = 0; i < 1000; ++i) {
        std::string bytes = good;
        for (int changes = 1 + random.below(3); changes > 0; --changes)
            bytes[8192 + random.below(bytes.size() - 8192)] = static_cast<char>(random.below(256));
        folder.write("damaged.book", repaired(bytes));
        const auto book = OpeningBook::open(rules, folder.path() + "/damaged.book");
        REQUIRE(book);
        static_cast<void>(book->for_each([&](const BookPosition& entry) {
            REQUIRE_FALSE(find_fault(entry.position));
            return true;
        }));
        for (const BookPosition& entry : positions)
            for (const BookMove& m : book->find(entry.position)) {
                MoveList legal;
                rules.generate_moves(entry.position, legal);
                REQUIRE(std::find(legal.begin(), legal.end(), m.move) != legal.end());
            }
    }
}
