// Positions of a store as lines of text, and into a store again.

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/random.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/maintenance/position_dump.hpp>
#include <tools/maintenance/tasks.hpp>
#include <tools/posdb/position_line.hpp>
#include <tools/store/byte_codec.hpp>
#include <tools/store/embedded_store.hpp>
#include <tools/store/record_log.hpp>
#include <tools/support/games.hpp>

#include "../base/temporary.hpp"
#include "../rules/random_position.hpp"
#include "redis_server.hpp"

namespace defiance {
namespace {

/// A store in a folder that is gone with it.
struct DumpFixture {
    DumpFixture() {
        auto opened = EmbeddedStore::open(folder.path(), [](const std::string&) {});
        REQUIRE(opened);
        store = *std::move(opened);
    }

    /// All games as text.
    std::string dump() {
        std::string text;
        for (const GameCore* core : built_games()) {
            const auto counts = dump_positions(
                *core, *store,
                [&](std::string_view line) {
                    text += std::string(line) + '\n';
                    return true;
                },
                [](std::uint64_t, std::uint64_t) { return true; });
            INFO((counts ? "" : counts.error()));
            REQUIRE(counts);
            CHECK(counts->damaged == 0);
        }
        return text;
    }

    struct Loaded {
        std::uint64_t added = 0;
        std::uint64_t changed = 0;
        std::vector<std::pair<std::uint64_t, std::string>> faults;
    };
    /// Reads text into the store.
    Loaded load(const std::string& text, const GameCore* only = nullptr) {
        const TemporaryFile file(text);
        auto lines = LineSource::open(file.path(), max_position_line);
        REQUIRE(lines);
        LineSource source = *std::move(lines);
        StoreAddition addition(*store);
        DumpReader reader(addition, only);
        Loaded loaded;
        const auto go_on = [](std::uint64_t, std::uint64_t) { return true; };
        const auto read = reader.read(
            source,
            [&](std::uint64_t line, const std::string& problem) {
                loaded.faults.emplace_back(line, problem);
            },
            go_on);
        INFO((read ? "" : read.error()));
        REQUIRE(read);
        CHECK(*read);
        const auto finished = addition.finish(go_on);
        INFO((finished ? "" : finished.error()));
        REQUIRE(finished);
        CHECK(*finished);
        loaded.added = addition.added();
        loaded.changed = addition.changed();
        return loaded;
    }

