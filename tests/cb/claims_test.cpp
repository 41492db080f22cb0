#include <catch2/catch.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

bool loses_within(const Position& p, int plies);

/// True when the side to move can force the end of the game in its favour within the plies.
bool wins_within(const Position& p, int plies) {
    if (plies <= 0) return false;
    for (const Move& move : legal_moves(p))
        if (loses_within(after(p, move), plies - 1)) return true;
    return false;
}

bool loses_within(const Position& p, int plies) {
    const std::vector<Move> moves = legal_moves(p);
    if (!moves.empty() && plies <= 1) return false;
    for (const Move& move : moves)
        if (!wins_within(after(p, move), plies - 1)) return false;
    return true;
}

Position small_position(Random& random) {
    const int black = static_cast<int>(1 + random.below(3));
    return random_position(random, black, static_cast<int>(1 + random.below(3)));
}

/// A forced move is played without much thought, and nothing is then claimed.
bool has_no_choice(const Position& p) {
    return legal_moves(p).size() < 2;
}

int result_of(const Position& p) {
    Call call(p);
    const int result = call.run(engine(), 0.1);
    INFO(call.status.text());
    CHECK(call.has_moved_legally());
    return result;
}

}  // namespace

TEST_CASE("a win in a few moves is claimed", "[cb]") {
    Random random(17);
    for (int found = 0; found < 25;) {
        const Position p = small_position(random);
        if (has_no_choice(p) || !wins_within(p, 5) || wins_within(p, 1)) continue;
        INFO(border_fen<English>(p));
        CHECK(result_of(p) == cb_win);
        ++found;
    }
}

TEST_CASE("a loss in a few moves is claimed", "[cb]") {
    Random random(19);
    for (int found = 0; found < 25;) {
        const Position p = small_position(random);
        if (has_no_choice(p) || !loses_within(p, 4)) continue;
        INFO(border_fen<English>(p));
        CHECK(result_of(p) == cb_loss);
        ++found;
    }
}

TEST_CASE("nothing is claimed in the opening and no draw ever", "[cb]") {
    CHECK(result_of(start_position(Side::black)) == cb_unknown);
    for (const char* fen : {"B:WK32:BK1", "W:WK32,K31:BK1,K2", "B:WK32:BK1,K2"}) {
        Call call(position_of(fen));
        CHECK(call.run(engine(), 0.05) != cb_draw);
    }
    for (const char* history : {"set gamehist B:WK32:BK1 1-5 32-28 5-1 28-32 1-5 32-28 5-1 28-32",
                                "set gamehist B:WK32:BK1 1-5 32-28 5-1 28-32"}) {
        static_cast<void>(accepted(engine(), history));
        Call call(position_of("B:WK32:BK1"));
        CHECK(call.run(engine(), 0.02) == cb_unknown);
    }
}

TEST_CASE("what is claimed after an interrupted search is claimed after a long one", "[cb]") {
    Random random(29);
    int claims = 0;
    for (int i = 0; i < 6000; ++i) {
        const int black = static_cast<int>(2 + random.below(4));
        const Position p = random_position(random, black, static_cast<int>(2 + random.below(4)));
        if (has_no_choice(p)) continue;
        Call hasty(p);
        const int result = hasty.run(engine(), 0.00005 * (1 + random.below(40)));
        if (result == cb_unknown) continue;
        ++claims;
        INFO(border_fen<English>(p) << ": " << hasty.status.text());
        Call patient(p);
        const int later = patient.run(engine(), 0.2);
        INFO(patient.status.text());
        CHECK(later == result);
    }
    CHECK(claims > 100);
}
