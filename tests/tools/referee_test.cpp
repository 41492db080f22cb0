#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/russian.hpp>
#include <tools/match/referee.hpp>

#include "scripted_player.hpp"

using namespace defiance;

namespace {

using Moves = std::vector<std::string>;

/// Kings that walk to and fro in corners far from each other: neither wins, and every position
/// comes again after four plies.
constexpr std::string_view idle_kings = "B:WK32:BK1";
const Moves idle_black = {"1 5", "5 1"};
const Moves idle_white = {"32 28", "28 32"};

/// Moves of men from the start in which nothing is taken.
const Moves calm_black = {"12 16", "8 12"};
const Moves calm_white = {"21 17", "25 21"};

/// Rules that let a game end by its moves only, so that one of them can be tested by itself.
Adjudication only_moves() {
    Adjudication rules;
    rules.draw_repetitions = 0;
    rules.draw_quiet = 0;
    rules.max_plies = 1000;
    return rules;
}

TimeSettings free_time() {
    TimeSettings time;
    time.kind = TimeSettings::Kind::unlimited;
    return time;
}

GameRecord play(CbGame& game, Player& first, Player& second, const Adjudication& rules) {
    return referee_game(game, {first}, {second}, free_time(), rules);
}

GameRecord play(CbGame& game, std::vector<ScriptedTurn> first, std::vector<ScriptedTurn> second,
                const Adjudication& rules) {
    ScriptedPlayer one(std::move(first));
    ScriptedPlayer other(std::move(second));
    return play(game, one, other, rules);
}

/// A game of the idle kings.
GameRecord play_idle(const Adjudication& rules) {
    CbGame game = game_from(idle_kings);
    return play(game, quiet_turns(idle_black), quiet_turns(idle_white), rules);
}

/// A game of the idle kings who say this with every move, eight plies long at most.
GameRecord play_saying(const std::string& first, const std::string& second, Adjudication rules) {
    rules.max_plies = 8;
    CbGame game = game_from(idle_kings);
    return play(game, turns_saying(idle_black, first), turns_saying(idle_white, second), rules);
}

ScriptedTurn fault(Ending ending, std::string detail) {
    ScriptedTurn turn;
    turn.turn.fault = ending;
    turn.turn.detail = std::move(detail);
    return turn;
}

ScriptedTurn claim(const std::string& move, int claim) {
    ScriptedTurn turn{move};
    turn.turn.claim = claim;
    return turn;
}

}  // namespace

TEST_CASE("a player without a move loses and is not asked", "[tools][match]") {
    SECTION("the first side") {
        CbGame game = game_from("B:W16,19:B12");
        ScriptedPlayer blocked({});
        ScriptedPlayer other({});
        const GameRecord record = play(game, blocked, other, Adjudication{});
        CHECK(record.ending == Ending::no_move);
        CHECK(result_of(record) == "0-1");
        CHECK(record.plies == 0);
        CHECK(blocked.asked() == 0);
    }
    SECTION("the other side, whose last man is taken") {
        CbGame game = game_from("B:W18:B15");
        ScriptedPlayer taker(quiet_turns({"15 22"}));
        ScriptedPlayer other({});
        const GameRecord record = play(game, taker, other, Adjudication{});
        CHECK(record.ending == Ending::no_move);
        CHECK(result_of(record) == "1-0");
        CHECK(record.plies == 1);
        CHECK(other.asked() == 0);
    }
}

TEST_CASE("a player at fault loses by that rule", "[tools][match]") {
    const auto ending = GENERATE(Ending::illegal_move, Ending::gone, Ending::too_late,
                                 Ending::unasked_output, Ending::too_large);
    const bool is_first = GENERATE(true, false);
    std::vector<ScriptedTurn> good = quiet_turns(is_first ? calm_white : calm_black);
    std::vector<ScriptedTurn> bad = quiet_turns({is_first ? calm_black[0] : calm_white[0]});
    bad.push_back(fault(ending, "so it was"));
    CbGame game = game_from_start();
    const GameRecord record =
        is_first ? play(game, bad, good, Adjudication{}) : play(game, good, bad, Adjudication{});
    CHECK(record.ending == ending);
    CHECK(record.detail == "so it was");
    CHECK(result_of(record) == (is_first ? "0-1" : "1-0"));
    CHECK(record.plies == (is_first ? 2U : 3U));
}

TEST_CASE("an abandoned game has no result", "[tools][match]") {
    CbGame game = game_from_start();
    const GameRecord record =
        play(game, quiet_turns(calm_black), {fault(Ending::aborted, {})}, Adjudication{});
    CHECK(record.ending == Ending::aborted);
    CHECK(result_of(record) == "*");
    CHECK(code_of(record.ending) == "abort");
}

