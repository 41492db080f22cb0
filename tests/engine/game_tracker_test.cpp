#include <catch2/catch.hpp>

#include <defiance/engine/engine.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>

#include "scripted_core.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

constexpr const char* start_fen =
    "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

Position position_at(const char* fen) {
    const auto position = parse_fen(rules_of<English>, fen);
    REQUIRE(position);
    return *position;
}

Move move_of(const Position& position, const char* text) {
    const auto move = parse_move(rules_of<English>, position, text);
    REQUIRE(move);
    return *move;
}

/// A game in which one side is followed by a tracker; every position is called drawn.
class Followed {
public:
    explicit Followed(const char* fen) : position_(position_at(fen)) {}

    /// The tracked side moves; how many draws it has known in a row.
    int own(const char* text) {
        const Side side = position_.side;
        static_cast<void>(tracker_.begin_move(position_));
        const Move move = move_of(position_, text);
        tracker_.end_move(position_, move, true);
        position_ = rules_of<English>.after(position_, move);
        return tracker_.known_draws(side);
    }
    /// The other side moves.
    void reply(const char* text) {
        position_ = rules_of<English>.after(position_, move_of(position_, text));
    }

private:
    GameTracker tracker_{rules_of<English>};
    Position position_;
};

}  // namespace

TEST_CASE("a history is a position and moves from it", "[engine]") {
    const auto game = parse_history(rules_of<English>,
                                    "B:WK12,K27,30,32:B21,K24,28,K31  24-19 27-24\t19-15 12-16 ");
    REQUIRE(game);
    CHECK(game->reversible_history().size() == 5);
    CHECK(game->position() == position_at("B:WK16,K24,30,32:BK15,21,28,K31"));
    REQUIRE(parse_history(rules_of<English>, start_fen));
    CHECK(parse_history(rules_of<English>, start_fen)->reversible_history().size() == 1);
}

TEST_CASE("what is no history is refused with a reason", "[engine]") {
    for (const char* text : {"", "B", "B:W1", "B:WK12:B21 21-26", "B:WK12:B21 junk", "24-19 27-24",
                             "B:W1,30:B21 21-25", "B:W:B21", "W30,32:B21,K24 24-19"}) {
        INFO(text);
        const auto game = parse_history(rules_of<English>, text);
        REQUIRE_FALSE(game);
        CHECK_FALSE(game.error().empty());
    }
}

TEST_CASE("the search gets the history that leads to the position, once", "[engine]") {
    const ScriptReset reset;
    Engine engine(scripted_core(), "");
    EngineObserver quiet;
    const Game game = *parse_history(rules_of<English>, "B:WK32:BK1 1-5 32-28 5-1 28-32");
    const std::vector<Position> alone = {game.position()};
    const auto searched_history = [&] {
        static_cast<void>(engine.think(game.position(), {TimeMode::at_once, 0, 0, 0}, quiet));
        return script().last_history;
    };
    CHECK(searched_history() == alone);
    engine.set_history(game);
    CHECK(searched_history() == game.reversible_history());
    CHECK(game.reversible_history().size() == 5);
    CHECK(searched_history() == alone);
    // A history that leads elsewhere is not used, also not later.
    engine.set_history(*parse_history(rules_of<English>, "B:WK32:BK1 1-5 32-28"));
    CHECK(searched_history() == alone);
    engine.set_history(game);
    engine.set_history(std::nullopt);
    CHECK(searched_history() == alone);
}

