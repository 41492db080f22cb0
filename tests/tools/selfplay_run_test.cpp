#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <thread>

#include <defiance/base/clock.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/games.hpp>
#include <tools/support/games.hpp>
#include <tools/training/game_player.hpp>
#include <tools/training/merge.hpp>

#include "../base/full_disk.hpp"
#include "../base/temporary.hpp"
#include "selfplay_support.hpp"

using namespace defiance;
using Catch::Matchers::Contains;

namespace {

/// A run of two blocks, and where they begin.
struct FileOfTwoBlocks {
    FileOfTwoBlocks() {
        REQUIRE(run_to(path, settings).empty());
        whole = content_of(path);
        header = encode(settings).size();
        second = whole.find("BLOK", header + 4);
        REQUIRE(second < whole.size());
    }

    TemporaryFolder folder;
    SelfplaySettings settings = quick_run(70);
    std::string path = folder.path() + "/run";
    std::string whole;
    std::size_t header = 0;
    std::size_t second = 0;
};

}  // namespace

TEST_CASE("self-play makes the same file with any number of threads", "[tools][selfplay]") {
    const TemporaryFolder folder;
    const SelfplaySettings settings = quick_run(200);
    REQUIRE(run_to(folder.path() + "/one", settings, 1).empty());
    REQUIRE(run_to(folder.path() + "/two", settings, 2).empty());
    REQUIRE(run_to(folder.path() + "/five", settings, 5).empty());
    const std::string one = content_of(folder.path() + "/one");
    CHECK(is_same(one, content_of(folder.path() + "/two")));
    CHECK(is_same(one, content_of(folder.path() + "/five")));
}

TEST_CASE("another seed gives other games", "[tools][selfplay]") {
    const TemporaryFolder folder;
    SelfplaySettings settings = quick_run(10);
    REQUIRE(run_to(folder.path() + "/one", settings).empty());
    ++settings.seed;
    REQUIRE(run_to(folder.path() + "/other", settings).empty());
    CHECK(read_selfplay(folder.path() + "/one").records !=
          read_selfplay(folder.path() + "/other").records);
}

TEST_CASE("the shards of a run, merged, are the run", "[tools][selfplay]") {
    const TemporaryFolder folder;
    const SelfplaySettings run = quick_run(3 * 64 + 3);
    REQUIRE(run_to(folder.path() + "/run", run).empty());
    std::vector<std::string> shards;
    for (std::uint32_t i = 0; i < 3; ++i) {
        SelfplaySettings shard = run;
        shard.shard = i;
        shard.shards = 3;
        shards.insert(shards.begin(), folder.path() + "/shard" + std::to_string(i));
        REQUIRE(run_to(shards.front(), shard).empty());
    }
    const std::string merged = folder.path() + "/merged";
    REQUIRE_FALSE(merge_shards(merged, shards));
    CHECK(is_same(content_of(merged), content_of(folder.path() + "/run")));
    const auto problem_of = [](const std::string& output, const std::vector<std::string>& inputs) {
        const auto error = merge_shards(output, inputs);
        return error ? error->text : "";
    };
    CHECK_FALSE(file_exists(merged + ".new"));
    // The same command again has nothing to do.
    CHECK(problem_of(merged, shards).empty());
    CHECK(is_same(content_of(merged), content_of(folder.path() + "/run")));
    // An input is never the output.
    const std::string first = content_of(shards[0]);
    CHECK_THAT(problem_of(shards[0], shards), Contains("is there already"));
    CHECK(is_same(content_of(shards[0]), first));
    folder.write("text", "something else");
    CHECK_THAT(problem_of(folder.path() + "/text", shards), Contains("is there already"));
    CHECK(content_of(folder.path() + "/text") == "something else");
    const std::string next = folder.path() + "/next";
    CHECK_THAT(problem_of(next, {shards[0], shards[1]}), Contains("is one of 3 shards"));
    CHECK_THAT(problem_of(next, {shards[0], shards[1], shards[0]}), Contains("given already"));
    CHECK_THAT(problem_of(next, {shards[0], shards[1], "/nowhere/absent"}), Contains("absent"));
    SelfplaySettings other = run;
    other.shards = 3;
    other.nodes = 41;
    REQUIRE(run_to(folder.path() + "/other", other).empty());
    CHECK_THAT(problem_of(next, {shards[0], shards[1], folder.path() + "/other"}),
               Contains("other settings"));
    const std::string whole = content_of(shards[0]);
    folder.write("cut", whole.substr(0, whole.size() - 1));
    CHECK_THAT(problem_of(next, {folder.path() + "/cut", shards[1], shards[2]}),
               Contains("shard 2 is incomplete"));
    folder.write("bad", whole.substr(0, whole.size() - 1) + '?');
    CHECK_THAT(problem_of(next, {folder.path() + "/bad", shards[1], shards[2]}),
               Contains("is damaged"));
    CHECK_THAT(problem_of(next, std::vector<std::string>(901, "shard")), Contains("900 files"));
    // What could not be finished leaves nothing and does not stand in the way.
    CHECK_FALSE(file_exists(next));
    CHECK_FALSE(file_exists(next + ".new"));
    REQUIRE_FALSE(merge_shards(next, shards));
    CHECK(is_same(content_of(next), content_of(merged)));
}

