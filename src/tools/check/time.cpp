#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/match/clock.hpp>

#include <tools/check/finding.hpp>
#include <tools/check/positions.hpp>

namespace defiance {
namespace {

/// How an engine kept a time level against random moves.
struct TimeUse {
    int moves = 0;
    double total = 0;
    double shortest = 0;
    double longest = 0;
    bool has_lost = false;  ///< its clock ran out

    [[nodiscard]] double average() const { return moves == 0 ? 0 : total / moves; }
    [[nodiscard]] std::string text() const {
        return std::to_string(moves) + " moves of " + fixed(shortest, 3) + " to " +
               fixed(longest, 3) + " s, " + fixed(average(), 3) + " s on the average";
    }
    void add(double seconds) {
        DEFIANCE_ASSERT(seconds >= 0);
        shortest = moves == 0 ? seconds : std::min(shortest, seconds);
        longest = std::max(longest, seconds);
        total += seconds;
        ++moves;
    }
};

/// Lets it play at this level, from a position that no book contains. An illegal move ends the
/// game; other checks report it.
Result<TimeUse> use_of_time(CheckedEngine& engine, const TimeSettings& settings, int moves) {
    std::uint64_t seed = 1;
    CbGame game(*engine.rules(), unforced_position(*engine.rules()));
    // The first call may allocate memory, as it does at the start of a match.
    const auto first = engine.move(game, MoveOrder{});
    if (!first) return Error{first.error()};
    PlayerClock clock(settings, 1);
    DEFIANCE_ASSERT(moves > 0);
    TimeUse use;
    while (use.moves < moves && game.has_move()) {
        const Allowance allowance = clock.allow();
        const auto moved =
            engine.move(game, {allowance.seconds, allowance.info, allowance.more_info, {}, {}});
        if (!moved) return Error{moved.error()};
        use.has_lost |= !clock.spend(moved->engine_seconds);
        if (!game.play_board(moved->board)) break;
        use.add(moved->engine_seconds);
        if (game.has_move()) play_random_move(game, seed);
    }
    return use;
}

TimeSettings level(TimeSettings::Kind kind, double seconds, double increment) {
    TimeSettings settings;
    settings.kind = kind;
    settings.seconds = seconds;
    settings.increment = increment;
    settings.startup = 0;
    return settings;
}

/// Lets it play some moves at a level and has its use of time judged.
Check time_check(std::string name, const TimeSettings& settings, int moves,
                 Finding (*judge)(const TimeUse&)) {
    return {std::move(name),
            [=](CheckedEngine& engine) {
                const auto use = use_of_time(engine, settings, moves);
                if (!use) return broken({use.error()});
                return use->moves == 0 ? note("no legal move to measure") : judge(*use);
            },
            true};
}

constexpr double exact_seconds = 0.3;
constexpr double average_seconds = 0.1;

Finding judge_exact(const TimeUse& use) {
    constexpr double tolerance = 0.05;
    // A busy computer delays a move now and then, but not each.
    if (use.shortest > exact_seconds + 2 * tolerance)
        return fault(use.text(), "with 'exact' no move may take longer than the level says");
    if (use.longest > exact_seconds + tolerance)
        return note(use.text() + "; some longer than the level says");
    return pass(use.text());
}

Finding judge_average(const TimeUse& use) {
    if (use.average() > 2 * average_seconds)
        return fault(use.text(), "in a match it takes more than its share of the time");
    if (use.average() > 1.3 * average_seconds)
        return note(use.text() + "; that is a little too much");
    return pass(use.text());
}

Finding judge_increment(const TimeUse& use) {
    if (use.has_lost)
        return fault(use.text() + ", its clock ran out",
                     "it would lose games with an incremental clock");
    return pass(use.text());
}

}  // namespace

std::vector<Check> time_checks() {
    using Kind = TimeSettings::Kind;
    return {
        time_check("exact time of 0.3 s", level(Kind::exact, exact_seconds, 0), 3, judge_exact),
        time_check("average time of 0.1 s", level(Kind::average, average_seconds, 0), 8,
                   judge_average),
        time_check("clock of 1 s + 0.1 s", level(Kind::increment, 1, 0.1), 12, judge_increment)};
}

}  // namespace defiance
