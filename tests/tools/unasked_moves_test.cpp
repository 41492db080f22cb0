#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <tools/match/referee.hpp>

#include "scripted_player.hpp"

using namespace defiance;

namespace {

/// Black's moves of kings that walk to and fro. It is asked for the second and the fourth one; the
/// time of the others must not matter.
std::vector<ScriptedTurn> half_asked_turns() {
    std::vector<ScriptedTurn> turns = quiet_turns({"1 5", "5 1", "1 5", "5 1"});
    for (const std::size_t unasked : {0U, 2U}) {
        turns[unasked].turn.was_asked = false;
        turns[unasked].turn.seconds = 1000;
    }
    turns[1].turn.seconds = 1.5;
    turns[3].turn.seconds = 0.25;
    return turns;
}

/// A game of eight plies.
GameRecord play_eight(CbGame& game, ScriptedPlayer& black, const TimeSettings& time) {
    ScriptedPlayer white(quiet_turns({"32 28", "28 32"}));
    Adjudication rules;
    rules.draw_repetitions = 0;
    rules.max_plies = 8;
    return referee_game(game, {black}, {white}, time, rules);
}

TimeSettings five_seconds_and_a_half_more() {
    TimeSettings time;
    time.kind = TimeSettings::Kind::increment;
    time.seconds = 5;
    time.increment = 0.5;
    return time;
}

}  // namespace

TEST_CASE("a move that the player was not asked for leaves its clock alone", "[tools][match]") {
    CbGame game = game_from("B:WK32:BK1");
    ScriptedPlayer black(half_asked_turns());
    SECTION("for the game") {
        const GameRecord record = play_eight(game, black, five_seconds_and_a_half_more());
        CHECK(record.ending == Ending::too_long);
        REQUIRE(black.allowances().size() == 4);
        for (const std::size_t before_asked : {0U, 1U}) {
            CHECK(black.allowances()[before_asked].remaining == Approx(5.5));
            // With the time to start in.
            CHECK(black.allowances()[before_asked].limit == Approx(5.5 + 0.05 + 10));
        }
        for (const std::size_t after_asked : {2U, 3U}) {
            CHECK(black.allowances()[after_asked].remaining == Approx(4.5));
            CHECK(black.allowances()[after_asked].limit == Approx(4.5 + 0.05));
        }
    }
    SECTION("that gives every move the same on the average") {
        TimeSettings time;
        time.seconds = 2;
        CHECK(play_eight(game, black, time).ending == Ending::too_long);
        REQUIRE(black.allowances().size() == 4);
        CHECK(black.allowances()[0].seconds == Approx(2));
        CHECK(black.allowances()[1].seconds == Approx(2));
        // The clock shows 2.5, of which 0.5 / 2.5 is more than the time of a move.
        CHECK(black.allowances()[2].seconds == Approx(2.2));
        CHECK(black.allowances()[3].seconds == Approx(2.2));
    }
}

TEST_CASE("no time is noted or counted for a move that the player was not asked for",
          "[tools][match]") {
    CbGame game = game_from("B:WK32:BK1");
    std::vector<ScriptedTurn> turns = half_asked_turns();
    turns[2].turn.status = "value=10 depth 7";
    ScriptedPlayer black(turns);
    const GameRecord record = play_eight(game, black, five_seconds_and_a_half_more());
    CHECK(record.comments == std::vector<std::string>{"", "0.000s", "1.500s", "0.000s", "+10/7",
                                                      "0.000s", "0.250s", "0.000s"});
    CHECK(record.first.moves == 2);
    CHECK(record.first.seconds == Approx(1.75));
    CHECK(record.first.longest == Approx(1.5));
    CHECK(record.first.overrun < 1);
    CHECK(record.first.moves_with_depth == 0);
    CHECK(record.second.moves == 4);
    const std::string pdn = game.to_pdn({"a test", "1", "black", "white", result_of(record)},
                                        {record.comments, "D3 too long"});
    // One for the end of the game.
    CHECK(std::count(pdn.begin(), pdn.end(), '{') == 7 + 1);
}
