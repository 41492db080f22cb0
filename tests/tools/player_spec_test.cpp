#include <catch2/catch.hpp>

#include <cstdint>
#include <set>

#include <defiance/base/random.hpp>
#include <tools/match/player_spec.hpp>

using namespace defiance;
using Catch::Matchers::Contains;

TEST_CASE("players are named by kind, target and settings", "[tools][match]") {
    const auto self = parse_player("self");
    REQUIRE(self);
    CHECK(self->kind == PlayerSpec::Kind::self);
    CHECK(self->can_set_up());
    const auto engine = parse_player(
        "dll:C:\\CB\\engines\\cake64.dll;name=Cake;time=0.5;send=set book 0;hash=16;"
        "folder=C:\\CB;nodes=1000");
    REQUIRE(engine);
    CHECK(engine->kind == PlayerSpec::Kind::library);
    CHECK(engine->target == "C:\\CB\\engines\\cake64.dll");
    CHECK(engine->name == "Cake");
    CHECK(engine->time_factor == 0.5);
    CHECK(engine->folder == "C:\\CB");
    CHECK(engine->commands ==
          std::vector<std::string>{"set book 0", "set hashsize 16", "set nodes 1000"});
    const auto program = parse_player("mw:python3 \"my player.py\" -x;;y;name=Mine");
    REQUIRE(program);
    CHECK(program->kind == PlayerSpec::Kind::middleware);
    CHECK(program->target == "python3 \"my player.py\" -x;y");
    CHECK_FALSE(program->can_set_up());
    CHECK(parse_player("mw:x;setup=1")->can_set_up());
    CHECK(parse_player("random;seed=7")->seed == 7);
    const auto hub = parse_player("hub:scan hub;param=tt-size=20;param=book=;depth=9;nodes=70");
    REQUIRE(hub);
    CHECK(hub->kind == PlayerSpec::Kind::hub);
    CHECK(hub->can_set_up());
    CHECK(hub->parameters ==
          std::vector<std::pair<std::string, std::string>>{{"tt-size", "20"}, {"book", ""}});
    CHECK(hub->depth == 9);
    CHECK(hub->nodes == 70);
    const auto tuned = parse_player("self;param=razoring_margin=70;nodes=9;param=iid_depth=6");
    REQUIRE(tuned);
    CHECK(tuned->commands == std::vector<std::string>{"set parameter razoring_margin 70",
                                                      "set nodes 9", "set parameter iid_depth 6"});
}

TEST_CASE("a search parameter that a player cannot have is refused by name and bounds",
          "[tools][match]") {
    const auto problem_of = [](const char* text) {
        const auto player = parse_player(text);
        REQUIRE_FALSE(player);
        return player.error();
    };
    CHECK_THAT(problem_of("self;param=razoring=70"),
               Contains("'param=razoring=70': there is no search parameter 'razoring', only "
                        "razoring_depth, razoring_margin,"));
    CHECK_THAT(problem_of("self;param=razoring_margin=401"),
               Contains("razoring_margin takes a whole number from 10 to 400, not '401'"));
    CHECK_THAT(problem_of("self;param=razoring_margin="), Contains("from 10 to 400, not ''"));
    CHECK_THAT(problem_of("self;param=razoring_margin"), Contains("param=NAME=VALUE is needed"));
    CHECK_THAT(problem_of("dll:a;param=razoring_margin=70"), Contains("has no such setting"));
}

TEST_CASE("random players do not share their dice", "[tools][match]") {
    std::set<std::uint64_t> seeds;
    for (const std::size_t player : {0U, 1U, 2U})
        for (const std::size_t game : {1U, 2U, 3U, 4U})
            seeds.insert(seed_of_game(1, player, game));
    CHECK(seeds.size() == 12);
    CHECK(*seeds.rbegin() <= INT64_MAX);  // what --seed takes
    // The first player's games are those of earlier versions.
    CHECK(seed_of_game(1, 0, 1) == Random(1'000'004).next() >> 1);
}

TEST_CASE("what is wrong with a player is said", "[tools][match]") {
    for (const char* text : {"",
                             "me",
                             "dll:",
                             "mw:",
                             "mw:  ",
                             "mw:\"a",
                             "self;",
                             "self;name",
                             "self;name=",
                             "self;time=0",
                             "self;time=x",
                             "self;seed=1",
                             "random;hash=1",
                             "mw:x;send=y",
                             "self;depth=0",
                             "so:a;nodes=many",
                             "dll:a;setup=1",
                             "mw:x;setup=2",
                             "exe:a",
                             "hub:",
                             "hub:\"a",
                             "hub:x;hash=1",
                             "hub:x;depth=0",
                             "hub:x;nodes=",
                             "hub:x;param=a",
                             "hub:x;param==1",
                             "hub:x;setup=1",
                             "mw:x;param=a=1",
                             "self;param=a=1"}) {
        INFO(text);
        const auto player = parse_player(text);
        REQUIRE_FALSE(player);
        CHECK(player.error().front() == '\'');
    }
}
