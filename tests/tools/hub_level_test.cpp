#include <catch2/catch.hpp>

#include "hub_talk.hpp"

using namespace defiance;

TEST_CASE("every kind of level ends a search", "[tools][hub]") {
    HubTalk talk;
    for (const char* level :
         {"level depth=1", "level depth=9223372036854775807 nodes=10", "level nodes=1",
          "level move-time=0", "level move-time=0.01", "level time=0", "level time=0.2 inc=0.01",
          "level inc=0.01", "level moves=1 time=0.05", "level moves=10 time=0.1 inc=0.01",
          "level time=-0.3 inc=0.5", "level time=-100 inc=0.01", "level moves=5 time=-1",
          "level time=1e-05 inc=1E-02", "level time=0.1 inc=-1", "level move-time=-2",
          "level depth=4 move-time=10"}) {
        INFO(level);
        talk.say(level);
        talk.say("go think");
        talk.answer("done");
    }
}

TEST_CASE("what can be read of a level counts, and its search is short", "[tools][hub]") {
    HubTalk talk;
    for (const char* level : {"level time=soon inc=0.01", "level depth=2 time=soon",
                              "level time=0.05 inc=x", "level moves=0 time=0.05"}) {
        INFO(level);
        talk.say(level);
        CHECK(talk.answer("error").starts_with("error message=\"level: "));
        talk.say("go think");
        talk.answer("done");
    }
    // A search to this depth would not end.
    for (const char* level : {"level time=soon", "level move-time=99999999",
                              "level time=", "level depth=0", "level nodes=-5"}) {
        INFO(level);
        talk.say("level depth=100");
        talk.say(level);
        talk.answer("error");
        talk.say("go think");
        talk.answer("done");
    }
    // The level of a search under way is not changed.
    talk.say("level infinite");
    talk.say("go think");
    talk.say("level time=");
    talk.answer("error");
    check_thinks_until_stopped(talk);
}

TEST_CASE("times of a level below zero count as none", "[tools][hub]") {
    const auto level_of = [](const char* text) {
        HubLevel level;
        CHECK(read_hub_level(*parse_hub_line(text), level));
        REQUIRE(level.time);
        return *level.time;
    };
    const TimeControl low = level_of("level time=-0.3 inc=0.5");
    CHECK(low.mode == TimeMode::increment);
    CHECK(low.remaining == Approx(0.2));
    CHECK(low.increment == 0.5);
    CHECK(level_of("level time=-7 inc=0.5").remaining == 0);
    CHECK(level_of("level time=2 inc=-1").remaining == 2);
    CHECK(level_of("level time=2 inc=-1").increment == 0);
    CHECK(level_of("level time=1e-05").remaining == 1e-05);
    CHECK(level_of("level moves=3 time=-1").seconds == 0);
    CHECK(level_of("level move-time=-1").seconds == 0);
    HubLevel unreadable;
    CHECK_FALSE(read_hub_level(*parse_hub_line("level time=soon nodes=7"), unreadable));
    CHECK(unreadable.nodes == 7);
    REQUIRE(unreadable.time);
    CHECK(unreadable.time->mode == TimeMode::deadline);
    CHECK(unreadable.time->seconds < 1);
}

TEST_CASE("a level counts for one search only", "[tools][hub]") {
    HubTalk talk;
    talk.say("level depth=2");
    talk.say("level nodes=100000000");
    talk.say("go");
    talk.answer("done");
    talk.say("go");
    check_thinks_until_stopped(talk);
}
