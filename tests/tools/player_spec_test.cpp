#include <catch2/catch.hpp>

#include <tools/match/player_spec.hpp>

using namespace defiance;

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
