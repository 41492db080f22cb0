#include <catch2/catch.hpp>

#include <cstdio>
#include <deque>
#include <string>
#include <vector>

#include <defiance/base/console.hpp>
#include <defiance/cb/board.hpp>
#include <defiance/rules/board.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/path.hpp>
#include <tools/support/middleware.hpp>
#include <tools/support/middleware_notation.hpp>
#include <tools/support/move_players.hpp>

#include "../every_game.hpp"

using namespace defiance;

namespace {

/// Plays the moves it was given, then gives up.
class ScriptedMoves : public MovePlayer {
public:
    explicit ScriptedMoves(std::deque<std::string> moves) : moves_(std::move(moves)) {}
    std::optional<Move> choose(const CbGame& game) override {
        if (moves_.empty()) return std::nullopt;
        const Result<Move> move =
            parse_middleware_text(rules_of<English>, game.position(), moves_.front());
        moves_.pop_front();
        REQUIRE(move);
        return *move;
    }

private:
    std::deque<std::string> moves_;
};

/// The first of the legal moves.
Move first_move(const Position& position) {
    MoveList moves;
    rules_of<English>.generate_moves(position, moves);
    REQUIRE_FALSE(moves.empty());
    return moves[0];
}

/// An engine that plays the first legal move and notes what getmove tells it.
class NotingEngine : public EngineCalls {
public:
    [[nodiscard]] EngineReply command(std::string_view) const override { return {}; }
    int get_move(CbBoard& board, int color, const MoveRequest& request) const override {
        infos_.push_back(request.info);
        const Result<Position> position = read_board(board.squares, color);
        REQUIRE(position);
        board = to_cb_board(rules_of<English>.after(*position, first_move(*position)));
        return cb_unknown;
    }
    [[nodiscard]] bool has_is_legal() const override { return false; }
    [[nodiscard]] int is_legal(CbBoard, int, int, int, CBmove*) const override { return 0; }

    [[nodiscard]] const std::vector<int>& infos() const { return infos_; }

private:
    mutable std::vector<int> infos_;
};

/// A side of English draughts.
class EnglishSide : public MiddlewareSide {
public:
    EnglishSide(MovePlayer& player, Options options)
        : MiddlewareSide(rules_of<English>, player, options) {}
};

/// What is sent in answer to each line; "-" for nothing.
std::vector<std::string> transcript(EnglishSide& side, const std::vector<std::string>& lines) {
    std::vector<std::string> answers;
    for (const std::string& line : lines)
        answers.push_back(side.answer(line).line.value_or("-"));
    return answers;
}

template <class Rules>
std::string understood(std::string_view fen, std::string_view text) {
    const Result<Position> position = parse_fen(rules_of<Rules>, fen);
    REQUIRE(position);
    const Result<Move> move = parse_middleware_text(rules_of<Rules>, *position, text);
    return move ? to_middleware_text(rules_of<Rules>, *position, *move) : move.error();
}

/// A stream with these bytes in it, to be read from the start.
std::FILE* stream_of(std::string_view content) {
    std::FILE* file = std::tmpfile();
    REQUIRE(file != nullptr);
    std::fwrite(content.data(), 1, content.size(), file);
    std::rewind(file);
    return file;
}

}  // namespace

TEST_CASE("a side asked with 0 0 is Red and begins", "[tools][middleware]") {
    ScriptedMoves player({"11 15", "8 11"});
    EnglishSide side(player, {});
    CHECK(transcript(side, {"0 0", "23 19"}) == std::vector<std::string>{"11 15", "8 11"});
}

TEST_CASE("a side asked with a move is White and answers it", "[tools][middleware]") {
    ScriptedMoves player({"23 18"});
    EnglishSide side(player, {});
    CHECK(transcript(side, {" 011\t15 "}) == std::vector<std::string>{"23 18"});
    CHECK(side.game().position().side == Side::black);
}

TEST_CASE("a side to which the other one gives up says nothing more", "[tools][middleware]") {
    ScriptedMoves player({"23 18", "11 15"});
    const bool is_tolerant = GENERATE(false, true);
    EnglishSide side(player, {.ignores_illegal_lines = is_tolerant});
    CHECK(side.answer("11 15").line == "23 18");
    const MiddlewareSide::Answer answer = side.answer(" Give up! \r");
    CHECK_FALSE(answer.line);
    CHECK(answer.problem.empty());
    CHECK(answer.is_over);
    // With several games another one may follow.
    EnglishSide another(player, {.plays_several_games = true});
    CHECK_FALSE(another.answer("Give up!").is_over);
    CHECK(another.answer("0 0").line == "11 15");
}

