#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include <defiance/base/random.hpp>
#include <tools/support/games.hpp>

#include "../base/memory_left.hpp"
#include "../engine/scripted_core.hpp"
#include "hub_talk.hpp"

using namespace defiance;

TEST_CASE("what the session is told wrongly is an error and changes nothing", "[tools][hub]") {
    HubTalk talk;
    for (const char* line : {"set-param",
                             "set-param name=hash",
                             "set-param name=hash value=0",
                             "set-param name=hash value=many",
                             "set-param name=hash value=99999999999999999999",
                             "set-param name=variant value=chess",
                             "set-param name=threads value=0",
                             "set-param name=threads value=65",
                             "set-param name=egdb value=maybe",
                             "set-param name=book value=4",
                             "set-param name=hintpolicy value=believe",
                             "set-param name=hintpolicy",
                             "set-param name=nothing value=1",
                             "level depth=0",
                             "level depth=-1",
                             "level nodes=x",
                             "level time=-1e8",
                             "level time=nan",
                             "level move-time=99999999",
                             "level time=",
                             "level depth",
                             "level moves=0 time=1",
                             "pos pos=x",
                             "pos pos",
                             "a b=\"c"}) {
        INFO(line);
        talk.say(line);
        CHECK(talk.answer("error").starts_with("error message=\""));
        CHECK(talk.is_silent());
    }
    // After a position that cannot be read there is none.
    talk.say("go think");
    CHECK(talk.answer("error").find("no position") != std::string::npos);
    CHECK(talk.answer("done") == "done");
    talk.say("pos start moves=\"11-15 11-15\"");
    CHECK(talk.answer("error").find("'11-15' is not a legal move") != std::string::npos);
    talk.say("pos pos=W" + std::string(32, 'e'));
    talk.say("go think");
    CHECK(talk.answer("error").find("has no move") != std::string::npos);
    CHECK(talk.answer("done") == "done");
    talk.say("pos start");
    talk.say("level depth=1");
    talk.say("go think");
    CHECK(talk.answer("done").starts_with("done move="));
}

TEST_CASE("a hash table that there is no memory for is told at the start", "[tools][hub]") {
    HubTalk talk({&core_of<English>, 4'000'000'000U, false, {}, HintPolicy::verify, {}});
    talk.say("hub");
    const std::vector<std::string> declared = talk.until("wait");
    CHECK(std::any_of(declared.begin(), declared.end(), [](const std::string& line) {
        return line.starts_with("param name=hash value=64 ");
    }));
    talk.say("init");
    const std::vector<std::string> lines = talk.until("ready");
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].starts_with("error message=\"'hash': "));
    CHECK(lines[0].find("it keeps its 64 MB") != std::string::npos);
    // It is told once.
    talk.say("init");
    CHECK(talk.until("ready").size() == 1);
    // The next game wants it again.
    talk.say("new-game");
    CHECK(talk.answer("error").starts_with("error message=\"'hash': "));
    talk.say("init");
    CHECK(talk.until("ready").size() == 1);
}

#ifdef DEFIANCE_CAN_LIMIT_MEMORY
TEST_CASE("a hash table comes back with the memory for it", "[tools][hub]") {
    HubTalk talk({&core_of<English>, 2000, false, {}, HintPolicy::verify, {}});
    {
        const MemoryLeft left(std::uint64_t{500} << 20);
        talk.say("new-game");
        CHECK(talk.answer("error").find("it keeps its 64 MB") != std::string::npos);
    }
    talk.say("new-game");
    talk.say("hub");
    const std::vector<std::string> declared = talk.until("wait");
    CHECK(std::any_of(declared.begin(), declared.end(), [](const std::string& line) {
        return line.starts_with("param name=hash value=2000 ");
    }));
}
#endif

TEST_CASE("commands and arguments that are not known and blank lines do nothing", "[tools][hub]") {
    HubTalk talk;
    talk.say("hello world");
    talk.say("HUB");
    for (const char* blank : {"", "  ", "\r", "\t \r"})
        talk.say(blank);
    CHECK(talk.is_silent());
    talk.say("level depth=2 handicap=3");
    talk.say("go think later=\"x y\"");
    CHECK(talk.answer("done").starts_with("done move="));
}