TEST_CASE("a legal move loses when it comes after its time", "[tools][match]") {
    TimeSettings time;
    time.kind = TimeSettings::Kind::exact;
    time.seconds = 0.1;
    time.startup = 0;
    const double used = GENERATE(0.14, 0.16);
    std::vector<ScriptedTurn> slow = quiet_turns(calm_white);
    slow[0].turn.seconds = used;
    ScriptedPlayer first(quiet_turns(calm_black));
    ScriptedPlayer second(slow);
    Adjudication rules;
    rules.max_plies = 4;
    CbGame game = game_from_start();
    const GameRecord record = referee_game(game, {first}, {second}, time, rules);
    const bool is_late = used > time.seconds + time.margin;
    CHECK(record.ending == (is_late ? Ending::too_late : Ending::too_long));
    CHECK(result_of(record) == (is_late ? "1-0" : "1/2-1/2"));
}

TEST_CASE("a position that comes for the third time is drawn", "[tools][match]") {
    Adjudication rules;
    SECTION("as usual") {
        const GameRecord record = play_idle(rules);
        CHECK(record.ending == Ending::repetition);
        CHECK(result_of(record) == "1/2-1/2");
        CHECK(record.plies == 8);
    }
    SECTION("for the second time") {
        rules.draw_repetitions = 2;
        CHECK(play_idle(rules).plies == 4);
    }
    SECTION("not at all") {
        rules.draw_repetitions = 0;
        const GameRecord record = play_idle(rules);
        CHECK(record.ending == Ending::no_progress);
        CHECK(record.plies == 80);
    }
}

TEST_CASE("too many moves of kings are a draw", "[tools][match]") {
    Adjudication rules = only_moves();
    rules.draw_quiet = GENERATE(79, 80);
    const GameRecord record = play_idle(rules);
    CHECK(record.ending == Ending::no_progress);
    CHECK(result_of(record) == "1/2-1/2");
    CHECK(record.plies == static_cast<std::size_t>(rules.draw_quiet));
}

TEST_CASE("a game that is too long is a draw", "[tools][match]") {
    Adjudication rules = only_moves();
    rules.max_plies = 97;
    const GameRecord record = play_idle(rules);
    CHECK(record.ending == Ending::too_long);
    CHECK(result_of(record) == "1/2-1/2");
    CHECK(record.plies == 97);
}

TEST_CASE("the law of the game may draw earlier", "[tools][match]") {
    SECTION("one king against another in Russian draughts after five moves of each") {
        CbGame game = game_from("W:WK32:BK5", rules_of<Russian>);
        CHECK(game.limit_by_law() == 10);
        ScriptedPlayer white(quiet_turns({"32 28", "28 32"}));
        ScriptedPlayer black(quiet_turns({"5 1", "1 5"}));
        const GameRecord record = referee_game(game, {white}, {black}, free_time(), only_moves());
        CHECK(record.ending == Ending::law);
        CHECK(result_of(record) == "1/2-1/2");
        CHECK(record.plies == 10);
    }
    SECTION("English draughts has no such law") {
        CHECK_FALSE(game_from(idle_kings).limit_by_law());
        Adjudication rules = only_moves();
        rules.max_plies = 200;
        CHECK(play_idle(rules).ending == Ending::too_long);
    }
}

TEST_CASE("a draw on which both players' values agree", "[tools][match]") {
    Adjudication rules = only_moves();
    rules.draw = ValueAgreement{10, 2, 0};
    SECTION("after two moves of each") {
        const GameRecord record = play_saying("value=10", "value=-10", rules);
        CHECK(record.ending == Ending::adjudicated);
        CHECK(result_of(record) == "1/2-1/2");
        CHECK(record.plies == 4);
    }
    SECTION("not before the plies asked for") {
        rules.draw->after = 7;
        CHECK(play_saying("value=0", "value=0", rules).plies == 7);
        CHECK(play_saying("value=draw  pv 1-5", "value=-3", rules).plies == 7);
    }
    SECTION("not when only one player says so, or says nothing") {
        CHECK(play_saying("value=0", "value=11", rules).ending == Ending::too_long);
        CHECK(play_saying("value=-11", "value=0", rules).ending == Ending::too_long);
        CHECK(play_saying("value=0", "depth 5", rules).ending == Ending::too_long);
        CHECK(play_saying("value=won", "value=draw", rules).ending == Ending::too_long);
    }
    SECTION("only moves in a row count") {
        std::vector<ScriptedTurn> first = turns_saying({"1 5", "5 1", "1 5", "5 1"}, "value=0");
        first[1].turn.status = "value=50";
        CbGame game = game_from(idle_kings);
        const GameRecord record = play(game, first, turns_saying(idle_white, "value=0"), rules);
        CHECK(record.ending == Ending::adjudicated);
        CHECK(record.plies == 7);
    }
}

TEST_CASE("an only move, which has no value, does not break a row of values", "[tools][match]") {
    Adjudication rules = only_moves();
    rules.resign = ValueAgreement{400, 3, 0};
    std::vector<ScriptedTurn> first = turns_saying({"1 5", "5 1"}, "value=won in 17 moves");
    first[1].turn.status = "only move";
    CbGame game = game_from(idle_kings);
    const GameRecord record = play(game, first, turns_saying(idle_white, "value=lost"), rules);
    CHECK(record.ending == Ending::adjudicated);
    CHECK(result_of(record) == "1-0");
    CHECK(record.plies == 9);
    CHECK(record.comments[0].starts_with("won in 17 moves "));
    CHECK(record.comments[1].starts_with("lost "));
}