TEST_CASE("a double jump names every square", "[tools][middleware]") {
    ScriptedMoves player({"22 17", "17 14", "23 14 7"});
    EnglishSide side(player, {});
    CHECK(transcript(side, {"10 15", "7 10", "9 18"}) ==
          std::vector<std::string>{"22 17", "17 14", "23 14 7"});
    CHECK(to_fen(rules_of<English>, side.game().position()) ==
          "B:W7,21,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,11,12,15");
}

TEST_CASE("a king may come back to where it began", "[tools][middleware]") {
    CHECK(understood<English>("B:W10,9,17,18:BK14", "14 7 16") == "'14 7 16' is not a legal move");
    const std::string_view fen = "B:W9,10,17,18,19:BK15";
    CHECK(understood<English>(fen, "15 22 13 6 15 24") == "15 22 13 6 15 24");
    CHECK(understood<English>(fen, "15 24") == "15 24");
    CHECK(understood<English>("W:WK15:B10,9,17,18", "15 6 13 22 15") == "15 22 13 6 15");
    CHECK(understood<English>("W:WK15:B10,9,17,18", "15 15") == "'15 15' leaves squares out");
}

TEST_CASE("moves must be whole and legal", "[tools][middleware]") {
    const std::string_view fen = "B:W6,14,22:B2,9";
    for (const char* text : {"2 18", "", " ", "x", "9-18", "9 18 25 26", "9 0", "9 33", "9 18 x",
                             "9", "-9 18", "9 18 25 1 2 3 4 5 6 7 8 9 10 11 12 13", "Give up!"}) {
        INFO(text);
        const std::string answer = understood<English>(fen, text);
        CHECK(answer.substr(0, 1) == "'");
    }
    CHECK(understood<English>("B:W14,22:B9", "9 25") == "'9 25' leaves squares out");
    CHECK(understood<English>("B:W14,22:B9", "9 18 25") == "9 18 25");
}

TEST_CASE("a flying king may be sent to any square that leads the same way",
          "[tools][middleware]") {
    // From a1 over c3 to d4, e5 or f6 it can go on from one only.
    const std::string_view fen = "W:WKa1:Bc3,f4";
    const Result<Position> position = parse_fen(rules_of<Russian>, fen);
    REQUIRE(position);
    MoveList moves;
    generate_moves<Russian>(*position, moves);
    REQUIRE(!moves.empty());
    for (const Move& move : moves)
        for (const Path& path : paths_of(rules_of<Russian>, *position, move)) {
            std::string text = std::to_string(Numbering<Russian>::number(move.from));
            for (const Jump& jump : path)
                text += ' ' + std::to_string(Numbering<Russian>::number(jump.landing));
            const Result<Move> read = parse_middleware_text(rules_of<Russian>, *position, text);
            REQUIRE(read);
            CHECK(*read == move);
        }
}

TEST_CASE("who has no move gives up", "[tools][middleware]") {
    ScriptedMoves player({});
    EnglishSide side(player, {});
    const EnglishSide::Answer answer = side.answer("0 0");
    CHECK(answer.line == "Give up!");
    CHECK(answer.problem.empty());
    CHECK(answer.is_over);
}

TEST_CASE("rubbish is given up to, or passed over", "[tools][middleware]") {
    for (const char* rubbish : {"", "give up", "11 16 20", "\x01\x02\xFF", "0", "0 0 0", "22 17"}) {
        INFO(rubbish);
        ScriptedMoves player({"23 18"});
        EnglishSide strict(player, {});
        const EnglishSide::Answer answer = strict.answer(rubbish);
        CHECK(answer.line == "Give up!");
        CHECK_FALSE(answer.problem.empty());
        CHECK(answer.is_over);
        EnglishSide patient(player, {true, false});
        CHECK_FALSE(patient.answer(rubbish).line);
        CHECK_FALSE(patient.answer(rubbish).problem.empty());
        CHECK(patient.answer("11 15").line == "23 18");
    }
}