TEST_CASE("without a history the search gets the moves of the engine and the replies", "[engine]") {
    GameTracker tracker(rules_of<English>);
    Position position = position_at("B:WK32,28:BK1,9");
    std::vector<Position> history = {position};
    for (const char* text : {"1-5", "32-27", "5-1", "27-32", "1-5", "32-27"}) {
        const Move move = move_of(position, text);
        if (position.side == Side::black) {
            CHECK(tracker.begin_move(position).reversible_history() == history);
            // Asked again, as in analysis, it is the same.
            CHECK(tracker.begin_move(position).reversible_history() == history);
            tracker.end_move(position, move, false);
        }
        position = rules_of<English>.after(position, move);
        history.push_back(position);
    }
    CHECK(tracker.begin_move(position).reversible_history() == history);
    // A man's move forgets what cannot come again, another position all.
    const Move forward = move_of(position, "9-13");
    tracker.end_move(position, forward, false);
    position = rules_of<English>.after(position, forward);
    history = {position};
    position = rules_of<English>.after(position, move_of(position, "27-32"));
    history.push_back(position);
    CHECK(tracker.begin_move(position).reversible_history() == history);
    const Position other = position_at("B:WK32,24:BK1,9");
    CHECK(tracker.begin_move(other).reversible_history() == std::vector<Position>{other});
}

TEST_CASE("a move that was asked for and never ended is no part of the game", "[engine]") {
    GameTracker tracker(rules_of<English>);
    const Position start = position_at("B:WK32,28:BK1,9");
    static_cast<void>(tracker.begin_move(start));
    const Move own = move_of(start, "1-5");
    tracker.end_move(start, own, false);
    const Position left = rules_of<English>.after(start, own);
    // The search of the first position fails; the user takes back and plays something else.
    for (const char* reply : {"32-27", "28-24"}) {
        const Position asked = rules_of<English>.after(left, move_of(left, reply));
        CHECK(tracker.begin_move(asked).position() == asked);
    }
}

TEST_CASE("known draws are counted from the last man's move on, also by a move asked for again",
          "[engine]") {
    GameTracker tracker(rules_of<English>);
    Position position = position_at("B:WK32,28:BK1,9");
    const auto own = [&](const char* text) {
        const Position asked = position;
        position = rules_of<English>.after(asked, move_of(asked, text));
        return tracker.end_move(asked, move_of(asked, text), true);
    };
    const auto reply = [&](const char* text) {
        position = rules_of<English>.after(position, move_of(position, text));
    };
    static_cast<void>(tracker.begin_move(position));
    CHECK(own("1-5") == 1);
    reply("32-27");
    static_cast<void>(tracker.begin_move(position));
    CHECK(own("5-1") == 2);
    reply("28-24");
    // The first search for this move fails.
    static_cast<void>(tracker.begin_move(position));
    static_cast<void>(tracker.begin_move(position));
    CHECK(own("1-5") == 1);
}

namespace {

/// The positions of these moves.
std::vector<Position> positions_of(const char* moves) {
    const auto game = parse_history(rules_of<English>, moves);
    REQUIRE(game);
    return game->reversible_history();
}

/// The side to move is asked in the last of the positions and plays the move.
void play(GameTracker& tracker, const Position& position, const char* text) {
    static_cast<void>(tracker.begin_move(position));
    tracker.end_move(position, move_of(position, text), false);
}

}  // namespace

TEST_CASE("the game goes on when the engine is asked for the other side", "[engine]") {
    GameTracker tracker(rules_of<English>);
    const auto game = positions_of("B:WK32:BK1,K2 1-5 32-28 5-1 28-32 1-5 32-28");
    play(tracker, game[0], "1-5");
    play(tracker, game[2], "5-1");
    SECTION("after its move") {
        const auto known = positions_of("B:WK32:BK1,K2 1-5 32-28 5-1");
        CHECK(tracker.begin_move(game[3]).reversible_history() == known);
        CHECK(tracker.begin_move(game[3]).reversible_history() == known);
        // And again for the first.
        tracker.end_move(game[3], move_of(game[3], "28-32"), false);
        CHECK(tracker.begin_move(game[4]).reversible_history() ==
              positions_of("B:WK32:BK1,K2 1-5 32-28 5-1 28-32"));
    }
    SECTION("after another move of the user") {
        const auto other = positions_of("B:WK32:BK1,K2 1-5 32-28 2-6");
        CHECK(tracker.begin_move(other.back()).reversible_history() == other);
    }
    SECTION("after a search that never ended") {
        static_cast<void>(tracker.begin_move(game[4]));
        CHECK(tracker.begin_move(game[5]).reversible_history() ==
              positions_of("B:WK32:BK1,K2 1-5 32-28 5-1 28-32 1-5"));
    }
    SECTION("but not in a position that no move leads to") {
        const Position elsewhere = position_at("W:WK24:BK1,K2");
        CHECK(tracker.begin_move(elsewhere).reversible_history() ==
              std::vector<Position>{elsewhere});
    }
}

