#include <catch2/catch.hpp>

#include <cstddef>
#include <string>
#include <vector>

#ifdef __GLIBC__
#include <pthread.h>
#endif

#include <defiance/base/random.hpp>

#include "hub_talk.hpp"

using namespace defiance;

namespace {

/// No search of the start position of English draughts prefers it to all others.
const std::string poor_move = "10-14";

/// A position where 23-27 gives the only king away, and 23-18 and 23-19 are as good as each other.
constexpr const char* two_kings = "W:WK23:BK32";

/// What is played in the position set up last, at a small depth.
std::string played(HubTalk& talk, const std::string& arguments) {
    talk.say("level depth=4");
    talk.say("go think" + arguments);
    const Result<HubLine> line = parse_hub_line(talk.answer("done"));
    REQUIRE(line);
    return std::string(line->value("move").value_or(""));
}

void check_error(HubTalk& talk, std::string_view part) {
    const std::string line = talk.answer("error");
    INFO(line);
    CHECK(line.find(part) != std::string::npos);
}

#ifdef __GLIBC__
/// While it lives, no thread can be started: there is no memory for a stack of this size.
class NoThreads {
public:
    NoThreads() {
        pthread_getattr_default_np(&before_);
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, std::size_t{1} << 50);
        pthread_setattr_default_np(&attributes);
        pthread_attr_destroy(&attributes);
    }
    ~NoThreads() {
        pthread_setattr_default_np(&before_);
        pthread_attr_destroy(&before_);
    }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;

private:
    pthread_attr_t before_{};
};
#endif

}  // namespace

TEST_CASE("a trusted move of go is played at once", "[tools][hub][hints]") {
    HubTalk talk;
    talk.say("set-param name=hintpolicy value=trust");
    talk.say("pos start");
    for (const std::string name : {"bookmove", "egtbmove"}) {
        talk.say("level move-time=3600");
        talk.say("go think " + name + "=" + poor_move);
        const auto lines = talk.until("done");
        CHECK(lines.back().starts_with("done move=" + poor_move));
        // The search has found no value.
        for (const std::string& line : lines)
            CHECK(line.find("score=") == std::string::npos);
    }
    // It is used once, and in that position only.
    CHECK(played(talk, "") != poor_move);
    // The move of the endgame database counts more.
    CHECK(played(talk, " bookmove=11-15 egtbmove=" + poor_move) == poor_move);
    talk.say("new-game");
    CHECK(played(talk, " bookmove=" + poor_move) == poor_move);
    talk.say("set-param name=hintpolicy value=ignore");
    CHECK(played(talk, " bookmove=" + poor_move) != poor_move);
    talk.say("hub");
    bool is_shown = false;
    for (const std::string& line : talk.until("wait"))
        is_shown |= line.starts_with("param name=hintpolicy value=ignore ");
    CHECK(is_shown);
}

TEST_CASE("verify, the first policy, plays no blunder that is hinted", "[tools][hub][hints]") {
    HubTalk talk;
    talk.say(hub_position_line(two_kings));
    CHECK(played(talk, " bookmove=23-27") != "23-27");
    for (const std::string move : {"23-18", "23-19"}) {
        talk.say(hub_position_line(two_kings));
        CHECK(played(talk, " bookmove=" + move) == move);
    }
}

TEST_CASE("searchmoves leaves the moves it names", "[tools][hub][hints]") {
    HubTalk talk;
    talk.say("pos start");
    CHECK(played(talk, " searchmoves=\"" + poor_move + "\"") == poor_move);
    const std::string move = played(talk, " searchmoves=\"12-16  10-14\"");
    CHECK((move == "12-16" || move == "10-14"));
    CHECK(played(talk, "") != poor_move);
}

TEST_CASE("a line is hinted before a search and during it", "[tools][hub][hints][threads]") {
    HubTalk talk;
    talk.say("set-param name=hintpolicy value=trust");
    talk.say("hint score=0.12 depth=20 pv=\"11-15 23-19\"");
    CHECK(talk.is_silent());
    talk.say("pos start");
    talk.say("level infinite");
    talk.say("go think");
    for (const char* hint :
         {"hint score=0.12 depth=20 pv=\"11-15 23-19\"", "hint score=-1 depth=0 pv=11-15",
          "hint score=+99.9 depth=3 pv=\"11-15 1-32 nonsense\"", "hint clear"})
        talk.say(hint);
    talk.say("ping");
    for (const std::string& line : talk.until("pong"))
        CHECK((line == "pong" || line.starts_with("info ")));
    talk.say("stop");
    CHECK(talk.answer("done").starts_with("done move="));
}

