#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move_text.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/italian.hpp>
#include <defiance/rules/path.hpp>
#include <defiance/rules/russian.hpp>

#include "compare.hpp"
#include "random_position.hpp"

using namespace defiance;
using namespace defiance::testing;

namespace {

Position from_fen(std::string_view fen) {
    const Result<Position> position = parse_fen(rules_of<English>, fen);
    REQUIRE(position);
    return *position;
}

/// The full text of the move that `text` names, or the error.
std::string understood(const Position& position, std::string_view text) {
    const Result<Move> move = parse_move(rules_of<English>, position, text);
    return move ? to_text(rules_of<English>, position, *move) : move.error();
}

std::string text_of(const Move& move, const Path& path) {
    std::string text = std::to_string(Numbering<English>::number(move.from));
    for (const Jump& jump : path)
        text += 'x' + std::to_string(Numbering<English>::number(jump.landing));
    return text;
}

bool is_legal_jump(const Position& p, const Move& move, int from, const Jump& jump,
                   Bitboard taken) {
    const Coordinate a = coordinate_of(from);
    const Coordinate b = coordinate_of(jump.captured);
    const Coordinate c = coordinate_of(jump.landing);
    const bool straight = c.x - b.x == b.x - a.x && c.y - b.y == b.y - a.y;
    const bool by_one = (b.x - a.x) * (b.x - a.x) == 1 && (b.y - a.y) * (b.y - a.y) == 1;
    const bool forward = (b.y > a.y) == (p.side == Side::black);
    const bool is_king = (p.kings & bit(move.from)) != 0;
    const bool over_enemy = (p.theirs() & ~taken & bit(jump.captured)) != 0;
    const bool to_free = ((p.empty() | bit(move.from)) & bit(jump.landing)) != 0;
    return straight && by_one && (forward || is_king) && over_enemy && to_free;
}

bool is_legal_path(const Position& p, const Move& move, const Path& path) {
    int at = move.from;
    Bitboard taken = 0;
    for (const Jump& jump : path) {
        if (!is_legal_jump(p, move, at, jump, taken)) return false;
        taken |= bit(jump.captured);
        at = jump.landing;
    }
    return at == move.to && taken == move.captured;
}

/// What is wrong with the texts and paths of a capture, or an empty text.
std::string fault_of_capture(const Position& p, const Move& move, int ways) {
    std::vector<Path> paths = paths_of(rules_of<English>, p, move);
    if (static_cast<int>(paths.size()) != ways) return "number of paths";
    if (path_of(rules_of<English>, p, move) != paths.front()) return "first path";
    for (const Path& path : paths) {
        if (!is_legal_path(p, move, path)) return "illegal path";
        const Result<Move> read = parse_move(rules_of<English>, p, text_of(move, path));
        if (!read || *read != move) return "text of a path";
    }
    const auto order = [](const Path& a, const Path& b) {
        return std::lexicographical_compare(
            a.begin(), a.end(), b.begin(), b.end(),
            [](const Jump& x, const Jump& y) { return x.landing < y.landing; });
    };
    std::sort(paths.begin(), paths.end(), order);
    const bool unique = std::adjacent_find(paths.begin(), paths.end()) == paths.end();
    return unique ? "" : "a path twice";
}

}  // namespace

TEST_CASE("a quiet move is written with a hyphen", "[rules][english]") {
    const Position start = start_position(Side::black);
    CHECK(understood(start, "11-15") == "11-15");
    CHECK(understood(start, "11x15") == "11-15");
}

TEST_CASE("a capture is written with every landing square", "[rules][english]") {
    const Position p = from_fen("B:W6,14,22:B1");
    CHECK(understood(p, "1x10x17x26") == "1x10x17x26");
    CHECK(understood(p, "1x26") == "1x10x17x26");
    CHECK(understood(p, "1-26") == "1x10x17x26");
    CHECK(understood(p, "1x10x26") == "1x10x17x26");
    CHECK(understood(p, "1x17x26") == "1x10x17x26");
    CHECK(understood(p, "1-10-17-26") == "1x10x17x26");
    CHECK(understood(p, "1:10:17:26") == "1x10x17x26");
    CHECK(understood(p, "1:26") == "1x10x17x26");
    const Move move = *parse_move(rules_of<English>, p, "1x26");
    CHECK(to_text(rules_of<English>, p, move, MoveTextStyle::shortened) == "1x26");
}

TEST_CASE("a move that is not legal is refused", "[rules][english]") {
    const Position p = from_fen("B:W6,14,22:B1,12");
    for (const char* text : {"12-16", "1-5", "1x10", "1x10x17", "1x17x10x26", "1x10x17x26x31",
                             "2x9", "1x10x10x26", "26x1"})
        CHECK(understood(p, text) == "'" + std::string(text) + "' is not a legal move");
}

TEST_CASE("an en dash is a hyphen, and algebraic squares need none", "[rules]") {
    const Position start = rules_of<English>.start_position();
    CHECK(understood(start,
                     "11\xE2\x80\x93"
                     "15") == "11-15");
    CHECK(understood(start, "1115") == "'1115' is not a move");
    CHECK(understood(start,
                     "11\xE2\x80"
                     "15")
              .ends_with("is not a move"));
    const GameRules& russian = rules_of<Russian>;
    const auto is_same = [&](std::string_view fen, std::string_view text, std::string_view other) {
        const auto position = parse_fen(russian, fen);
        REQUIRE(position);
        const auto move = parse_move(russian, *position, text);
        const auto wanted = parse_move(russian, *position, other);
        return move && wanted && *move == *wanted;
    };
    const std::string quiet = to_fen(russian, russian.start_position());
    CHECK(is_same(quiet, "c3d4", "c3-d4"));
    CHECK(is_same(quiet, "C3D4", "c3-d4"));
    CHECK(is_same(quiet,
                  "c3\xE2\x80\x93"
                  "d4",
                  "c3-d4"));
    const std::string captures = "W:Wc3:Bd4,f6";
    CHECK(is_same(captures, "c3e5g7", "c3xe5xg7"));
    CHECK(is_same(captures, "c3g7", "c3xg7"));
    CHECK(is_same(captures, "c3e5xg7", "c3xe5xg7"));
    for (const char* text : {"c3", "c3d", "c3d4e", "c3dd", "22", "2218", "c318", "18d4"})
        CHECK_FALSE(parse_move(russian, russian.start_position(), text));
    CHECK_FALSE(parse_move(rules_of<Italian>, rules_of<Italian>.start_position(), "c3d4"));
}

