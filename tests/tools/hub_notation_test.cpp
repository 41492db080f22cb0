#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <defiance/base/random.hpp>
#include <tools/support/games.hpp>
#include <tools/support/hub_notation.hpp>

using namespace defiance;

namespace {

const std::string twelve_white(12, 'w');
const std::string twelve_black(12, 'b');
const std::string eight_empty(8, 'e');

Position hub_position_in(const GameRules& rules, std::string_view fen) {
    const Result<Position> position = read_position(rules, fen);
    REQUIRE(position);
    return *position;
}

/// What the one capture of the position is called.
std::string only_move(const GameRules& rules, std::string_view fen) {
    MoveList moves;
    rules.generate_moves(hub_position_in(rules, fen), moves);
    REQUIRE(moves.size() == 1);
    return to_hub_move(rules, moves[0]);
}

}  // namespace

TEST_CASE("each game starts from the squares its own numbers give", "[tools][hub]") {
    for (const GameCore* core : built_games()) {
        const GameRules& rules = core->rules;
        INFO(rules.name);
        const bool white_is_first = rules.first_side == Side::white;
        const bool white_has_1 = rules.game_type == 24 || rules.game_type == 29;
        const std::string expected = std::string(white_is_first ? "W" : "B") +
                                     (white_has_1 ? twelve_white : twelve_black) + eight_empty +
                                     (white_has_1 ? twelve_black : twelve_white);
        CHECK(to_hub_position(rules, rules.start_position()) == expected);
    }
}

TEST_CASE("a position names kings and empty squares", "[tools][hub]") {
    const GameRules& rules = rules_of<English>;
    const std::string text =
        "WB" + std::string(13, 'e') + "b" + std::string(6, 'e') + "w" + std::string(9, 'e') + "W";
    const Result<Position> position = parse_hub_position(rules, text);
    REQUIRE(position);
    CHECK(*position == hub_position_in(rules, "W:W22,K32:BK1,15"));
    CHECK(to_hub_position(rules, *position) == text);
}

TEST_CASE("what is no position is refused", "[tools][hub]") {
    const GameRules& rules = rules_of<Russian>;
    const std::string start = to_hub_position(rules, rules.start_position());
    const auto changed = [&](std::size_t at, char c) {
        std::string text = start;
        text[at] = c;
        return text;
    };
    for (const std::string& text :
         {std::string(), start + 'e', start.substr(1), changed(0, 'e'), changed(0, 'w'),
          changed(5, '.'), changed(5, '\0'), changed(5, 'E'),
          // Thirteen men, and a man where it is crowned.
          changed(15, 'b'), "W" + std::string(31, 'e') + "b", "Ww" + std::string(31, 'e')}) {
        INFO(text);
        CHECK_FALSE(parse_hub_position(rules, text));
    }
    // A side without pieces can be read: it has no move.
    CHECK(parse_hub_position(rules, "W" + std::string(31, 'e') + "w"));
}

TEST_CASE("a capture names its ends and all it takes", "[tools][hub]") {
    CHECK(only_move(rules_of<English>, "B:W15:B11") == "11x18x15");
    // Two jumps, the pieces with rising numbers.
    CHECK(only_move(rules_of<English>, "W:W27:B16,23") == "27x18x23");
    CHECK(only_move(rules_of<English>, "W:W27:B14,23") == "27x9x14x23");
    // In a circle, back to where it began.
    CHECK(only_move(rules_of<English>, "W:WK7:B10,11,18,19") == "7x7x10x11x18x19");
}

TEST_CASE("a move is read as it is written", "[tools][hub]") {
    Random random(3);
    for (const GameCore* core : built_games()) {
        const GameRules& rules = core->rules;
        INFO(rules.name);
        for (int game = 0; game < 20; ++game) {
            Position position = rules.start_position();
            for (int ply = 0; ply < 100; ++ply) {
                MoveList moves;
                rules.generate_moves(position, moves);
                if (moves.empty()) break;
                for (const Move& move : moves) {
                    const Result<Move> read =
                        parse_hub_move(rules, position, to_hub_move(rules, move));
                    REQUIRE(read);
                    REQUIRE(rules.after(position, *read) == rules.after(position, move));
                }
                position = rules.after(position, moves[random.below(moves.size())]);
                const auto again = parse_hub_position(rules, to_hub_position(rules, position));
                REQUIRE(again);
                REQUIRE(*again == position);
            }
        }
    }
}

TEST_CASE("pieces taken may stand in any order", "[tools][hub]") {
    const GameRules& rules = rules_of<English>;
    const Position position = hub_position_in(rules, "W:W27:B14,23");
    CHECK(parse_hub_move(rules, position, "27x9x23x14"));
    CHECK(parse_hub_move(rules, position, "27x09x14x23"));
    for (const char* text :
         {"27x9", "27x9x14", "27x9x14x14", "27x9x14x23x18", "27-9", "27-9-14-23", "27x9x14-23",
          "27x18x23", "9x27x14x23", "27x9x14x", "27x9x14x33", "27x9x14x-23", "x27x9", ""}) {
        INFO(text);
        CHECK_FALSE(parse_hub_move(rules, position, text));
    }
}

TEST_CASE("a quiet move has two squares", "[tools][hub]") {
    const GameRules& rules = rules_of<English>;
    const Position start = rules.start_position();
    CHECK(parse_hub_move(rules, start, "11-15"));
    for (const char* text : {"11x15", "11-15-18", "11 15", "11-", "-15", "11-8", "0-0", "22-18",
                             "11--15", "c3-d4", "99999999999999999999-15", "11-15\n"}) {
        INFO(text);
        CHECK_FALSE(parse_hub_move(rules, start, text));
    }
    CHECK_FALSE(parse_hub_move(rules, start, std::string(1 << 20, 'x')));
}