TEST_CASE("a position that comes again is not the same as before", "[engine]") {
    GameTracker tracker(rules_of<English>);
    const auto game = positions_of("B:WK32:BK1,K2 1-5 32-28 5-1 28-32 1-5");
    play(tracker, game[0], "1-5");
    play(tracker, game[1], "32-28");
    play(tracker, game[2], "5-1");
    play(tracker, game[4], "1-5");
    // White was asked here four plies ago, and has moved by itself since.
    CHECK(tracker.begin_move(game[5]).reversible_history() == game);
}

TEST_CASE("a new game forgets the moves of both sides", "[engine][claim][time]") {
    GameTracker tracker(rules_of<English>);
    const auto game = positions_of("B:WK32:BK1,K2 1-5 32-28 5-1");
    play(tracker, game[0], "1-5");
    play(tracker, game[1], "32-28");
    tracker.spend_time(game[0], 5, 4);
    tracker.begin_game();
    CHECK(tracker.credit(Side::black).saved(5) == 0);
    for (const Position& position : {game[2], game[1], game[2]}) {
        tracker.begin_game();
        CHECK(tracker.begin_move(position).reversible_history() == std::vector<Position>{position});
    }
    // From here on it is known again.
    CHECK(tracker.end_move(game[2], move_of(game[2], "5-1"), true) == 1);
    CHECK(tracker.begin_move(game[3]).reversible_history() ==
          std::vector<Position>{game[2], game[3]});
    // A history is of the new game.
    tracker.set_history(*parse_history(rules_of<English>, "B:WK32:BK1,K2 1-5 32-28 5-1"));
    tracker.begin_game();
    CHECK(tracker.begin_move(game[3]).reversible_history() == game);
}

TEST_CASE("the last game is the one that was searched, and the present one has the move played",
          "[engine]") {
    GameTracker tracker(rules_of<English>);
    CHECK(tracker.last_game().position() == rules_of<English>.start_position());
    const auto game = positions_of("B:WK32:BK1,K2 1-5 32-28");
    tracker.set_history(*parse_history(rules_of<English>, "B:WK32:BK1,K2 1-5 32-28"));
    for (int i = 0; i < 2; ++i) {
        CHECK(tracker.last_game().reversible_history() == game);
        CHECK(tracker.present_game().reversible_history() == game);
        if (i == 0) static_cast<void>(tracker.begin_move(game[2]));
    }
    const Move move = move_of(game[2], "5-1");
    tracker.end_move(game[2], move, false);
    CHECK(tracker.present_game().reversible_history() == game);
    tracker.note_played(game[2], move);
    CHECK(tracker.last_game().reversible_history() == game);
    CHECK(tracker.present_game().reversible_history() ==
          positions_of("B:WK32:BK1,K2 1-5 32-28 5-1"));
    // A move in a position of before is none of the present game.
    const Position elsewhere = position_at("B:WK18:BK1,K2");
    static_cast<void>(tracker.begin_move(elsewhere));
    tracker.note_played(game[2], move);
    CHECK(tracker.present_game().reversible_history() == std::vector<Position>{elsewhere});
}

