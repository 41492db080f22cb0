#include <catch2/catch.hpp>

#include <tools/match/clock.hpp>

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
    PlayerClock clock(settings_of(TimeSettings::Kind::bank, 1), 1);
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

TEST_CASE("a limit for moves holds on every clock", "[tools][match]") {
    for (const auto kind : {TimeSettings::Kind::bank, TimeSettings::Kind::exact,
                            TimeSettings::Kind::increment, TimeSettings::Kind::free}) {
        TimeSettings settings = settings_of(kind, 100);
        settings.move_limit = 2;
        settings.startup = 0;
        PlayerClock clock(settings, 1);
        CHECK(clock.allow().limit == Approx(2.05));
        CHECK_FALSE(clock.spend(2.1));
    }
    PlayerClock patient(settings_of(TimeSettings::Kind::bank, 30), 1);
    CHECK(patient.allow().limit == Approx(150 + 10.05));
}
