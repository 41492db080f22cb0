// Stores as text, and text into a store again.

#include "dump_fixture.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/random.hpp>
#include <tools/store/byte_codec.hpp>
#include <tools/store/record_log.hpp>

#include "redis_server.hpp"

namespace defiance {

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
        PositionDatabase::Changes changes;
        for (const auto& [fen, known] : all_known(*core, *fixture.store))
            REQUIRE_FALSE(database.reconcile(key_of_board(*parse_fen(core->rules, fen)),
                                             PositionDatabase::Relatives::all, changes));
        REQUIRE_FALSE(database.carry_up(changes, PositionDatabase::max_steps_up));
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

}  // namespace defiance