TEST_CASE("a merge that was killed can be given again", "[tools][selfplay]") {
    const TemporaryFolder folder;
    SelfplaySettings settings = quick_run(3 * 64 + 3);
    settings.shards = 2;
    std::vector<std::string> shards;
    for (; settings.shard < settings.shards; ++settings.shard) {
        shards.push_back(folder.path() + "/shard" + std::to_string(settings.shard));
        REQUIRE(run_to(shards.back(), settings).empty());
    }
    const std::string whole_path = folder.path() + "/whole";
    REQUIRE_FALSE(merge_shards(whole_path, shards));
    const std::string whole = content_of(whole_path);
    // Before the file was complete, and as an older version of the program left it.
    for (const char* name : {"again.new", "again"}) {
        for (const std::size_t size :
             {std::size_t{0}, std::size_t{5}, whole.size() / 2, whole.size() - 1}) {
            CAPTURE(name, size);
            folder.write(name, whole.substr(0, size));
            CHECK_FALSE(merge_shards(folder.path() + "/again", shards));
            CHECK(is_same(content_of(folder.path() + "/again"), whole));
            CHECK_FALSE(file_exists(folder.path() + "/again.new"));
            remove_file(folder.path() + "/again");
        }
    }
    folder.write("again.new", std::string(2 * whole.size(), 'x'));
    CHECK_FALSE(merge_shards(folder.path() + "/again", shards));
    CHECK(is_same(content_of(folder.path() + "/again"), whole));
}

TEST_CASE("a run goes on from any place where its file was cut", "[tools][selfplay]") {
    const FileOfTwoBlocks run;
    const auto& [folder, settings, path, whole, header, second] = run;
    for (const std::size_t size : {std::size_t{0}, std::size_t{5}, header - 1, header, header + 3,
                                   header + 30, second - 1, second, second + 7, whole.size() - 1}) {
        folder.write("run", whole.substr(0, size));
        CHECK(run_to(path, settings, 2).empty());
        CHECK(is_same(content_of(path), whole));
    }
    CHECK(run_to(path, settings).empty());
    CHECK(is_same(content_of(path), whole));
}