TEST_CASE("hints that are wrong are told and the search does without", "[tools][hub][hints]") {
    HubTalk talk;
    talk.say("set-param name=hintpolicy value=trust");
    talk.say("pos start");
    for (const std::string arguments :
         {" bookmove", " bookmove=21-17", " bookmove=x", " egtbmove=1-32",
          " egtbmove=\"11-15 10-14\"", " searchmoves", " searchmoves=\"\"",
          " searchmoves=\"10-14 1-2\""}) {
        INFO(arguments);
        const std::string move = played(talk, arguments);
        CHECK_FALSE(move.empty());
        CHECK(move != poor_move);
    }
    talk.say("level depth=1");
    talk.say("go think bookmove=1-2 egtbmove=" + poor_move + " searchmoves=x");
    const auto lines = talk.until("done");
    REQUIRE(lines.size() >= 2);
    CHECK(lines.front().starts_with("error message=\"bookmove: "));
    CHECK(lines.front().find("; searchmoves: ") != std::string::npos);
    CHECK(lines.back().starts_with("done move=" + poor_move));
}

TEST_CASE("a line hinted wrongly is an error", "[tools][hub][hints]") {
    HubTalk talk;
    for (const char* line :
         {"hint", "hint score=1", "hint score=1 depth=2", "hint score=x depth=2 pv=11-15",
          "hint score=1 depth=-2 pv=11-15", "hint score=1 depth=2.5 pv=11-15",
          "hint score=999 depth=2 pv=11-15", "hint score=--1 depth=2 pv=11-15",
          "hint score=1 depth=99999999999 pv=11-15", "hint score=1 depth=2 pv"}) {
        INFO(line);
        talk.say(line);
        check_error(talk, "hint takes");
    }
    for (const char* line : {"hint score=1 depth=2 pv=\"\"", "hint score=1 depth=2 pv=23-19",
                             "hint score=1 depth=2 pv=\"%s%n\""}) {
        INFO(line);
        talk.say(line);
        check_error(talk, "not legal");
    }
    talk.say("pos pos=x");
    talk.answer("error");
    talk.say("hint score=1 depth=2 pv=11-15");
    check_error(talk, "no position");
}

TEST_CASE("hinted moves are not played in analysis and while pondering", "[tools][hub][hints]") {
    HubTalk talk;
    talk.say("set-param name=hintpolicy value=trust");
    talk.say("pos start");
    for (const std::string go : {"go analyze", "go ponder"}) {
        INFO(go);
        if (go == "go analyze") talk.say("level depth=3");
        talk.say(go + " bookmove=" + poor_move);
        if (go == "go ponder") {
            check_goes_on(talk);
            talk.say("stop");
        }
        CHECK_FALSE(talk.answer("done").starts_with("done move=" + poor_move));
    }
}

TEST_CASE("hints of every kind during a search do no harm", "[tools][hub][hints][threads]") {
    HubTalk talk;
    Random random(5);
    talk.say("level infinite");
    talk.say("go think");
    constexpr const char* lines[] = {"hint score=0.1 depth=9 pv=\"11-15 23-19\"", "hint clear",
                                     "hint score=-3 depth=1 pv=10-14", "hint pv=x", "ping"};
    for (int i = 0; i < 300; ++i)
        talk.say(lines[random.next() % std::size(lines)]);
    talk.say("stop");
    CHECK(talk.answer("done").starts_with("done move="));
}

#ifdef __GLIBC__
TEST_CASE("a search that gets no thread is over, and its hints with it", "[tools][hub][hints]") {
    HubTalk talk;
    talk.say("set-param name=hintpolicy value=trust");
    {
        const NoThreads none;
        talk.say("go think bookmove=" + poor_move + " searchmoves=\"12-16 10-14\"");
        CHECK(talk.until("done") ==
              std::vector<std::string>{"error message=\"no thread can be had for the search\"",
                                       "done"});
    }
    const std::string move = played(talk, "");
    CHECK(!move.empty());
    CHECK(move != poor_move);
    CHECK(move != "12-16");
}
#endif