TEST_CASE("a win on which both players' values agree", "[tools][match]") {
    Adjudication rules = only_moves();
    rules.resign = ValueAgreement{400, 2, 0};
    SECTION("of the first") {
        const GameRecord record = play_saying("value=400", "value=-400", rules);
        CHECK(record.ending == Ending::adjudicated);
        CHECK(result_of(record) == "1-0");
        CHECK(record.plies == 4);
    }
    SECTION("of the second") {
        CHECK(result_of(play_saying("value=-999", "value=999", rules)) == "0-1");
        CHECK(result_of(play_saying("value=lost in 9 moves", "value=won", rules)) == "0-1");
    }
    SECTION("not when only one player says so, or both say they win") {
        CHECK(play_saying("value=400", "value=-399", rules).ending == Ending::too_long);
        CHECK(play_saying("value=-300", "value=900", rules).ending == Ending::too_long);
        CHECK(play_saying("value=900", "value=900", rules).ending == Ending::too_long);
    }
}

TEST_CASE("claims end a game only where they are believed", "[tools][match]") {
    struct Case {
        int claim;
        bool is_first;
        std::string_view result;
    };
    const auto [word, is_first, result] = GENERATE(
        Case{cb_win, true, "1-0"}, Case{cb_loss, true, "0-1"}, Case{cb_draw, true, "1/2-1/2"},
        Case{cb_win, false, "0-1"}, Case{cb_loss, false, "1-0"}, Case{cb_draw, false, "1/2-1/2"});
    std::vector<ScriptedTurn> first = quiet_turns(idle_black);
    std::vector<ScriptedTurn> second = quiet_turns(idle_white);
    (is_first ? first : second)[0].turn.claim = word;
    Adjudication rules = only_moves();
    rules.max_plies = 6;
    CbGame ignored = game_from(idle_kings);
    CHECK(play(ignored, first, second, rules).ending == Ending::too_long);
    for (const BelievedClaims policy : {BelievedClaims::draws, BelievedClaims::all}) {
        rules.claims = policy;
        CbGame believed = game_from(idle_kings);
        const GameRecord record = play(believed, first, second, rules);
        const bool counts = policy == BelievedClaims::all || word == cb_draw;
        CHECK(record.ending == (counts ? Ending::adjudicated : Ending::too_long));
        if (!counts) continue;
        CHECK(result_of(record) == result);
        CHECK(record.plies == (is_first ? 1U : 2U));
    }
}

TEST_CASE("a move that wins counts more than what is claimed with it", "[tools][match]") {
    Adjudication rules;
    rules.claims = BelievedClaims::all;
    CbGame game = game_from("B:W18:B15");
    const GameRecord record = play(game, {claim("15 22", cb_loss)}, {}, rules);
    CHECK(record.ending == Ending::no_move);
    CHECK(result_of(record) == "1-0");
}

TEST_CASE("moves are noted with value, depth and time", "[tools][match]") {
    std::vector<ScriptedTurn> first = quiet_turns(calm_black);
    first[0].turn.status = "depth 12/20  value=+34  speed 2500 kN/s";
    first[0].turn.seconds = 0.25;
    first[0].turn.own_seconds = 0.24;
    first[1].turn.status = "value=0";
    first[1].turn.seconds = 0.5;
    std::vector<ScriptedTurn> second = turns_saying(calm_white, "value=-7 depth 3");
    second[1].turn.status = "book";
    Adjudication rules;
    rules.max_plies = 4;
    CbGame game = game_from_start();
    const GameRecord record = play(game, first, second, rules);
    CHECK(record.comments == Moves{"+34/12 0.250s", "-7/3 0.000s", "+0 0.500s", "0.000s"});
    CHECK(record.first.moves == 2);
    CHECK(record.first.seconds == Approx(0.75));
    CHECK(record.first.longest == Approx(0.5));
    CHECK(record.first.measured_moves == 1);
    CHECK(record.first.overhead == Approx(0.01));
    CHECK(record.first.moves_with_depth == 1);
    CHECK(record.first.sum_of_speeds == Approx(2.5e6));
    CHECK(record.second.moves_with_depth == 1);
    CHECK(record.second.sum_of_depths == Approx(3));
}

TEST_CASE("every ending has a code that is read again", "[tools][match]") {
    Moves codes;
    for (int i = 0; i <= static_cast<int>(Ending::aborted); ++i) {
        const auto ending = static_cast<Ending>(i);
        codes.emplace_back(code_of(ending));
        CHECK(parse_ending(code_of(ending)) == ending);
        CHECK_FALSE(describe(ending).empty());
    }
    CHECK(codes ==
          Moves{"L1", "L2", "L3", "L4", "L5", "L6", "D1", "D2", "D3", "D4", "D5", "abort"});
    CHECK_FALSE(parse_ending("L7"));
}