TEST_CASE("a session whose answers nobody reads is over", "[tools][hub]") {
    HubSession session({&core_of<English>, 1, false, {}, HintPolicy::verify, {}},
                       [](std::string_view) { return false; });
    CHECK(session.take("stop"));
    CHECK(session.take("go think"));
    CHECK_FALSE(session.take("ping"));
    CHECK_FALSE(session.take("stop"));
}

TEST_CASE("no line does a session harm", "[tools][hub]") {
    HubTalk talk;
    Random random(11);
    constexpr std::string_view pieces[] = {"hub",
                                           "init",
                                           "pos",
                                           "level",
                                           "go",
                                           "think",
                                           "analyze",
                                           "ponder",
                                           "stop",
                                           "new-game",
                                           "ping",
                                           " ",
                                           " ",
                                           "=",
                                           "\"",
                                           "start",
                                           "moves",
                                           "11-15",
                                           "depth=1",
                                           "pos=W",
                                           "nodes=20",
                                           "time=0",
                                           "inc=0.001",
                                           "moves=5",
                                           "set-param name=variant value=",
                                           "czech",
                                           "name",
                                           "ponder-hit",
                                           "\xFF",
                                           "\t",
                                           "move-time=0",
                                           "egdb",
                                           "value=true",
                                           "99999999999999999999",
                                           "-1",
                                           "set-param name=hash value="};
    for (int i = 0; i < 3000; ++i) {
        std::string line;
        for (std::size_t length = 1 + random.below(8); length > 0; --length)
            line += pieces[random.below(std::size(pieces))];
        static_cast<void>(talk.ends_with("level nodes=50 move-time=0.001"));
        static_cast<void>(talk.ends_with(line));
        if (i % 8 == 0) static_cast<void>(talk.ends_with("stop"));
    }
    talk.say("stop");
    talk.say("pos start");
    talk.say("ping");
    talk.answer("pong");
}

TEST_CASE("a search that fails is told, and any legal move is played", "[tools][hub]") {
    const test::ScriptReset reset;
    HubSession::Parameters parameters;
    parameters.variant = &test::scripted_core();
    parameters.hash_mebibytes = 1;
    parameters.book = BookUse::none;
    HubTalk talk(parameters);
    for (const char* mode : {"go think", "go analyze", "go ponder"}) {
        INFO(mode);
        test::script().on_search = [] { throw std::bad_alloc(); };
        talk.say("pos start");
        talk.say("level depth=3");
        talk.say(mode);
        CHECK(talk.answer("error") ==
              "error message=\"the search has failed: there is not enough memory\"");
        static_cast<void>(hub_move_in(talk.answer("done"), "move", rules_of<English>,
                                      rules_of<English>.start_position()));
        talk.say("ping");
        CHECK(talk.answer("pong") == "pong");
        // The next search is one again. It waits for the end of the thread before it.
        talk.say("pos start");
        test::script().on_search = nullptr;
        talk.say("go think");
        const std::vector<std::string> lines = talk.until("done");
        CHECK(lines.back().starts_with("done move="));
        CHECK(std::none_of(lines.begin(), lines.end(),
                           [](const std::string& line) { return line.starts_with("error"); }));
    }
}

TEST_CASE("a session hears stop while nobody reads what its search tells", "[tools][hub]") {
    std::atomic<bool> is_blocked = false;
    std::atomic<bool> is_released = false;
    std::mutex mutex;
    std::vector<std::string> answers;
    {
        HubSession session({&core_of<English>, 1, false, {}, HintPolicy::verify, {}},
                           [&](std::string_view line) {
                               if (line.starts_with("info")) {
                                   is_blocked = true;
                                   while (!is_released)
                                       sleep_milliseconds(1);
                                   return true;
                               }
                               const std::lock_guard lock(mutex);
                               answers.emplace_back(line);
                               return true;
                           });
        CHECK(session.take("level infinite"));
        CHECK(session.take("go analyze"));
        for (int i = 0; i < 60'000 && !is_blocked; ++i)
            sleep_milliseconds(1);
        CHECK(is_blocked);
        CHECK(session.take("stop"));
        CHECK(session.take("ping"));
        is_released = true;
    }
    REQUIRE(answers.size() == 2);
    CHECK(answers[0] == "pong");
    CHECK(answers[1].starts_with("done move="));
}