    TemporaryFolder folder;
    std::unique_ptr<EmbeddedStore> store;
};

/// Scores for all moves that depend on nothing but the moves and `salt`.
std::vector<KnownMove> made_up_scores(const GameRules& rules, const Position& position,
                                      std::uint64_t salt, std::uint8_t depth) {
    std::vector<KnownMove> moves;
    for (const CanonicalMove& move : canonical_moves(rules, position)) {
        const std::uint64_t number = (key_of(move.after) ^ salt) * 0x9E3779B97F4A7C15U >> 40;
        moves.push_back({static_cast<std::uint8_t>(moves.size()),
                         static_cast<std::int16_t>(static_cast<int>(number % 101) - 50), depth,
                         ScoreSource::search});
    }
    return moves;
}

/// Adds a position and all that moves lead to, so many plies deep.
void add_lines(PositionDatabase& database, const Position& position, int plies, std::uint8_t ply,
               const std::optional<Position>& parent, std::uint64_t salt, std::uint8_t depth) {
    const GameRules& rules = database.rules();
    if (rules.count_moves(position) == 0) return;
    REQUIRE_FALSE(
        database.add(position, made_up_scores(rules, position, salt, depth), ply, parent));
    if (plies == 0) return;
    for (const CanonicalMove& move : canonical_moves(rules, position))
        add_lines(database, move.after, plies - 1, static_cast<std::uint8_t>(ply + 1), position,
                  salt, depth);
}

/// The line of a position with what is only searched of it.
std::string searched_line(const GameRules& rules, const Position& position, std::uint64_t salt,
                          std::uint8_t depth, std::uint8_t ply) {
    return position_line(rules, {key_of_board(position),
                                 {ply, made_up_scores(rules, position, salt, depth), {}}}) +
           '\n';
}

std::map<std::string, KnownPosition> all_known(const GameCore& core, PositionStore& store) {
    PositionDatabase database(core, store, nullptr);
    std::map<std::string, KnownPosition> all;
    REQUIRE_FALSE(database.for_each([&](const Position& position, const KnownPosition& known) {
        all[to_fen(core.rules, position)] = known;
        return true;
    }));
    return all;
}

/// Scores and sources of the moves, without depths.
bool have_equal_scores(const KnownPosition& a, const KnownPosition& b) {
    return std::equal(a.moves.begin(), a.moves.end(), b.moves.begin(), b.moves.end(),
                      [](const KnownMove& x, const KnownMove& y) {
                          return x.index == y.index && x.score == y.score && x.source == y.source;
                      });
}

const GameRules& english_rules() {
    return find_game("english")->rules;
}

}  // namespace

TEST_CASE("a line gives back what is known of a position", "[posdb][dump]") {
    Random random(1601);
    for (const GameCore* core : built_games()) {
        const GameRules& rules = core->rules;
        for (int i = 0; i < 400; ++i) {
            const Position position = testing::random_position(random, i % 2 == 0 ? 20 : 60);
            const auto legal = canonical_moves(rules, position);
            if (legal.empty()) continue;
            PositionEntry entry{key_of_board(position), {}};
            entry.known.ply = static_cast<std::uint8_t>(random.below(256));
            for (std::size_t m = 0; m < legal.size(); ++m)
                if (random.below(4) != 0)
                    entry.known.moves.push_back(
                        {static_cast<std::uint8_t>(m),
                         static_cast<std::int16_t>(random.below(60001) - 30000),
                         static_cast<std::uint8_t>(random.below(256)),
                         static_cast<ScoreSource>(random.below(4))});
            const std::string line = position_line(rules, entry);
            INFO(rules.name << ' ' << line);
            const auto read = read_position_line(rules, line + " ;");
            INFO((read ? "" : read.error()));
            REQUIRE(read);
            CHECK(read->key == entry.key);
            CHECK(read->known == entry.known);
            // What it leads to names it as a parent.
            const Position& after = legal.front().after;
            if (rules.count_moves(after) == 0 || find_fault(after)) continue;
            const PositionEntry below{key_of_board(after), {7, {}, {entry.key}}};
            const auto again = read_position_line(rules, position_line(rules, below));
            INFO((again ? "" : again.error()));
            REQUIRE(again);
            CHECK(again->known == below.known);
        }
    }
}

TEST_CASE("a line of a dump looks as it is described", "[posdb][dump]") {
    const GameRules& rules = english_rules();
    const auto read = read_position_line(
        rules, "W:W21-32:B1-8,10-13; 24-20 -3 12; ply 1; 22-18 30000 0 final; from B:W21-32:B1-12");
    INFO((read ? "" : read.error()));
    REQUIRE(read);
    CHECK(position_line(rules, *read) ==
          "B:W20,21,22,23,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12; ply 1; 11-15 30000 "
          "0 final; 9-13 -3 12 search; from "
          "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
    // The name of a capture is that of the API.
    const auto circle = read_position_line(rules, "B:W6,7,14,15:BK2; 2x11x18x9x2 5 6 egdb");
    REQUIRE(circle);
    CHECK(position_line(rules, *circle) == "B:W6,7,14,15:BK2; 2x9x18x11x2 5 6 egdb");
}

TEST_CASE("a line that is none is refused with a reason", "[posdb][dump][hostile]") {
    const GameRules& rules = english_rules();
    const std::string start = "B:W21-32:B1-12";
    std::string many;
    for (int i = 0; i < 70; ++i)
        many += "; from W:W21-32:B1-12";
    for (const std::string& bad : {std::string(),
                                   std::string("x"),
                                   std::string("B:W1:B2; 2-6 1 1"),
                                   std::string("B:W5:B"),
                                   std::string("B:W8,11:B4"),
                                   start + "; 11-18 1 2",
                                   start + "; 11-15",
                                   start + "; 11-15 1",
                                   start + "; 11-15 1 256",
                                   start + "; 11-15 30001 2",
                                   start + "; 11-15 1 -1",
                                   start + "; 11-15 1 2 book",
                                   start + "; 11-15 1 2 search x",
                                   start + "; 11-15 1 2; 11-15 1 2",
                                   start + "; ply",
                                   start + "; ply 256",
                                   start + "; ply 1; ply 1",
                                   start + "; from",
                                   start + "; from W:W21-32:B1-12",
                                   start + "; from B:W21-32:B1-12",
                                   start + many,
                                   start + std::string(70000, ' ')}) {
        INFO(bad.substr(0, 100));
        const auto read = read_position_line(rules, bad);
        REQUIRE_FALSE(read);
        CHECK_FALSE(read.error().empty());
        CHECK(read.error().size() < 200);
    }
    Random random(1602);
    const std::string good = start + "; ply 3; 11-15 4 22 search; 9-14 -3 17 final";
    for (int i = 0; i < 3000; ++i) {
        std::string text = good;
        for (int changes = 1 + random.below(4); changes > 0; --changes)
            text[random.below(text.size())] = static_cast<char>(random.below(256));
        const auto read = read_position_line(rules, text);
        if (read) CHECK(decode_sound(rules, read->key, encode(read->known, rules, read->key)));
    }
}

TEST_CASE("a dump that is loaded and dumped again is the same", "[posdb][dump]") {
    DumpFixture fixture;
    Random random(1603);
    for (const GameCore* core : built_games()) {
        PositionDatabase database(*core, *fixture.store, nullptr);
        add_lines(database, core->rules.start_position(), 3, 0, {}, 5, 12);
        // With kings: lines that come back, and proven scores.
        const Position ending = *parse_fen(core->rules, "W:W22,K30:BK1,5");
        add_lines(database, ending, 2, 80, {}, 6, 3);
        const std::vector<KnownMove> proven = {{0, 29990, 9, ScoreSource::final}};
        REQUIRE_FALSE(database.add(ending, proven, 80, {}));
        for (const auto& [fen, known] : all_known(*core, *fixture.store))
            REQUIRE_FALSE(database.settle(key_of_board(*parse_fen(core->rules, fen)),
                                          PositionDatabase::Relatives::all));
    }
    const std::string text = fixture.dump();
    CHECK(std::count(text.begin(), text.end(), '\n') > 1000);
    DumpFixture copy;
    const auto loaded = copy.load("# a remark\r\n\n" + text);
    CHECK(loaded.faults.empty());
    CHECK(loaded.added + 6 ==
          static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')));
    CHECK(loaded.changed == loaded.added);
    CHECK((copy.dump() == text));
    for (const GameCore* core : built_games())
        CHECK(all_known(*core, *copy.store) == all_known(*core, *fixture.store));
    // Again: nothing is new.
    CHECK(copy.load(text).changed == 0);
    CHECK((copy.dump() == text));
    // In any order of the lines, of one game alone, and in Windows' lines.
    const GameCore& czech = *find_game("czech");
    DumpFixture other;
    std::string windows;
    for (const char c : text)
        windows += c == '\n' ? "\r\n" : std::string(1, c);
    CHECK(other.load(windows, &czech).faults.empty());
    CHECK(all_known(czech, *other.store) == all_known(czech, *fixture.store));
    CHECK(all_known(*find_game("english"), *other.store).empty());
}

TEST_CASE("scores that are loaded become minimax values", "[posdb][dump]") {
    for (const GameCore* core : built_games()) {
        const GameRules& rules = core->rules;
        INFO(rules.name);
        DumpFixture one_by_one;
        PositionDatabase database(*core, *one_by_one.store, nullptr);
        add_lines(database, rules.start_position(), 3, 0, {}, 7, 9);
        DumpFixture at_once;
        std::string text = "game " + std::string(rules.file_word) + '\n';
        std::vector<Position> level = {rules.start_position()};
        for (std::uint8_t ply = 0; ply <= 3; ++ply) {
            std::vector<Position> next;
            for (const Position& position : level) {
                text += searched_line(rules, position, 7, 9, ply);
                for (const CanonicalMove& move : canonical_moves(rules, position))
                    next.push_back(move.after);
            }
            level = next;
        }
        CHECK(at_once.load(text).faults.empty());
        const auto wanted = all_known(*core, *one_by_one.store);
        const auto found = all_known(*core, *at_once.store);
        REQUIRE(found.size() == wanted.size());
        for (const auto& [fen, known] : wanted) {
            INFO(fen);
            CHECK(have_equal_scores(found.at(fen), known));
            CHECK(found.at(fen).ply == known.ply);
        }
    }
}

TEST_CASE("what is loaded reaches positions that were there before", "[posdb][dump]") {
    const GameCore& core = *find_game("english");
    const GameRules& rules = core.rules;
    DumpFixture fixture;
    PositionDatabase database(core, *fixture.store, nullptr);
    const Position start = rules.start_position();
    REQUIRE_FALSE(database.add(start, made_up_scores(rules, start, 1, 5), 0, {}));
    const Position after = canonical_moves(rules, start).front().after;
    CHECK(fixture.load(searched_line(rules, after, 2, 5, 1), &core).changed == 1);
    const auto above = database.find(start);
    const auto below = database.find(after);
    REQUIRE((above && *above && below && *below));
    CHECK((*above)->find(0)->source == ScoreSource::expansion);
    CHECK((*above)->find(0)->score == -(*below)->best());
    CHECK((*below)->parents == std::vector{key_of_board(start)});
    // The deeper search stays, whichever comes first.
    const auto deep = searched_line(rules, after, 3, 9, 1);
    CHECK(fixture.load(deep, &core).changed == 1);
    CHECK(fixture.load(searched_line(rules, after, 4, 5, 1), &core).changed == 0);
    CHECK(fixture.load(deep, &core).changed == 0);
    const auto kept = database.find(after);
    CHECK((*kept)->moves == made_up_scores(rules, after, 3, 9));
    CHECK((*database.find(start))->find(0)->score == -(*kept)->best());
}

TEST_CASE("a load that was stopped goes on when it is repeated", "[posdb][dump]") {
    const GameCore& core = *find_game("italian");
    const GameRules& rules = core.rules;
    // Searched scores only, the last positions of the lines last: much is to be carried up.
    std::string text = "game italian\n";
    std::vector<Position> level = {rules.start_position()};
    std::uint64_t lines = 0;
    for (std::uint8_t ply = 0; ply <= 2; ++ply) {
        std::vector<Position> next;
        for (const Position& position : level) {
            text += searched_line(rules, position, 7, 9, ply);
            ++lines;
            for (const CanonicalMove& move : canonical_moves(rules, position))
                next.push_back(move.after);
        }
        level = next;
    }
    DumpFixture whole;
    CHECK(whole.load(text).added == lines);
    const std::string wanted = whole.dump();
    const TemporaryFile file(text);
    for (const std::uint64_t stop :
         {std::uint64_t{0}, lines / 3, lines - 1, lines + 1, lines + lines / 2, 2 * lines}) {
        DumpFixture fixture;
        auto source = LineSource::open(file.path(), max_position_line);
        REQUIRE(source);
        LineSource source_lines = *std::move(source);
        StoreAddition addition(*fixture.store);
        DumpReader reader(addition, nullptr);
        std::uint64_t steps = 0;
        const auto go_on = [&](std::uint64_t, std::uint64_t) { return steps++ < stop; };
        const auto read = reader.read(
            source_lines, [](std::uint64_t, const std::string&) {}, go_on);
        REQUIRE(read);
        if (*read) {
            const auto finished = addition.finish(go_on);
            REQUIRE(finished);
            CHECK_FALSE(*finished);
        }
        CHECK((fixture.dump() != wanted));
        CHECK(fixture.load(text).added == lines);
        CHECK((fixture.dump() == wanted));
    }
}

TEST_CASE("positions go to a server and back as they are", "[posdb][dump][redis]") {
    if (!has_redis()) return;
    const RedisServer server;
    const auto redis = open_store(server.url(), [](const std::string&) {});
    REQUIRE(redis);
    const GameCore& core = *find_game("spanish");
    DumpFixture fixture;
    PositionDatabase database(core, *fixture.store, nullptr);
    add_lines(database, core.rules.start_position(), 2, 0, {}, 5, 12);
    const std::string text = fixture.dump();
    StoreAddition addition(**redis);
    for (const auto& [fen, known] : all_known(core, *fixture.store))
        REQUIRE_FALSE(addition.of(core).add(key_of_board(*parse_fen(core.rules, fen)), known));
    const auto go_on = [](std::uint64_t, std::uint64_t) { return true; };
    const auto finished = addition.finish(go_on);
    REQUIRE(finished);
    std::string again;
    const auto counts = dump_positions(
        core, **redis,
        [&](std::string_view line) {
            again += std::string(line) + '\n';
            return true;
        },
        go_on);
    REQUIRE(counts);
    CHECK((again == text));
}

TEST_CASE("what a killed book has left comes before what is loaded", "[posdb][dump]") {
    DumpFixture fixture;
    const GameCore& core = *find_game("english");
    const PositionKey start = key_of_board(core.rules.start_position());
    const std::string value = encode({3, {}, {}}, core.rules, start);
    const std::string journal = fixture.folder.path() + "/english.journal";
    {
        LogReport report;
        auto opened = RecordLog::open(
            journal, "GRP1", [](std::uint64_t, std::string_view) {}, report);
        REQUIRE(opened);
        RecordLog log = *std::move(opened);
        std::string record(1, '\0');
        append_key(record, start);
        REQUIRE(log.append(record + value));
        REQUIRE(log.append("end"));
    }
    fixture.store.reset();
    {
        const auto opened = open_store_at(fixture.folder.path());
        REQUIRE(opened);
        const auto found = (*opened)->get(StoreGame::english, start);
        REQUIRE((found && *found));
        CHECK((*found)->bytes == value);
    }
    // It is made up for once only.
    LogReport report;
    REQUIRE(RecordLog::open(
        journal, "GRP1", [](std::uint64_t, std::string_view) {}, report));
    CHECK(report.records == 0);
}

TEST_CASE("plies that are loaded reach the ends of their lines", "[posdb][dump]") {
    const GameCore& core = *find_game("czech");
    const GameRules& rules = core.rules;
    std::string text;
    std::vector<Position> line = {rules.start_position()};
    while (line.size() < 12)
        line.push_back(canonical_moves(rules, line.back()).front().after);
    for (const Position& position : line)
        text += searched_line(rules, position, 1, 5, position == line.front() ? 0 : 255);
    DumpFixture fixture;
    CHECK(fixture.load(text, &core).faults.empty());
    PositionDatabase database(core, *fixture.store, nullptr);
    for (std::size_t ply = 0; ply < line.size(); ++ply)
        CHECK((*database.find(line[ply]))->ply == ply);
    DumpFixture again;
    again.load(fixture.dump());
    CHECK(again.dump() == fixture.dump());
}

TEST_CASE("faulty lines of a dump are told by their numbers and left out",
          "[posdb][dump][hostile]") {
    const std::string line = "B:W21-32:B1-12; 11-15 1 2 search\n";
    DumpFixture fixture;
    const auto faults = [&](const std::string& text, const GameCore* only = nullptr) {
        std::string all;
        for (const auto& [number, problem] : fixture.load(text, only).faults)
            all += std::to_string(number) + ": " + problem + '\n';
        return all;
    };
    CHECK(faults(line) == "1: no line before it says which game it is of\n");
    CHECK(faults(line, find_game("english")).empty());
    CHECK(faults("game english\n" + line + "\nx\n" + line) ==
          "4: a FEN begins with W: or B:, not with 'x'\n");
    CHECK(faults("game chess 2\n" + line + line + "game english 1\n" + line) ==
          "1: there is no game 'chess'; its lines are passed over\n");
    CHECK(faults("game english 2\n" + line) == "2: there are 1 lines of positions, not 2\n");
    CHECK(faults("game english -1\n" + line) == "1: the number of positions is none\n");
    CHECK(faults("game english 1\n" + line.substr(0, line.size() - 8)) ==
          "2: the file ends within the line\n");
    CHECK(faults("game english\n" + line.substr(0, line.size() - 1)).empty());
    for (const std::size_t size : {65530UL, 65537UL, 300000UL, 600000UL})
        CHECK(
            faults("game english\n" + std::string(size, 'x') + "\n" + line + "?\n").substr(0, 3) ==
            "2: ");
    CHECK(faults("game english 2\n" + line + std::string(300000, 'x')) ==
          "3: the line is too long\n");
    CHECK(all_known(*find_game("english"), *fixture.store).size() == 1);
    CHECK(all_known(*find_game("czech"), *fixture.store).empty());
}

TEST_CASE("damaged dumps do no harm", "[posdb][dump][hostile]") {
    DumpFixture fixture;
    const GameCore& core = *find_game("russian");
    PositionDatabase database(core, *fixture.store, nullptr);
    add_lines(database, core.rules.start_position(), 1, 0, {}, 5, 12);
    const std::string text = fixture.dump();
    for (std::size_t size = 0; size < text.size(); size += 97) {
        DumpFixture cut;
        const auto loaded = cut.load(text.substr(0, size));
        // A dump that was cut is never taken for a whole one.
        CHECK(loaded.faults.empty() == (size == 0));
        const auto all = all_known(core, *cut.store);
        CHECK(all.size() == loaded.added);
    }
    Random random(1604);
    for (int i = 0; i < 60; ++i) {
        std::string damaged = text;
        for (int changes = 1 + random.below(30); changes > 0; --changes)
            damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
        DumpFixture other;
        other.load(damaged, random.below(2) == 0 ? &core : nullptr);
        other.dump();  // all that is stored makes sense
    }
}

TEST_CASE("a dump tells of damaged values and writes the others", "[posdb][dump]") {
    DumpFixture fixture;
    const GameCore& core = *find_game("english");
    PositionDatabase database(core, *fixture.store, nullptr);
    const Position start = core.rules.start_position();
    REQUIRE_FALSE(database.add(start, made_up_scores(core.rules, start, 1, 5), 0, {}));
    REQUIRE(fixture.store->update(StoreGame::english, {1, 1, 1}, 0, "rubbish"));
    REQUIRE(fixture.store->update(StoreGame::english, {0x80000000, 1, 0}, 0, "rubbish"));
    int lines = 0;
    const auto counts = dump_positions(
        core, *fixture.store,
        [&](std::string_view) {
            ++lines;
            return true;
        },
        [](std::uint64_t, std::uint64_t) { return true; });
    REQUIRE(counts);
    CHECK(counts->positions == 1);
    CHECK(counts->damaged == 2);
    CHECK(lines == 2);
    CHECK_FALSE(dump_positions(
        core, *fixture.store, [](std::string_view) { return false; },
        [](std::uint64_t, std::uint64_t) { return true; }));
    CHECK_FALSE(dump_positions(
        core, *fixture.store, [](std::string_view) { return true; },
        [](std::uint64_t, std::uint64_t) { return false; }));
}

}  // namespace defiance
