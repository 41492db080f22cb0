#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/random.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/games.hpp>
#include <tools/training/rescore.hpp>

#include "../base/temporary.hpp"
#include "selfplay_support.hpp"

using namespace defiance;
using Catch::Matchers::Contains;

namespace {

const GameRules& english_rules = rules_of<English>;

TrainingRecord record(const char* fen, Score score, int result) {
    const Result<Position> position = parse_fen(english_rules, fen);
    REQUIRE(position);
    TrainingRecord made = record_of(*position, score);
    made.result = static_cast<std::int8_t>(result);
    return made;
}

/// One block with one game.
SelfplayBlock game_of(std::vector<TrainingRecord> records) {
    records.front().flags = TrainingRecord::first_of_game;
    SelfplayBlock block;
    block.games.push_back(
        {40, static_cast<std::uint16_t>(records.size()), 0, SelfplayEnd::repetition});
    block.records = std::move(records);
    return block;
}

Endgames<English> databases_to(int pieces) {
    EndgameSettings settings;
    settings.max_pieces = pieces;
    return Endgames<English>(settings);
}

}  // namespace

TEST_CASE("plies between two records are found by playing moves", "[tools][selfplay]") {
    const auto from = record("B:W21,22,K30:B1,2,K12", 0, 0);
    CHECK(plies_between(english_rules, from, record("W:W21,22,K30:B1,6,K12", 0, 0)) == 1);
    CHECK(plies_between(english_rules, from, record("B:W17,22,K30:B1,6,K12", 0, 0)) == 2);
    CHECK(plies_between(english_rules, from, record("W:W17,22,K30:B1,9,K12", 0, 0)) == 3);
    // A man for a man: 6-9 13x6 2x9.
    const auto exchanged = record("W:WK32:BK1,K9", 0, 0);
    CHECK(plies_between(english_rules, record("B:WK32,13:B6,K1,K2", 0, 0), exchanged) == 3);
    CHECK_FALSE(plies_between(english_rules, exchanged, record("W:WK32:BK1,K9,10", 0, 0)));
    CHECK_FALSE(plies_between(english_rules, from, record("B:W17,22,K30:B24,25,K12", 0, 0)));
}

TEST_CASE("the plies between positions of games are those that were played", "[tools][selfplay]") {
    Random random(3);
    int found = 0;
    for (int game = 0; game < 40; ++game) {
        Position p = english_rules.start_position();
        std::vector<Position> played = {p};
        for (; played.size() < 60; played.push_back(p)) {
            MoveList moves;
            english_rules.generate_moves(p, moves);
            if (moves.empty()) break;
            p = english_rules.after(p, moves[random.below(moves.size())]);
        }
        const std::size_t plies = 1 + static_cast<std::size_t>(random.below(3));
        if (played.size() < 2 + plies) continue;
        const std::size_t first = random.below(played.size() - plies);
        const auto between = plies_between(english_rules, record_of(played[first], 0),
                                           record_of(played[first + plies], 0));
        REQUIRE(between);
        CHECK(static_cast<std::size_t>(*between) == plies);
        ++found;
    }
    CHECK(found > 20);
}

TEST_CASE("results come from the next known position of the game", "[tools][selfplay]") {
    const TrainingRecord unknown = record("B:WK32,13:B6,K1,K2", -40, 0);
    const TrainingRecord lost = record("W:WK32:BK1,K9", -300, 0);
    const TrainingRecord won = record("B:WK28:BK1,K9", 1500, 0);
    SelfplayBlock block = game_of({unknown, lost, won, record("W:WK28:BK6,K9", -1600, 1)});
    const SelfplayBlock before = block;
    const RescoreCounts counts = rescore(block, databases_to(4));
    CHECK(counts.records == 4);
    CHECK(counts.known == 3);
    CHECK(counts.changed == 4);
    CHECK(block.games == before.games);
    const std::vector<int> results = {1, -1, 1, -1};
    const std::vector<Score> scores = {-40, -min_rescored_win, 1500, -1600};
    for (std::size_t i = 0; i < results.size(); ++i) {
        CAPTURE(i);
        CHECK(int{block.records[i].result} == results[i]);
        CHECK(int{block.records[i].score} == scores[i]);
        TrainingRecord same = block.records[i];
        same.result = before.records[i].result;
        same.score = before.records[i].score;
        CHECK(same == before.records[i]);
    }
}