TEST_CASE("moves of kings that follow each other are counted", "[engine][claim]") {
    Followed game("B:WK32,28:BK1,9");
    CHECK(game.own("1-5") == 1);
    game.reply("32-27");
    CHECK(game.own("5-1") == 2);
    game.reply("27-32");
    CHECK(game.own("1-5") == 3);
}

TEST_CASE("a move of a man of either side begins the count anew", "[engine][claim]") {
    Followed game("B:WK32,28:BK1,9");
    CHECK(game.own("1-5") == 1);
    game.reply("32-27");
    CHECK(game.own("9-13") == 2);
    game.reply("27-32");
    CHECK(game.own("5-1") == 1);
    game.reply("32-27");
    CHECK(game.own("1-5") == 2);
    game.reply("28-24");
    CHECK(game.own("5-1") == 1);
}

TEST_CASE("time is saved for the game that is played", "[engine][time]") {
    const ScriptReset reset;
    GameTracker tracker(rules_of<English>);
    const Position first = position_at("B:WK32,28:BK1,9");
    static_cast<void>(tracker.begin_move(first));
    tracker.end_move(first, move_of(first, "1-5"), false);
    tracker.spend_time(first, 1, 0.25);
    CHECK(tracker.credit(Side::white).saved(1) == 0);
    const Position next = position_at("B:WK27,28:BK5,9");
    static_cast<void>(tracker.begin_move(next));
    CHECK(tracker.credit(Side::black).saved(1) == Approx(0.75));
    static_cast<void>(tracker.begin_move(position_at(start_fen)));
    CHECK(tracker.credit(Side::black).saved(1) == 0);
}

TEST_CASE("a search that the GUI ends and asks for again saves no time", "[engine][time]") {
    const ScriptReset reset;
    GameTracker tracker(rules_of<English>);
    const Position first = position_at("B:WK32,28:BK1,9");
    for (int aborted = 0; aborted < 3; ++aborted) {
        static_cast<void>(tracker.begin_move(first));
        CHECK(tracker.credit(Side::black).saved(5) == 0);
        tracker.end_move(first, move_of(first, "1-5"), false);
        tracker.spend_time(first, 5, 0);
    }
    static_cast<void>(tracker.begin_move(first));
    tracker.end_move(first, move_of(first, "1-5"), false);
    tracker.spend_time(first, 5, 4);
    static_cast<void>(tracker.begin_move(position_at("B:WK27,28:BK5,9")));
    CHECK(tracker.credit(Side::black).saved(5) == Approx(1));
}

TEST_CASE("draws are counted for the move that ends, not for one begun meanwhile",
          "[engine][claim]") {
    GameTracker tracker(rules_of<English>);
    const Position first = position_at("B:WK32,28:BK1,9");
    static_cast<void>(tracker.begin_move(first));
    CHECK(tracker.end_move(first, move_of(first, "1-5"), true) == 1);
    const Position next = position_at("B:WK27,28:BK5,9");
    static_cast<void>(tracker.begin_move(next));
    CHECK(tracker.end_move(next, move_of(next, "5-1"), true) == 2);
    // Another think() ends that the GUI has given up.
    CHECK(tracker.end_move(first, move_of(first, "1-5"), true) == 0);
    CHECK(tracker.known_draws(Side::black) == 2);
}

TEST_CASE("a search that ends after another has begun saves no time for it", "[engine][time]") {
    GameTracker tracker(rules_of<English>);
    const Position first = position_at("B:WK32,28:BK1,9");
    static_cast<void>(tracker.begin_move(first));
    const Position of_other_game = position_at(start_fen);
    static_cast<void>(tracker.begin_move(of_other_game));
    tracker.spend_time(first, 5, 0);
    CHECK(tracker.credit(Side::black).saved(5) == 0);
    tracker.spend_time(of_other_game, 5, 4);
    CHECK(tracker.credit(Side::black).saved(5) == Approx(1));
}
