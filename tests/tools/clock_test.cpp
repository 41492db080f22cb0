#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <tools/match/clock.hpp>

#include "scripted_player.hpp"

using namespace defiance;

namespace {

TimeSettings settings_of(TimeSettings::Kind kind, double seconds, double increment = 0) {
    TimeSettings settings;
    settings.kind = kind;
    settings.seconds = seconds;
    settings.increment = increment;
    return settings;
}

}  // namespace

TEST_CASE("the bank gives back what was saved and takes what was overspent", "[tools][match]") {
    PlayerClock clock(settings_of(TimeSettings::Kind::average, 1), 1);
    const Allowance first = clock.allow();
    CHECK(first.seconds == Approx(1));
    CHECK(first.info == 0);
    CHECK(first.limit == Approx(60 + 0.05 + 10));
    CHECK(clock.spend(0.5));
    // The clock shows 1.5, of which 0.5 / 2.5 is more than the time of a move.
    CHECK(clock.allow().seconds == Approx(1.2));
    CHECK(clock.spend(2));
    CHECK(clock.allow().seconds == Approx(0.5));
    CHECK(clock.spend(3));
    CHECK(clock.allow().seconds == Approx(0.4));
    CHECK(clock.allow().limit == Approx(60.05));
    CHECK_FALSE(clock.spend(61));
}

TEST_CASE("an exact move has its time and the margin", "[tools][match]") {
    PlayerClock clock(settings_of(TimeSettings::Kind::exact, 0.5), 2);
    const Allowance first = clock.allow();
    CHECK(first.seconds == Approx(1));
    CHECK(first.info == 2);
    CHECK(first.limit == Approx(11.05));
    CHECK(clock.spend(5));
    CHECK(clock.allow().limit == Approx(1.05));
    CHECK_FALSE(clock.spend(1.06));
}

TEST_CASE("a clock with increment is packed as CheckerBoard packs it", "[tools][match]") {
    // What CheckerBoard 1.75g was seen to send for 5 s + 0.05 s: units of 0.001 s, 5.050 and 0.050.
    PlayerClock clock(settings_of(TimeSettings::Kind::increment, 5, 0.05), 1);
    const Allowance first = clock.allow();
    CHECK(first.info == 4);
    CHECK(first.more_info == 0x13ba0032);
    CHECK(first.seconds == Approx(0.555));
    CHECK(first.kind == TimeSettings::Kind::increment);
    CHECK(first.remaining == Approx(5.05));
    CHECK(first.increment == Approx(0.05));
    CHECK(clock.spend(1.05));
    const Allowance second = clock.allow();
    CHECK(second.remaining == Approx(4.05));
    CHECK(second.more_info == (4050 << 16 | 50));
    CHECK(second.limit == Approx(4.05 + 0.05));
    CHECK_FALSE(clock.spend(4.2));
}

TEST_CASE("long clocks use coarser units", "[tools][match]") {
    PlayerClock tenths(settings_of(TimeSettings::Kind::increment, 3600, 10), 1);
    const Allowance allowance = tenths.allow();
    CHECK(allowance.info == 12);
    CHECK(allowance.more_info == static_cast<int>(36100U << 16 | 100));
    PlayerClock hundredths(settings_of(TimeSettings::Kind::increment, 300, 2), 1);
    CHECK(hundredths.allow().info == 8);
}

TEST_CASE("the grace of the first move is no debt", "[tools][match]") {
    PlayerClock clock(settings_of(TimeSettings::Kind::increment, 1, 0.5), 1);
    CHECK(clock.allow().limit == Approx(11.55));
    CHECK(clock.spend(8));
    const Allowance next = clock.allow();
    CHECK(next.limit == Approx(0.55));
    CHECK(next.seconds == Approx(0.5));
}

