#include <catch2/catch.hpp>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/egdb/database_file.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <tools/egdb/builder.hpp>

#include "../base/temporary.hpp"
#include "../every_game.hpp"
#include "egdb/probe/database.hpp"
#include "endgames_support.hpp"
#include "seven_pieces.hpp"

using namespace defiance;

namespace {

/// A position of so many pieces, with either side to move, that the rules allow.
Position any_position(std::mt19937& random, int pieces) {
    for (;;) {
        Position p;
        for (int i = 0; i < pieces; ++i) {
            const Bitboard square = bit(static_cast<int>(random() % 32));
            (random() % 2 == 0 ? p.black : p.white) |= square;
            if (random() % 2 == 0) p.kings |= square;
        }
        p.side = random() % 2 == 0 ? Side::black : Side::white;
        const bool is_right = (p.black & p.white) == 0 && count(p.occupied()) == pieces &&
                              p.black != 0 && p.white != 0 && !find_fault(p);
        if (is_right) return p;
    }
}

}  // namespace

TEMPLATE_TEST_CASE("the embedded databases know all positions of few pieces", "[egdb]",
                   DEFIANCE_EVERY_GAME) {
    const Endgames<TestType> endgames({});
    CHECK(endgames.pieces() == 5);
    CHECK(endgames.report() == std::vector<std::string>{"5 pieces, built in"});
    CHECK(wrongly_resolved(endgames, 7) == 0);
}

TEMPLATE_TEST_CASE("the embedded databases are undamaged and complete", "[egdb]",
                   DEFIANCE_EVERY_GAME) {
    CHECK(Endgames<TestType>({}).refused().empty());
    const auto files = embedded_databases<TestType>();
    REQUIRE(files.size() == 2);
    for (const auto content : {Content::values, Content::dtw}) {
        const bool is_plies = content == Content::dtw;
        const auto parts =
            database_file::parts_of(files[is_plies ? 1 : 0], identity_of<TestType>());
        REQUIRE(parts);
        std::size_t pairs = 0;
        for (int pieces = 2; pieces <= 5; ++pieces)
            for (const Material& material : materials_of(pieces)) {
                if (is_plies && !has_dtw_kept<TestType>(material)) continue;
                int found = 0;
                for (const DatabasePart& part : *parts)
                    if (part.material == material || part.material == material.swapped()) ++found;
                CHECK(found == 1);
                if (!(material < material.swapped())) ++pairs;
            }
        CHECK(parts->size() == pairs);
        for (const DatabasePart& part : *parts)
            CHECK(part.content == content);
    }
}

TEST_CASE("endgames agree with databases of others", "[egdb]") {
    const Endgames<English> endgames({});
    std::ifstream sample(DEFIANCE_SOURCE_DIR "/tests/egdb/sample_english.tsv");
    std::string fen;
    std::string value;
    int positions = 0;
    while (std::getline(sample, fen, '\t') && std::getline(sample, value)) {
        CAPTURE(fen);
        const Result<Position> position = parse_fen(rules_of<English>, fen);
        REQUIRE(position);
        const auto result = endgames.resolve(*position, enough_positions);
        REQUIRE(result);
        const char* const names[] = {"DRAW", "WIN", "LOSS"};
        CHECK(names[static_cast<std::size_t>(result->wld)] == value.substr(0, value.find('\r')));
        CHECK(result->dtw.has_value() == (result->wld != Wld::draw));
        ++positions;
    }
    CHECK(positions == 500);
}

TEST_CASE("positions of more pieces than wanted are unknown", "[egdb]") {
    EndgameSettings settings;
    settings.max_pieces = 3;
    const Endgames<English> endgames(settings);
    CHECK(endgames.pieces() == 3);
    CHECK(wrongly_resolved(endgames, 31) == 0);
    std::mt19937 random(1);
    int known = 0;
    for (int i = 0; i < 1000; ++i) {
        const Position p = any_position(random, 4);
        CHECK_FALSE(endgames.probe(p));
        // Only captures and the end of the game can make four pieces known.
        MoveList moves;
        generate_moves<English>(p, moves);
        const bool is_quiet_one = !moves.empty() && !moves[0].is_capture();
        if (endgames.resolve(p, enough_positions)) {
            ++known;
            CHECK_FALSE(is_quiet_one);
        }
    }
    CHECK(known > 100);

    for (const int most : {0, 1}) {
        settings.max_pieces = most;
        const Endgames<English> none(settings);
        CHECK(none.pieces() == most);
        CHECK_FALSE(none.probe(*parse_fen(rules_of<English>, "W:WK18:BK1")));
        CHECK_FALSE(none.resolve(*parse_fen(rules_of<English>, "W:WK18:BK1"), enough_positions));
    }
}

TEST_CASE("a resolution that takes too long is given up", "[egdb]") {
    const Endgames<English> endgames({});
    // Both sides may take one after the other, so at least three positions must be looked at.
    const Position p = *parse_fen(rules_of<English>, "B:W18,26:B14,1");
    CHECK_FALSE(endgames.probe(p));
    CHECK_FALSE(endgames.resolve(p, 1));
    CHECK(endgames.resolve(p, enough_positions));
}