TEST_CASE("what comes after the last known position or before a gap keeps its result",
          "[tools][selfplay]") {
    const TrainingRecord elsewhere = record("B:WK32,13:B7,K1,K2", 70, -1);
    const TrainingRecord drawn = record("W:WK32:BK1", 25, 1);
    const TrainingRecord after = record("B:WK28,13:BK1,6,K2", 90, 1);
    SelfplayBlock block = game_of({elsewhere, drawn, after});
    const RescoreCounts counts = rescore(block, databases_to(4));
    CHECK(counts.known == 1);
    CHECK(counts.changed == 1);
    CHECK(int{block.records[0].result} == -1);
    CHECK(int{block.records[1].result} == 0);
    CHECK(int{block.records[1].score} == 0);
    CHECK(block.records[2] == after);
}

TEST_CASE("games are rescored by larger databases only, into another file", "[tools][selfplay]") {
    const TemporaryFolder folder;
    const std::string run = folder.path() + "/run";
    const std::string out = folder.path() + "/out";
    REQUIRE(run_to(run, quick_run(70)).empty());
    const Endgames<English> databases = databases_to(5);
    const auto done = rescore_file(out, run, databases);
    REQUIRE((done && *done));
    const RescoreCounts* const counts = &**done;
    const SelfplayContent before = read_selfplay(run);
    const SelfplayContent after = read_selfplay(out);
    CHECK(after.problem.empty());
    CHECK(after.is_complete);
    CHECK(counts->records == before.records.size());
    CHECK(counts->known > 0);
    // Games of 40 nodes do not play endings of four and five pieces well.
    CHECK(counts->changed > 0);
    CHECK(after.games == before.games);
    REQUIRE(after.records.size() == before.records.size());
    std::uint64_t changed = 0;
    for (std::size_t i = 0; i < before.records.size(); ++i)
        changed += before.records[i].result != after.records[i].result;
    CHECK(changed == counts->changed);
    CHECK(SelfplayReader::open(out)->settings().rescored == 5);

    // The same command again has nothing to do, also after one that was killed.
    const std::string rescored = content_of(out);
    const auto again = rescore_file(out, run, databases);
    REQUIRE(again);
    CHECK_FALSE(*again);
    for (const char* name : {"out", "out.new"}) {
        folder.write(name, rescored.substr(0, rescored.size() - 1));
        const auto resumed = rescore_file(out, run, databases);
        INFO((resumed ? "" : resumed.error()));
        CHECK((resumed && resumed->has_value() == (std::string_view(name) == "out")));
        CHECK(is_same(content_of(out), rescored));
    }
    CHECK_THAT(rescore_file(run, run, databases).error(), Contains("is there already"));
    CHECK_THAT(rescore_file(out + '2', out, databases).error(), Contains("as large"));
    // A run does not go on in it.
    CHECK_THAT(run_to(out, quick_run(70)), Contains("its results are rescored"));
    const std::string whole = content_of(run);
    folder.write("cut", whole.substr(0, whole.size() - 1) + '?');
    CHECK_THAT(rescore_file(out + '3', folder.path() + "/cut", databases).error(),
               Contains("is damaged"));
    CHECK_FALSE(file_exists(out + '3'));
    CHECK_FALSE(file_exists(out + "3.new"));
    // Nothing is written over what is to be read.
    folder.write("six.new", whole);
    CHECK_THAT(rescore_file(folder.path() + "/six", folder.path() + "/six.new", databases).error(),
               Contains("is to be read"));
    CHECK(content_of(folder.path() + "/six.new") == whole);
    // The games of a run that goes on later are not lost to a shorter one.
    folder.write("shorter", whole.substr(0, encode(quick_run(70)).size()));
    const auto of_shorter = rescore_file(out + '4', folder.path() + "/shorter", databases);
    REQUIRE((of_shorter && *of_shorter));
    CHECK_FALSE((*of_shorter)->is_complete);
    // The same command adds them.
    folder.write("shorter", whole);
    REQUIRE(rescore_file(out + '4', folder.path() + "/shorter", databases));
    CHECK(is_same(content_of(out + '4'), rescored));
    folder.write("shorter", whole.substr(0, encode(quick_run(70)).size()));
    folder.write("out5", rescored.substr(0, rescored.size() - 1));
    CHECK_THAT(rescore_file(folder.path() + "/out5", folder.path() + "/shorter", databases).error(),
               Contains("holds more games"));
    CHECK(content_of(folder.path() + "/out5").size() == rescored.size() - 1);
}