TEST_CASE("a text that is no move is refused", "[rules][english]") {
    const Position start = start_position(Side::black);
    for (const char* text :
         {"",       "-",     "x",     "11",  "11-",     "-15",    "11--15",
          "11-15-", "0-1",   "11-33", "1-0", "a3-b4",   "11 15",  " 11-15",
          "11-15 ", "11X15", "11;15", "*",   "1/2-1/2", "11-15!", "99999999999999999999-1",
          ":",      "11:",   ":15",   "1:0", "0:1",     "11::15"})
        CHECK(understood(start, text) == "'" + std::string(text) + "' is not a move");
}

TEST_CASE("a hostile move text is refused without harm", "[rules]") {
    const Position start = start_position(Side::black);
    std::string chain = "11";
    for (int i = 0; i < 100000; ++i)
        chain += "x15";
    for (const std::string& text : {chain, std::string(1000000, '-'), std::string(1000000, '1'),
                                    std::string(100, '\0'), std::string("\xFF-\xFE")}) {
        const Result<Move> move = parse_move(rules_of<English>, start, text);
        REQUIRE_FALSE(move);
        CHECK(move.error().size() < 100);
    }
}

TEST_CASE("two captures with the same ends need a square between", "[rules][english]") {
    const Position p = from_fen("B:W6,7,14,15:BK2,30");
    MoveList moves;
    generate_moves<English>(p, moves);
    REQUIRE(moves.size() == 1);  // around the loop, in two ways
    CHECK(understood(p, "2x2") == understood(p, "2x9x18x11x2"));
    CHECK(understood(p, "2x11x18x9x2") == understood(p, "2x9x18x11x2"));
    const Position q = from_fen("B:W6,7,14,15:B2,K30");
    const Result<Move> either = parse_move(rules_of<English>, q, "2x18");
    REQUIRE_FALSE(either);
    CHECK(either.error() == "'2x18' fits more than one capture");
    CHECK(is_ambiguous(rules_of<English>, q, "2x18"));
    for (const char* text : {"2x11x18", "2x9", "2x25", "2", "", "x"})
        CHECK_FALSE(is_ambiguous(rules_of<English>, q, text));
    CHECK(understood(q, "2x9x18") == "2x9x18");
    CHECK(understood(q, "2x11x18") == "2x11x18");
    const Move move = *parse_move(rules_of<English>, q, "2x9x18");
    CHECK(to_text(rules_of<English>, q, move, MoveTextStyle::shortened) == "2x9x18");
}

TEST_CASE("a text with every landing square means that capture and no longer one",
          "[rules][english]") {
    // The king may walk around a loop of four pieces before it takes the fifth.
    const Position p = from_fen("B:W9,10,17,18,19:BK15");
    CHECK(understood(p, "15x24") == "15x24");
    for (const char* text : {"15x22x13x6x15x24", "15x6x13x22x15x24", "15x13x24", "15x15x24"}) {
        const Result<Move> move = parse_move(rules_of<English>, p, text);
        REQUIRE(move);
        CHECK(count(move->captured) == 5);
    }
}

TEST_CASE("every text of every move is read back as this move", "[rules][english]") {
    Random random(22);
    for (int i = 0; i < 20000; ++i) {
        const Position p = random_position(random, 60);
        for (const auto& [expected, ways] : reference_moves(reference_game(21), reference_of(p))) {
            MoveList moves;
            generate_moves<English>(p, moves);
            for (const Move& move : moves) {
                if (reference_of(move) != expected) continue;
                for (const auto style : {MoveTextStyle::full, MoveTextStyle::shortened}) {
                    const Result<Move> read = parse_move(
                        rules_of<English>, p, to_text(rules_of<English>, p, move, style));
                    const bool same = read && *read == move;
                    if (!same)
                        FAIL(to_text(rules_of<English>, p, move, style)
                             << " in " << to_fen(rules_of<English>, p));
                }
                if (!move.is_capture()) continue;
                const std::string fault = fault_of_capture(p, move, ways);
                if (!fault.empty()) FAIL(fault << " in " << to_fen(rules_of<English>, p));
            }
        }
    }
}

TEST_CASE("a quiet move has one empty path and an illegal capture none", "[rules]") {
    const Position p = from_fen("B:W18:B15,1");
    MoveList quiet;
    generate_quiet_moves<English>(p, quiet);
    REQUIRE_FALSE(quiet.empty());
    CHECK(paths_of(rules_of<English>, p, quiet[0]) == std::vector<Path>{Path{}});
    CHECK(path_of(rules_of<English>, p, quiet[0]).empty());
    Move wrong = *parse_move(rules_of<English>, p, "15x22");
    wrong.to = static_cast<std::uint8_t>(Numbering<English>::index(24));
    CHECK(paths_of(rules_of<English>, p, wrong).empty());
    CHECK(path_of(rules_of<English>, p, wrong).empty());
}