TEST_CASE("after a number of moves their time comes again", "[tools][match]") {
    TimeSettings settings = settings_of(TimeSettings::Kind::increment, 10, 1);
    settings.moves = 2;
    settings.startup = 0;
    PlayerClock clock(settings, 1);
    const auto check_move = [&](double remaining, int moves_left, double used) {
        const Allowance allowance = clock.allow();
        CHECK(allowance.remaining == Approx(remaining));
        CHECK(allowance.limit == Approx(remaining + 0.05));
        CHECK(allowance.moves_left == moves_left);
        CHECK(allowance.more_info >> 16 == static_cast<int>(remaining * 1000 + 0.5));
        CHECK(clock.spend(used));
    };
    check_move(11, 2, 4);
    check_move(8, 1, 3);
    // Five seconds are left, and ten come.
    check_move(16, 2, 0.5);
    check_move(16.5, 1, 16.54);
    // What the margin covers is no debt.
    check_move(11, 2, 0);
    check_move(12, 1, 12);
    CHECK(clock.allow().remaining == Approx(11));
    CHECK_FALSE(clock.spend(11.06));
}

TEST_CASE("the time of a number of moves is a player's share", "[tools][match]") {
    TimeSettings settings = settings_of(TimeSettings::Kind::increment, 10);
    settings.moves = 1;
    PlayerClock clock(settings, 0.5);
    for (int i = 0; i < 3; ++i) {
        const Allowance allowance = clock.allow();
        CHECK(allowance.remaining == Approx(5));
        CHECK(allowance.moves_left == 1);
        CHECK(clock.spend(5));
    }
    // Without such a number it is for the whole game.
    PlayerClock whole(settings_of(TimeSettings::Kind::increment, 10), 1);
    for (int i = 0; i < 3; ++i) {
        const Allowance allowance = whole.allow();
        CHECK(allowance.remaining == Approx(10 - 3 * i));
        CHECK(allowance.moves_left == 0);
        CHECK(whole.spend(3));
    }
}

TEST_CASE("a referee gives each player the time for its own number of moves", "[tools][match]") {
    TimeSettings time = settings_of(TimeSettings::Kind::increment, 10);
    time.moves = 2;
    time.startup = 0;
    const auto turns_taking = [](const std::vector<std::string>& moves, double seconds) {
        std::vector<ScriptedTurn> turns = quiet_turns(moves);
        for (ScriptedTurn& turn : turns)
            turn.turn.seconds = seconds;
        return turns;
    };
    Adjudication rules;
    rules.draw_repetitions = 0;
    rules.max_plies = 12;
    ScriptedPlayer first(turns_taking({"1 5", "5 1"}, 4));
    ScriptedPlayer slow(turns_taking({"32 28", "28 32"}, 6));
    CbGame game = game_from("B:WK32:BK1");
    const GameRecord record = referee_game(game, {first}, {slow}, time, rules);
    CHECK(record.ending == Ending::too_late);
    CHECK(result_of(record) == "1-0");
    CHECK(record.plies == 4);
    ScriptedPlayer second(turns_taking({"32 28", "28 32"}, 5));
    CbGame longer = game_from("B:WK32:BK1");
    CHECK(referee_game(longer, {first}, {second}, time, rules).ending == Ending::too_long);
    std::vector<double> clocks;
    for (const Allowance& allowance : second.allowances())
        clocks.push_back(allowance.remaining);
    CHECK(clocks == std::vector<double>{10, 5, 10, 5, 10, 5});
}

TEST_CASE("a limit for moves holds on every clock", "[tools][match]") {
    for (const auto kind : {TimeSettings::Kind::average, TimeSettings::Kind::exact,
                            TimeSettings::Kind::increment, TimeSettings::Kind::unlimited}) {
        TimeSettings settings = settings_of(kind, 100);
        settings.move_limit = 2;
        settings.startup = 0;
        PlayerClock clock(settings, 1);
        CHECK(clock.allow().limit == Approx(2.05));
        CHECK_FALSE(clock.spend(2.1));
    }
    PlayerClock patient(settings_of(TimeSettings::Kind::average, 30), 1);
    CHECK(patient.allow().limit == Approx(150 + 10.05));
}