TEST_CASE("a run goes on where its file ends in zeros, as after a power failure",
          "[tools][selfplay]") {
    const FileOfTwoBlocks run;
    const auto& [folder, settings, path, whole, header, second] = run;
    REQUIRE(second > header + 2000);
    for (const std::size_t size :
         {header, header + 3, header + 30, second - 600, second, second + 7}) {
        INFO(size);
        folder.write("run", whole.substr(0, size) + std::string(10'000, '\0'));
        const SelfplayContent content = read_selfplay(path);
        CHECK(content.problem.empty());
        CHECK(content.is_torn);
        CHECK(run_to(path, settings, 2).empty());
        CHECK(is_same(content_of(path), whole));
    }
    // Zeros in the middle are damage.
    std::string bytes = whole;
    bytes.replace(header + 600, 1000, 1000, '\0');
    folder.write("run", bytes);
    CHECK_FALSE(run_to(path, settings).empty());
    CHECK(is_same(content_of(path), bytes));
}

TEST_CASE("what a run has found does not count as played", "[tools][selfplay]") {
    const TemporaryFolder folder;
    const SelfplaySettings settings = quick_run(70);
    const std::string path = folder.path() + "/run";
    REQUIRE(run_to(path, settings).empty());
    const std::string whole = content_of(path);
    const std::size_t records = read_selfplay(path).records.size();
    folder.write("run", whole.substr(0, whole.size() - 1));
    const std::size_t found = read_selfplay(path).records.size();
    SelfplayProgress progress;
    CHECK(*run_selfplay(settings, path, 2, small_databases(), progress));
    CHECK(progress.is_playing);
    CHECK(progress.games_found == 64);
    CHECK(progress.games_played == 6);
    CHECK(progress.games() == 70);
    CHECK(progress.records_found == found);
    CHECK(progress.records_played == records - found);
    CHECK(progress.records() == records);
}

#ifndef _WIN32
TEST_CASE("a run says that the disk is full, and goes on when it is not", "[tools][selfplay]") {
    const TemporaryFolder folder;
    const SelfplaySettings settings = quick_run(70);
    const std::string path = folder.path() + "/run";
    const std::size_t header = encode(settings).size();
    {
        // It takes a part of the first block.
        const FullDisk full(static_cast<rlim_t>(header + 100));
        CHECK_THAT(run_to(path, settings), Contains("cannot be written to"));
    }
    CHECK(content_of(path).size() == header + 100);
    CHECK(run_to(path, settings).empty());
    CHECK(read_selfplay(path).is_complete);
}
#endif

TEST_CASE("a run that is stopped has whole blocks only and can go on", "[tools][selfplay]") {
    const TemporaryFolder folder;
    const SelfplaySettings settings = quick_run(200);
    const std::string path = folder.path() + "/run";
    SelfplayProgress progress;
    progress.must_stop = true;
    const Result<bool> done = run_selfplay(settings, path, 2, small_databases(), progress);
    REQUIRE(done);
    CHECK_FALSE(*done);
    CHECK(is_same(content_of(path), encode(settings)));
    CHECK(run_to(path, settings).empty());
    CHECK(read_selfplay(path).is_complete);
}

TEST_CASE("a run of several threads that is stopped goes on to the same file",
          "[tools][selfplay]") {
    const TemporaryFolder folder;
    const SelfplaySettings settings = quick_run(20 * games_per_block);
    const std::string path = folder.path() + "/run";
    SelfplayProgress progress;
    std::thread stopping([&] {
        const Stopwatch stopwatch;
        while (progress.games_played == 0 && stopwatch.seconds() < 60)
            std::this_thread::yield();
        progress.must_stop = true;
    });
    const Result<bool> done = run_selfplay(settings, path, 5, small_databases(), progress);
    stopping.join();
    REQUIRE(done);
    CHECK_FALSE(*done);
    const SelfplayContent stopped = read_selfplay(path);
    CHECK(stopped.problem.empty());
    CHECK_FALSE(stopped.is_torn);
    CHECK(stopped.games.size() % games_per_block == 0);
    CHECK(stopped.games.size() < settings.games);
    REQUIRE(run_to(path, settings, 5).empty());
    REQUIRE(run_to(folder.path() + "/whole", settings, 5).empty());
    CHECK(is_same(content_of(path), content_of(folder.path() + "/whole")));
}

TEST_CASE("a run does not touch a file of other settings or of another kind", "[tools][selfplay]") {
    const TemporaryFolder folder;
    const SelfplaySettings settings = quick_run(3);
    const std::string path = folder.path() + "/run";
    REQUIRE(run_to(path, settings).empty());
    const std::string before = content_of(path);
    const auto refused = [&](auto change) {
        SelfplaySettings other = settings;
        change(other);
        const std::string problem = run_to(path, other);
        CHECK(is_same(content_of(path), before));
        return problem;
    };
    CHECK_THAT(refused([](auto& s) { s.game = "russian"; }),
               Contains("game english instead of russian"));
    CHECK_THAT(refused([](auto& s) { s.engine = "2"; }), Contains("engine 1.2.3 instead of 2"));
    CHECK_THAT(refused([](auto& s) { s.nodes = 41; }), Contains("nodes 40 instead of 41"));
    CHECK_THAT(refused([](auto& s) { s.seed = 8; }), Contains("seed 7 instead of 8"));
    CHECK_THAT(refused([](auto& s) { s.games = 4; }), Contains("games 3 instead of 4"));
    CHECK_THAT(refused([](auto& s) { s.shards = 2; }), Contains("shard 0/1 instead of 0/2"));
    CHECK_THAT(refused([](auto& s) { s.fingerprint = 1; }), Contains("plays otherwise"));
    folder.write("text", "something else");
    CHECK_THAT(run_to(folder.path() + "/text", settings), Contains("not a file of self-play"));
    CHECK(content_of(folder.path() + "/text") == "something else");
    CHECK_THAT(run_to("/nowhere/absent", settings), Contains("cannot be opened for writing"));
}

TEST_CASE("records are quiet, and databases give the results they know", "[tools][selfplay]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/run";
    REQUIRE(run_to(path, quick_run(200), 2).empty());
    const SelfplayContent content = read_selfplay(path);
    REQUIRE(content.is_complete);
    const Endgames<English> endgames(small_databases());
    std::map<SelfplayEnd, int> ends;
    int known = 0;
    int firsts = 0;
    std::size_t at = 0;
    for (const SelfplaySummary& game : content.games) {
        ++ends[game.end];
        CHECK(game.plies <= 200);
        for (std::size_t i = 0; i < game.records; ++i, ++at) {
            const TrainingRecord& record = content.records[at];
            const Position p = record.position();
            Position other = p;
            other.side = Side::white;
            const bool is_quiet = !can_capture<English>(p) && !can_capture<English>(other);
            CHECK(is_quiet);
            CHECK((record.flags == TrainingRecord::first_of_game) == (i == 0));
            if (count(p.occupied()) > endgames.pieces()) continue;
            const auto value = endgames.resolve(p, 4000);
            REQUIRE(value);
            ++known;
            CHECK(record.result == (value->wld == Wld::draw ? 0 : value->wld == Wld::win ? 1 : -1));
        }
        if (game.records != 0) ++firsts;
    }
    CHECK(at == content.records.size());
    CHECK(firsts > 190);
    CHECK(known > 20);
    CHECK(ends[SelfplayEnd::database] > 5);
    CHECK(ends[SelfplayEnd::no_move] > 2);
}

TEST_CASE("every game is played by itself, and openings stand level", "[tools][selfplay]") {
    for (const GameCore* core : built_games()) {
        SelfplaySettings settings = quick_run(10);
        settings.nodes = 200;
        const auto endgames = core->open_endgames(small_databases());
        const SelfplayOpenings openings = selfplay_openings(core->rules);
        CHECK(openings.three_move.empty() == (core->rules.game_type != English::game_type));
        const auto player = SelfplayPlayer::make(*core, *endgames, openings, settings);
        REQUIRE(player);
        const SelfplayGame third = (*player)->play(3);
        for (std::uint64_t i = 0; i < 4; ++i) {
            const SelfplayGame game = (*player)->play(i);
            CHECK(game.summary.records == game.records.size());
            if (i == 3) CHECK(is_same(game.records, third.records));
        }
        CHECK(play_fingerprint(*core) == play_fingerprint(*core));
    }
    CHECK(play_fingerprint(*find_game("english")) != play_fingerprint(*find_game("russian")));
}

TEST_CASE("the fingerprint of games tells the databases of a folder", "[tools][selfplay]") {
    const auto file = embedded_databases<English>().at(0);
    const TemporaryFolder folder;
    const std::string path = folder.path() + path_separator;
    const GameCore& core = *find_game("english");
    CHECK(play_fingerprint(core, path) == play_fingerprint(core));
    folder.write(database_file_name<English>(5), {file.begin(), file.end()});
    CHECK(play_fingerprint(core, path) != play_fingerprint(core));
}
