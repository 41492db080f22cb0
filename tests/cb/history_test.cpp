#include <catch2/catch.hpp>

#include <array>
#include <optional>
#include <string>

#include <defiance/rules/board.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

/// The positions of a game in which two kings go to and fro, the first of them the start. Black
/// wins in 33 plies as long as the draw law leaves so many.
constexpr std::array<const char*, 4> shuffled = {"B:WK32:BK1,K2", "W:WK32:BK5,K2", "B:WK28:BK5,K2",
                                                 "W:WK28:BK1,K2"};

/// The first so many plies of it.
std::string shuffling_history(int plies) {
    const char* const moves[] = {" 1-5", " 32-28", " 5-1", " 28-32"};
    std::string text = std::string("set gamehist ") + shuffled[0];
    for (int i = 0; i < plies; ++i)
        text += moves[i % 4];
    return text;
}

std::string status_of(const EngineDll& dll, std::string_view fen, double seconds = 0.05,
                      int info = 0) {
    Call call(position_of(fen));
    call.run(dll, seconds, info);
    CHECK(call.has_moved_legally());
    return call.status.text();
}

/// The engine plays Black's part of that game without a history, this many moves.
void shuffle(const EngineDll& dll, int moves) {
    for (int i = 0; i < moves; ++i) {
        const std::string position = shuffled[static_cast<std::size_t>(2 * i) % 4];
        static_cast<void>(accepted(
            dll, "searchmoves " + std::string(i % 2 == 0 ? "1-5" : "5-1") + " fen " + position));
        Call call(position_of(position));
        call.run(dll, 0.001, i == 0 ? cb_new_game : 0);
        CHECK(call.board ==
              to_cb_board(position_of(shuffled[static_cast<std::size_t>(2 * i + 1) % 4])));
    }
}

/// One of the better draws, but a draw.
bool is_near_draw(std::string_view status) {
    return begins_with(status, "value=+0  ") || begins_with(status, "value=+1  ") ||
           begins_with(status, "value=+2  ");
}

void check_plays_legally(const EngineDll& dll, const Position& position) {
    Call call(position);
    call.run(dll, 0.005);
    CHECK(call.has_moved_legally());
}

}  // namespace

TEST_CASE("gamehist is taken at any length", "[cb]") {
    CHECK(accepted(engine(),
                   "set gamehist B:W21,22,23,24,25,26,27,28,29,30,31,32:"
                   "B1,2,3,4,5,6,7,8,9,10,11,12") != "?");
    check_plays_legally(engine(), start_position(Side::black));
    for (const int plies : {1, 2, 79, 80, 5000}) {
        INFO(plies);
        const std::string answer = accepted(engine(), shuffling_history(plies));
        REQUIRE(begins_with(answer, "gamehist "));
        const Position last = position_of(shuffled[static_cast<std::size_t>(plies) % 4]);
        CHECK(position_of(std::string_view(answer).substr(9)) == last);
        check_plays_legally(engine(), last);
    }
}

TEST_CASE("a history of any length counts for the draw law", "[cb]") {
    for (const int plies : {0, 4, 40}) {
        INFO(plies);
        static_cast<void>(accepted(engine(), shuffling_history(plies)));
        CHECK(begins_with(status_of(engine(), shuffled[0], patience), "value=won in 17 moves  "));
    }
    for (const int plies : {72, 76}) {
        INFO(plies);
        static_cast<void>(accepted(engine(), shuffling_history(plies)));
        // With time for eight plies on any machine.
        const std::string status = status_of(engine(), shuffled[0], 0.5);
        INFO(status);
        CHECK(is_near_draw(status));
        // It counts for the one move that it was told for.
        CHECK(begins_with(status_of(engine(), shuffled[0], patience), "value=won in 17 moves  "));
    }
    // Whoever plays on after the law takes no notice of it.
    for (const int plies : {80, 5000}) {
        INFO(plies);
        static_cast<void>(accepted(engine(), shuffling_history(plies)));
        CHECK(begins_with(status_of(engine(), shuffled[0], patience), "value=won in 17 moves  "));
    }
}

TEST_CASE("a new game begins without what was played before", "[cb]") {
    shuffle(engine(), 38);
    std::string status = status_of(engine(), shuffled[0], 0.5);
    INFO(status);
    CHECK(is_near_draw(status));
    CHECK(begins_with(status_of(engine(), shuffled[0], patience, cb_new_game),
                      "value=won in 17 moves  "));
    CHECK(begins_with(status_of(engine(), shuffled[0], patience), "value=won in 17 moves  "));
    // The game that is sent is the new one.
    static_cast<void>(accepted(engine(), shuffling_history(76)));
    status = status_of(engine(), shuffled[0], 0.5, cb_new_game);
    CHECK(is_near_draw(status));
}

