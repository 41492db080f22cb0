#include <catch2/catch.hpp>

#include <array>

#include <defiance/rules/english.hpp>
#include <tools/support/reported_move.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

bool same(coor a, coor b) {
    return a.x == b.x && a.y == b.y;
}

/// The move that CheckerBoard would carry out from the description must make the returned board.
void check_description(const CbBoard& before, const CbBoard& returned, const CBmove& move) {
    CHECK(same(move.path[0], move.from));
    REQUIRE((move.jumps >= 0 && move.jumps < 12));
    const ReportedMove described = from_description(move);
    CHECK(find_fault(described, before).empty());
    CHECK(carry_out(before, described) == returned);
}

void check_status(const std::string& text) {
    INFO(text);
    CHECK(text.size() <= 1000);
    for (const char* part : {"depth ", "value=", "time ", "nodes ", "speed ", "pv "})
        CHECK(contains(text, part));
    CHECK(text.find_first_of("{}\"\n") == std::string::npos);
}

/// Plays a game of the engine against itself. Who is ahead puts off the draw by the 40-move rule as
/// long as it has a man to move, so a game of quick moves can go on for long; it is cut short then.
void play_game(const Position& ballot, double seconds) {
    constexpr std::size_t max_plies = 400;
    EnglishGame game(ballot);
    int info = new_game_bit;
    while (game.state() == GameState::open && game.moves().size() < max_plies) {
        static_cast<void>(accepted(engine(), game.history_command()));
        Call call(game.position());
        const int result = call.run(engine(), seconds, info);
        info = 0;
        INFO(cb_fen(rules_of<English>, call.position));
        CHECK((result == cb_unknown || result == cb_win || result == cb_loss ||
               is_known_draw(call.position, result)));
        const CbBoard before = to_cb_board(call.position);
        REQUIRE(game.play_board(call.board));
        check_description(before, call.board, call.move);
        check_status(call.status.text());
    }
    CHECK(game.moves().size() > 20);
}

}  // namespace

TEST_CASE("the engine plays whole games as CheckerBoard has it play", "[cb]") {
    const std::vector<Position> ballots = eleven_man_ballots(rules_of<English>);
    CHECK(ballots.size() == 144);
    for (const std::size_t ballot : {0U, 55U, 100U})
        play_game(ballots[ballot], 0.01);
    play_game(start_position(Side::black), 0.01);
}

TEST_CASE("boards that jump from position to position are played", "[cb]") {
    Random random(5);
    for (int i = 0; i < 150; ++i) {
        const int black = static_cast<int>(1 + random.below(12));
        Call call(random_position(random, black, static_cast<int>(1 + random.below(12))));
        INFO(cb_fen(rules_of<English>, call.position));
        const bool has_lost = legal_moves(call.position).empty();
        const CbBoard before = call.board;
        const int result = call.run(engine(), 0.002);
        CHECK((result != cb_draw || is_known_draw(call.position, result)));
        if (has_lost) {
            CHECK(result == cb_loss);
            CHECK(call.board == before);
        } else {
            REQUIRE(call.has_moved_legally());
            check_description(before, call.board, call.move);
        }
    }
}

TEST_CASE("the status line is whole at every moment of a search", "[cb]") {
    Call call(start_position(Side::black));
    CallBeside beside(call, engine(), until_told);
    beside.wait_until_searching();
    char* const last = call.status.data() + 1023;
    bool was_whole = true;
    std::size_t longest = 0;
    for (int i = 0; i < 20000 && was_whole; ++i) {
        const std::string text = call.status.text();
        longest = std::max(longest, text.size());
        was_whole = text.size() <= 1000 && std::atomic_ref<char>(*last).load() == 0;
    }
    beside.interrupt();
    CHECK(beside.join() == cb_unknown);
    CHECK(was_whole);
    CHECK(longest > 40);
    check_status(call.status.text());
}

TEST_CASE("an old status line of full length does not show through", "[cb]") {
    Call call(start_position(Side::black));
    std::fill(call.status.data(), call.status.data() + 1023, 'x');
    call.run(engine(), 0.02);
    CHECK_FALSE(contains(call.status.text(), "xx"));
    CHECK(call.status.data()[1023] == 0);
}