TEST_CASE("a second 0 0 begins a game only when that is wanted", "[tools][middleware]") {
    ScriptedMoves player({"11 15", "9 13", "9 14"});
    EnglishSide strict(player, {});
    CHECK(strict.answer("0 0").line == "11 15");
    CHECK(strict.answer("0 0").is_over);
    EnglishSide several(player, {false, true});
    CHECK(transcript(several, {"0 0", "0 0"}) == std::vector<std::string>{"9 13", "9 14"});
    const EnglishSide::Answer given_up = several.answer("0 0");
    CHECK(given_up.line == "Give up!");
    CHECK_FALSE(given_up.is_over);
}

TEST_CASE("after a game that was given up another may begin with either side",
          "[tools][middleware]") {
    ScriptedMoves player({"11 15", "23 18", "22 17", "9 14"});
    EnglishSide side(player, {.plays_several_games = true});
    CHECK(side.answer("0 0").line == "11 15");
    // The other side gives up, then moves first.
    CHECK_FALSE(side.answer("Give up!").line);
    CHECK(transcript(side, {"11 16", "16 20"}) == std::vector<std::string>{"23 18", "22 17"});
    CHECK_FALSE(side.answer("Give up!").line);
    CHECK(side.answer("0 0").line == "9 14");
    // This side gives up, and then the other one moves first.
    const EnglishSide::Answer given_up = side.answer("22 18");
    CHECK(given_up.line == "Give up!");
    CHECK_FALSE(given_up.is_over);
    const EnglishSide::Answer next = side.answer("11 16");
    CHECK(next.problem.empty());
    CHECK(next.line == "Give up!");
}

TEST_CASE("an engine file is told with its first move that the game is new",
          "[tools][middleware]") {
    const NotingEngine engine;
    DllMovePlayer player(engine, 0);
    EnglishSide side(player, {false, true, true});
    const auto play_on = [&] {
        const Position& position = side.game().position();
        CHECK(side.answer(to_middleware_text(rules_of<English>, position, first_move(position)))
                  .line);
    };
    CHECK(side.answer("0 0").line);
    play_on();
    CHECK(side.answer("0 0").line);
    CHECK_FALSE(side.answer("setup W:W21,22,23,24:B1,2,3,4").line);
    play_on();
    play_on();
    CHECK(engine.infos() == std::vector<int>{cb_new_game, 0, cb_new_game, cb_new_game, 0});
    // The other side may begin.
    const NotingEngine second_engine;
    DllMovePlayer second_player(second_engine, 0);
    EnglishSide second(second_player, {});
    CHECK(second.answer("11 15").line);
    CHECK(second_engine.infos() == std::vector<int>{cb_new_game});
}

TEMPLATE_TEST_CASE("two sides play a game to its end", "[tools][middleware]", DEFIANCE_EVERY_GAME) {
    RandomMovePlayer red_moves(1);
    RandomMovePlayer white_moves(2);
    MiddlewareSide red(rules_of<TestType>, red_moves, {});
    MiddlewareSide white(rules_of<TestType>, white_moves, {});
    std::string line = "0 0";
    int plies = 0;
    for (MiddlewareSide* mover = &red; line != "Give up!" && plies < 2000; ++plies) {
        const auto answer = mover->answer(line);
        CHECK(answer.problem.empty());
        REQUIRE(answer.line);
        line = *answer.line;
        mover = mover == &red ? &white : &red;
    }
    CHECK(plies > 20);
    const auto& longer = red.game().moves().size() >= white.game().moves().size() ? red : white;
    CHECK((plies == 2000 || longer.game().state() == GameState::lost));
}

TEST_CASE("the built-in engine chooses forced and free moves", "[tools][middleware]") {
    EngineMovePlayer player(core_of<English>, 0.02, 1);
    REQUIRE(player);
    CbGame game(rules_of<English>, *parse_fen(rules_of<English>, "B:W14,22:B9"));
    CHECK(to_middleware_text(rules_of<English>, game.position(), *player.choose(game)) ==
          "9 18 25");
    CbGame start(rules_of<English>);
    const std::optional<Move> move = player.choose(start);
    REQUIRE(move);
    start.play(*move);
    CHECK(start.moves().size() == 1);
}