TEST_CASE("the engine knows the game also when it takes the other side over", "[cb]") {
    shuffle(engine(), 1);
    CHECK(begins_with(status_of(engine(), shuffled[1], patience), "value=lost in "));
    shuffle(engine(), 38);
    const std::string status = status_of(engine(), shuffled[3], 0.5);
    INFO(status);
    CHECK((begins_with(status, "value=+0") || begins_with(status, "value=-")));
}

TEST_CASE("a history that is none is refused and the engine plays as without", "[cb]") {
    for (const char* text :
         {"", "x", "B:W32", "12-16 24-20", "32:BK1 1-5", "B:WK32:BK1 1-5 32", "B:WK32:BK1 1-9",
          "B:WK32:BK1 32-28", "B:WK32:BK1 1-5 1-5", "B:W1:BK2", "B:WK32:B", "B:WK32:BK1 1-5 -",
          "B:WK32:BK1 99-1", "B:WK32:BK1 1-99999999999999999999"}) {
        INFO(text);
        CHECK(refused(engine(), "set gamehist " + std::string(text)) != "?");
        check_plays_legally(engine(), position_of("B:WK32:BK1"));
    }
    static_cast<void>(refused(engine(), shuffling_history(4000) + " 9-9"));
    static_cast<void>(refused(engine(), "set gamehist K5 32-28 5-1"));
}

TEST_CASE("a history that leads elsewhere is ignored", "[cb]") {
    static_cast<void>(accepted(engine(), shuffling_history(5000)));
    check_plays_legally(engine(), start_position(Side::black));
    // Positions on the way count as little as others: only the last one is the position to think
    // about.
    for (const char* fen : {"B:WK32:BK1,K3", "B:WK28:BK5,K2", "B:WK28:BK1,K2"}) {
        INFO(fen);
        static_cast<void>(accepted(engine(), shuffling_history(5000)));
        CHECK(begins_with(status_of(engine(), fen, patience), "value=won in "));
    }
}

namespace {

bool is_quiet(const Position& p) {
    const std::vector<Move> moves = legal_moves(p);
    return !moves.empty() && !moves[0].is_capture();
}

Move reverse_of(const Move& move) {
    return {0, move.to, move.from, false};
}

bool is_legal_move(const Position& p, const Move& move) {
    const std::vector<Move> moves = legal_moves(p);
    return std::find(moves.begin(), moves.end(), move) != moves.end();
}

/// A game that begins with the position after `last` and comes back to `root` twice, so that `last`
/// played there would make a third repetition; nothing when the moves do not allow it.
std::optional<EnglishGame> game_before_repetition(const Position& root, const Move& last) {
    const Position repeated = after<English>(root, last);
    for (const Move& answer : legal_moves(repeated)) {
        if (!is_reversible(repeated, answer)) continue;
        const Position a = after<English>(repeated, answer);
        if (!is_quiet(a) || !is_legal_move(a, reverse_of(last))) continue;
        const Position b = after<English>(a, reverse_of(last));
        if (!is_quiet(b) || !is_legal_move(b, reverse_of(answer))) continue;
        if (!(after<English>(b, reverse_of(answer)) == root)) continue;
        EnglishGame game(repeated);
        for (int round = 0; round < 2; ++round) {
            if (round > 0) game.play(last);
            for (const Move& move : {answer, reverse_of(last), reverse_of(answer)})
                game.play(move);
        }
        return game;
    }
    return std::nullopt;
}

std::optional<Move> chosen_move(const EnglishGame& game, bool with_history) {
    if (with_history) static_cast<void>(accepted(engine(), game.history_command()));
    Call call(game.position());
    call.run(engine(), 0.02);
    EnglishGame copy = game;
    return copy.play_board(call.board);
}

}  // namespace

TEST_CASE("who wins does not repeat a position for the third time", "[cb]") {
    Random random(3);
    int tried = 0;
    for (int i = 0; i < 2000 && tried < 12; ++i) {
        Position root = random_position(random, 2, 4);
        root.kings = root.occupied();
        root.side = Side::white;
        if (!is_quiet(root)) continue;
        const std::optional<Move> plain = chosen_move(EnglishGame(root), false);
        REQUIRE(plain);
        const Position next = after<English>(root, *plain);
        if (!is_quiet(next)) continue;
        std::optional<EnglishGame> game = game_before_repetition(root, *plain);
        if (!game) continue;
        INFO(game->history_command());
        REQUIRE(game->state() == GameState::open);
        REQUIRE(game->position() == root);
        const std::optional<Move> chosen = chosen_move(*game, true);
        REQUIRE(chosen);
        CHECK_FALSE(*chosen == *plain);
        ++tried;
    }
    CHECK(tried == 12);
}