TEST_CASE("a side without pieces has lost", "[egdb]") {
    const Endgames<English> endgames({});
    const Position lost = {0, bit(5), 0, Side::black};
    CHECK_FALSE(endgames.probe(lost));
    CHECK(endgames.resolve(lost, enough_positions) == EgdbResult{Wld::loss, 0});
    CHECK_FALSE(endgames.probe(flipped(lost)));
}

TEST_CASE("only quiet positions of the kept material are known at one look", "[egdb]") {
    const Endgames<Russian> endgames({});
    std::uint64_t faults = 0;
    for (const auto& [material, slice] : three_pieces<Russian>().all()) {
        CHECK((endgames.keeps(material) || endgames.keeps(material.swapped())));
        if (!(material == material.swapped()))
            CHECK(endgames.keeps(material) != endgames.keeps(material.swapped()));
        for (std::uint64_t number = 0; number < slice->index().size(); number += 11) {
            const Position p = slice->index().at(number);
            const auto result = endgames.probe(p);
            if (result.has_value() != (endgames.keeps(material) && is_quiet<Russian>(p))) ++faults;
            if (result && result->wld != slice->value(number)) ++faults;
            if (result != endgames.probe(flipped(p))) ++faults;
            const auto without_dtw = endgames.probe(p, {.dtw = false});
            if (without_dtw.has_value() != result.has_value()) ++faults;
            if (result && *without_dtw != EgdbResult{result->wld, {}}) ++faults;
        }
    }
    CHECK(faults == 0);
}

TEST_CASE("a database file is read and used", "[egdb]") {
    const TemporaryFile file(as_text(embedded<English>(0)));
    Database<English> database;
    CHECK(database.pieces() == 0);
    CHECK(database.complete_pieces() == 0);
    CHECK_FALSE(database.probe(*parse_fen(rules_of<English>, "W:WK18:BK1")));
    const Result<int> pieces = database.add_file(file.path());
    REQUIRE(pieces);
    CHECK(*pieces == 5);
    CHECK(database.complete_pieces() == 5);
    // Without the plies of the other file.
    CHECK(database.probe(*parse_fen(rules_of<English>, "W:WK14:BK1")) == EgdbResult{Wld::draw, {}});
    CHECK(database.probe(*parse_fen(rules_of<English>, "W:WK18,K15:BK1")) ==
          EgdbResult{Wld::win, {}});
    CHECK_FALSE(database.probe(*parse_fen(rules_of<English>, "W:WK18,K15:BK1,K2,K3,K4")));
    // Added again nothing changes.
    CHECK(*database.add_file(file.path()) == 5);
    CHECK(database.pieces() == 5);
}

TEST_CASE("a database file that is no such is refused by name", "[egdb]") {
    Database<English> database;
    const auto why_refused = [&](const std::string& content) {
        const TemporaryFile file(content);
        const Result<int> added = database.add_file(file.path());
        if (added) return std::string("it is not");
        CHECK(added.error().find(file.path()) != std::string::npos);
        return added.error().substr(added.error().rfind(": ") + 2);
    };
    const std::string content = as_text(embedded<English>(1));
    CHECK(why_refused(content.substr(0, content.size() - 1)) == "it is cut off or too long");
    CHECK(why_refused(content.substr(0, 100)) == "it is cut off or too long");
    CHECK(why_refused(content + ' ') == "it is cut off or too long");
    std::string damaged = content;
    damaged[60] = static_cast<char>(damaged[60] ^ 1);
    CHECK(why_refused(damaged) == "its list of contents is damaged");
    CHECK(why_refused(as_text(embedded<Russian>(0))) == "it is for another game (type 25)");
    CHECK(why_refused("") != "it is not");
    // A damaged part, and plies without the values that belong to them.
    damaged = as_text(embedded<English>(0));
    damaged.back() = static_cast<char>(damaged.back() ^ 1);
    CHECK(why_refused(damaged) == "it is damaged");
    CHECK(why_refused(content) == "there are plies, but no values that go with them");
    CHECK_FALSE(database.add_file(unused_path().string()));
    CHECK(database.pieces() == 0);
}

// As when a drive of the network goes away. Windows lets nobody cut off a file that is open.
#ifndef _WIN32
TEST_CASE("a database file that is cut off once it is open stays known", "[egdb]") {
    const TemporaryFile file(as_text(embedded<English>(0)));
    Database<English> database;
    REQUIRE(database.add_file(file.path()));
    std::filesystem::resize_file(file.path(), 100);
    for (const char* fen : {"W:WK18,K15:BK1", "W:WK18,K15,K32:BK1", "W:WK18,K14,K32:BK2"})
        CHECK(database.probe(*parse_fen(rules_of<English>, fen)) == EgdbResult{Wld::win, {}});
}
#endif