TEST_CASE("the built-in engine gives up a lost game only when told to", "[tools][middleware]") {
    const auto lost = *parse_fen(rules_of<English>, "B:W18,22,25,26,30:B1,2");
    // How many moves it plays against the first legal moves, 4 at most.
    const auto moves_played = [&](std::optional<Resignation> resignation, const Position& from) {
        EngineMovePlayer player(core_of<English>, 0.02, 1, resignation);
        CbGame game(rules_of<English>, from);
        int moves = 0;
        while (moves < 4 && game.has_move()) {
            const std::optional<Move> move = player.choose(game);
            if (!move) break;
            game.play(*move);
            ++moves;
            MoveList replies;
            game.rules().generate_moves(game.position(), replies);
            REQUIRE_FALSE(replies.empty());
            game.play(replies[0]);
        }
        return moves;
    };
    CHECK(moves_played(std::nullopt, lost) == 4);
    CHECK(moves_played(Resignation{from_centimen(-200), 1}, lost) == 0);
    CHECK(moves_played(Resignation{from_centimen(-200), 2}, lost) == 1);
    CHECK(moves_played(Resignation{from_centimen(-200), 2}, rules_of<English>.start_position()) ==
          4);
    // Moves of another game do not count, how long ever the games are.
    EngineMovePlayer player(core_of<English>, 0.02, 1, Resignation{from_centimen(-200), 2});
    CbGame game(rules_of<English>, lost);
    for (int i = 0; i < 2; ++i) {
        player.begin_game();
        const std::optional<Move> move = player.choose(game);
        REQUIRE(move);
        game.play(*move);
        game.play(first_move(game.position()));
    }
    CHECK_FALSE(player.choose(game));
}

TEST_CASE("a person is asked until the move is legal", "[tools][middleware]") {
    std::FILE* in = stream_of("hello\n11 22\n\n9 10\n 11-15 \ngive up\n");
    std::FILE* out = std::tmpfile();
    REQUIRE(out != nullptr);
    HumanMovePlayer player(in, out);
    CbGame game(rules_of<English>);
    const std::optional<Move> move = player.choose(game);
    REQUIRE(move);
    CHECK(to_middleware_text(rules_of<English>, game.position(), *move) == "11 15");
    // What is written in the form that was asked for is no legal move, or else no move.
    std::string told(4096, '\0');
    std::rewind(out);
    told.resize(std::fread(told.data(), 1, told.size(), out));
    CHECK(told.find("'hello' is not a move.") != std::string::npos);
    CHECK(told.find("9 10' is not a legal move.") != std::string::npos);
    std::fseek(out, 0, SEEK_END);
    CHECK_FALSE(player.choose(game));
    CHECK_FALSE(player.choose(game));
    std::fclose(in);
    std::fclose(out);
}

TEST_CASE("lines are read whole, cut short or not at all", "[base]") {
    std::FILE* file = stream_of("one\r\ntwo\n\nthree of more than ten\nlast");
    LineReader lines(file, 10);
    std::string line;
    CHECK((lines.read(line) == LineReader::Outcome::line && line == "one"));
    CHECK((lines.read(line) == LineReader::Outcome::line && line == "two"));
    CHECK((lines.read(line) == LineReader::Outcome::line && line.empty()));
    CHECK((lines.read(line) == LineReader::Outcome::too_long && line == "three of m"));
    CHECK((lines.read(line) == LineReader::Outcome::line && line == "last"));
    CHECK((lines.read(line) == LineReader::Outcome::end && line.empty()));
    std::fclose(file);
}

TEST_CASE("the end of a line is no part of its length", "[base]") {
    std::FILE* file = stream_of(
        "0123456789\r\n0123456789\n0123456789x\r\n0123456789\r\r\n0123456789\rx\n"
        "0123456789\rxx\r\n0123456789\r");
    LineReader lines(file, 10);
    std::string line;
    using Outcome = LineReader::Outcome;
    for (const Outcome outcome :
         {Outcome::line, Outcome::line, Outcome::too_long, Outcome::too_long, Outcome::too_long,
          Outcome::too_long, Outcome::line}) {
        CHECK(lines.read(line) == outcome);
        CHECK(line == "0123456789");
    }
    CHECK(lines.read(line) == Outcome::end);
    std::fclose(file);
}