TEST_CASE("of a file with a damaged slice nothing is used", "[egdb]") {
    const std::vector<std::uint8_t> right = embedded<English>(0);
    std::vector<std::uint8_t> bytes = right;
    const auto parts = database_file::parts_of(bytes, identity_of<English>());
    REQUIRE(parts);
    const DatabasePart& part = parts->at(20);
    const auto place = static_cast<std::size_t>(part.bytes.data() - bytes.data());
    bytes[place + part.bytes.size() / 2] ^= 4;
    const TemporaryFile file(as_text(bytes));
    Database<English> database;
    const Result<int> added = database.add_file(file.path());
    REQUIRE_FALSE(added);
    CHECK(added.error() == file.path() + ": " + to_text(part.material) + ": it is damaged");
    CHECK(database.pieces() == 0);
    for (const Material& material : materials_of(3))
        CHECK_FALSE(database.keeps(material));
    // What was added before stays, and what comes later can be added.
    const TemporaryFile sound(as_text(right));
    REQUIRE(database.add_file(sound.path()));
    CHECK_FALSE(database.add_file(file.path()));
    CHECK(database.complete_pieces() == 5);
    CHECK(database.probe(*parse_fen(rules_of<English>, "W:WK18,K15:BK1")) ==
          EgdbResult{Wld::win, {}});
}

TEST_CASE("bytes that mean nothing do no harm though they are as they were written", "[egdb]") {
    std::mt19937 random(2);
    const Material material = {0, 2, 0, 1};
    int used = 0;
    for (int round = 0; round < 300; ++round) {
        // A seed, a tree of one leaf, ribbons that are nearly right.
        std::vector<std::uint8_t> values = {1, 1, 0, 255, 0b10100, 0, 1, 0, 0, 0, 8, 0, 0, 0};
        for (int i = 0; i < 8; ++i)
            values.push_back(static_cast<std::uint8_t>(random()));
        for (int i = 0; i < 4; ++i)
            values.push_back(0);
        if (round % 2 == 0)
            values[random() % values.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
        // A seed, a code of two words for wins and one for losses, a ribbon of eight bytes.
        std::vector<std::uint8_t> plies = {2, 2, 1, 1, 1, 1, 1, 0, 0, 0, 8, 0, 0, 0};
        plies.insert(plies.end(), values.end() - 12, values.end() - 4);
        if (round % 4 == 1) plies[random() % plies.size()] ^= static_cast<std::uint8_t>(2);
        const auto file = database_file::assemble(
            identity_of<English>(),
            {{material, Content::values, 0, values}, {material, Content::dtw, 0, plies}});
        Database<English> database;
        const Result<int> added = database.add_bytes(file, "here");
        if (!added) {
            CHECK(added.error().find("here: 0m2k-0m1k: ") == 0);
            continue;
        }
        ++used;
        CHECK(*added == 3);
        CHECK(database.complete_pieces() == 0);
        for (int i = 0; i < 20; ++i)
            if (const auto result = database.probe(any_position(random, 3)))
                CHECK(result->dtw.value_or(-1) % 2 == (result->wld == Wld::draw  ? -1
                                                       : result->wld == Wld::win ? 1
                                                                                 : 0));
    }
    CHECK(used >= 75);
}

TEST_CASE("threads that ask at once are told the same", "[egdb]") {
    std::mt19937 random(3);
    std::vector<Position> positions;
    std::vector<std::optional<EgdbResult>> verdicts;
    const Endgames<Brazilian> alone({});
    while (positions.size() < 600) {
        positions.push_back(any_position(random, 2 + static_cast<int>(random() % 4)));
        verdicts.push_back(alone.probe(positions.back()));
    }
    const Endgames<Brazilian> shared({});
    std::atomic<int> faults = 0;
    const auto ask = [&](std::size_t first) {
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const std::size_t at = (first + i) % positions.size();
            if (shared.probe(positions[at]) != verdicts[at]) ++faults;
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < 4; ++thread)
        threads.emplace_back(ask, thread * 3);
    for (std::thread& thread : threads)
        thread.join();
    CHECK(faults == 0);
}

TEST_CASE("no two database files have the same name", "[egdb]") {
    CHECK(database_file_name<English>(5) == "english5.dfe");
    CHECK(dtw_file_name<Czech>(4) == "czech4_plies.dfe");
    CHECK(database_file_name<Russian>(Material{0, 3, 1, 3}) == "russian_1m3k-0m3k.dfe");
    CHECK(database_file_name<Russian>(Material{1, 3, 0, 3}) == "russian_1m3k-0m3k.dfe");
    std::vector<std::string> names = database_file_names<English>();
    CHECK(std::count(names.begin(), names.end(), "english6.dfe") == 1);
    CHECK(std::count(names.begin(), names.end(), "english4_plies.dfe") == 1);
    for (int pieces = 7; pieces <= 8; ++pieces)
        for (const Material& material : materials_of(pieces))
            CHECK(std::count(names.begin(), names.end(), database_file_name<English>(material)) ==
                  1);
    std::sort(names.begin(), names.end());
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}
