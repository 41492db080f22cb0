#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

#include <defiance/engine/game_core.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/book/book_experience.hpp>
#include <tools/book/practice_text.hpp>
#include <tools/support/games.hpp>

#include "../base/temporary.hpp"

namespace defiance {
namespace {

const GameRules& practice_rules() {
    return find_game("english")->rules;
}

Move move_named(const Position& position, const std::string& text) {
    const auto move = parse_move(practice_rules(), position, text);
    REQUIRE(move);
    return *move;
}

/// A book of the start position with these moves, all of them supported.
class StartBook {
public:
    explicit StartBook(const std::map<std::string, int>& scores) : file_(bytes(scores)) {}

    [[nodiscard]] OpeningBook open() const {
        auto book = OpeningBook::open(practice_rules(), file_.path());
        REQUIRE(book);
        return *std::move(book);
    }

private:
    static std::string bytes(const std::map<std::string, int>& scores) {
        const Position start = practice_rules().start_position();
        BookPosition entry{start, {}};
        for (const auto& [text, score] : scores)
            entry.moves.push_back({move_named(start, text), score, 10, 100});
        auto made = make_book(practice_rules(), {entry}, "test");
        REQUIRE(made);
        return *made;
    }

    TemporaryFile file_;
};

/// Black, or the side named, learns the line that the text tells.
PracticeLine line_of(const std::string& moves, int value, const std::string& learner = "B") {
    const auto line = read_practice_line(
        practice_rules(), learner + ' ' + std::to_string(value) + ' ' +
                              to_fen(practice_rules(), practice_rules().start_position()) + ' ' +
                              moves);
    INFO(moves);
    REQUIRE(line);
    return *line;
}

/// The moves that are ever drawn in the position.
std::map<std::string, int> drawn(const BookExperience& experience, const Position& position) {
    Random random(1);
    std::map<std::string, int> times;
    for (int i = 0; i < 500; ++i)
        if (const auto move = experience.draw_move(position, random))
            ++times[to_text(practice_rules(), position, *move)];
    return times;
}

std::map<std::string, BookMove> moves_in(const BookExperience& experience,
                                         const Position& position) {
    const auto positions = experience.positions();
    REQUIRE(positions);
    std::map<std::string, BookMove> moves;
    for (const BookPosition& entry : *positions)
        if (entry.position == with_black_to_move(position))
            for (const BookMove& m : entry.moves)
                moves[to_text(practice_rules(), entry.position, m.move)] = m;
    return moves;
}

}  // namespace

TEST_CASE("lines that end well make a move tried more often and better", "[book][practice]") {
    const StartBook start_book({{"11-15", 4}, {"9-13", 3}, {"12-16", -50}});
    const OpeningBook book = start_book.open();
    BookExperience experience(book);
    const Position start = practice_rules().start_position();
    const auto before = drawn(experience, start);
    CHECK_FALSE(before.contains("12-16"));
    CHECK(before.at("9-13") > 150);
    for (int i = 0; i < 20; ++i) {
        experience.add(line_of("11-15 23-19", -30));
        experience.add(line_of("9-13 23-19", 10));
    }
    CHECK(drawn(experience, start).at("9-13") > 490);
    const auto moves = moves_in(experience, start);
    REQUIRE(moves.size() == 3);
    // Two lines' weight of what was known, twenty lines.
    CHECK(moves.at("11-15").score == -27);
    CHECK(moves.at("9-13").score == 9);
    CHECK(moves.at("12-16").score == -50);
    CHECK(moves.at("9-13").support == 100);
}

TEST_CASE("a move tried little does not rise above one tried often", "[book][practice]") {
    const StartBook start_book({{"11-15", 0}, {"9-13", 0}, {"10-15", 8}});
    const OpeningBook book = start_book.open();
    BookExperience experience(book);
    for (int i = 0; i < 10; ++i)
        experience.add(line_of("11-15 23-19", 6));
    experience.add(line_of("9-13 23-19", 100));
    const auto moves = moves_in(experience, practice_rules().start_position());
    CHECK(moves.at("11-15").score == 5);
    CHECK(moves.at("9-13").score == 4);
    // It was never tried: its search stands.
    CHECK(moves.at("10-15").score == 8);
    for (int i = 0; i < 3; ++i)
        experience.add(line_of("9-13 23-19", 100));
    CHECK(moves_in(experience, practice_rules().start_position()).at("9-13").score == 67);
}

TEST_CASE("when good moves turn out badly others are tried", "[book][practice]") {
    const StartBook start_book({{"11-15", 0}, {"9-13", -2}, {"10-15", -20}});
    const OpeningBook book = start_book.open();
    BookExperience experience(book);
    for (int i = 0; i < 10; ++i) {
        experience.add(line_of("11-15 23-19", -80));
        experience.add(line_of("9-13 23-19", -80));
    }
    const Position start = practice_rules().start_position();
    CHECK(drawn(experience, start).at("10-15") > 480);
    // It is the one to play, though it was never tried.
    const auto moves = moves_in(experience, start);
    CHECK(moves.at("10-15").score == -20);
    CHECK(moves.at("11-15").score < -20);
    CHECK(moves.at("9-13").score < -20);
}

TEST_CASE("white learns on a turned board", "[book][practice]") {
    const StartBook start_book({{"11-15", 0}});
    const OpeningBook book = start_book.open();
    BookExperience experience(book);
    const Position start = practice_rules().start_position();
    const Position after = practice_rules().after(start, move_named(start, "11-15"));
    for (int i = 0; i < 3; ++i)
        experience.add(line_of("11-15 23-19=12/20 8-11", 40, "W"));
    CHECK(drawn(experience, after) == std::map<std::string, int>{{"23-19", 500}});
    // 23-19 is 10-14 for black: (2 * 12 + 3 * 40) / 5.
    const auto moves = moves_in(experience, after);
    REQUIRE(moves.size() == 1);
    CHECK(moves.at("10-14").score == 29);
    CHECK(moves.at("10-14").support == 8);
    CHECK(moves.at("10-14").depth == 20);
    // Nothing is learned for the other side.
    CHECK(moves_in(experience, start).at("11-15").score == 0);
}

TEST_CASE("a move found beyond the book gets into it with the second line", "[book][practice]") {
    const StartBook start_book({{"11-15", 0}});
    const OpeningBook book = start_book.open();
    BookExperience experience(book);
    const Position start = practice_rules().start_position();
    Position position = practice_rules().after(start, move_named(start, "11-15"));
    position = practice_rules().after(position, move_named(position, "23-19"));
    CHECK(experience.moves_found(position).empty());
    experience.add(line_of("11-15 23-19 8-11=10/18", 10));
    CHECK(experience.moves_found(position).size() == 1);
    CHECK(moves_in(experience, position).empty());
    experience.add(line_of("11-15 23-19 8-11", 10));
    CHECK(moves_in(experience, position).at("8-11").score == 10);
    // It holds what it promised: nothing else is looked for.
    Random random(1);
    CHECK(experience.draw_move(position, random) == move_named(position, "8-11"));
    // Now it is doubted.
    for (int i = 0; i < 4; ++i)
        experience.add(line_of("11-15 23-19 8-11", -50));
    CHECK_FALSE(experience.draw_move(position, random));
    experience.add(line_of("11-15 23-19 9-14=8/18", 8));
    CHECK(experience.moves_found(position).size() == 2);
    CHECK(experience.draw_move(position, random));
}

TEST_CASE("a line that the book does not explain does no harm", "[book][practice][hostile]") {
    const StartBook start_book({{"11-15", 30000}});
    const OpeningBook book = start_book.open();
    BookExperience experience(book);
    for (int i = 0; i < 2; ++i)
        experience.add(line_of("10-15 22-18", 7));
    experience.add(line_of("11-15 22-18", 7));
    const auto moves = moves_in(experience, practice_rules().start_position());
    CHECK(moves.at("10-15").score == 4);
    CHECK(moves.at("11-15").score == 69);
}

TEST_CASE("replies are repeated when they were seen often", "[book][practice]") {
    const StartBook start_book({{"11-15", 0}});
    const OpeningBook book = start_book.open();
    BookExperience experience(book);
    const Position start = practice_rules().start_position();
    const Position after = practice_rules().after(start, move_named(start, "11-15"));
    Random random(1);
    for (int i = 0; i < 5; ++i)
        experience.add(line_of(i < 4 ? "11-15 23-19" : "11-15 22-18", 0));
    CHECK_FALSE(experience.draw_reply(after, random));
    experience.add(line_of("11-15 22-18", 0));
    std::map<std::string, int> times;
    for (int i = 0; i < 600; ++i) {
        const auto reply = experience.draw_reply(after, random);
        REQUIRE(reply);
        ++times[to_text(practice_rules(), after, *reply)];
    }
    CHECK(times.size() == 2);
    CHECK(times["23-19"] > 340);
    CHECK(times["22-18"] > 140);
    CHECK_FALSE(experience.draw_reply(start, random));
}

TEST_CASE("a practice line is read as it was written", "[book][practice]") {
    for (const std::string text :
         {"B 12 B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12 11-15=-7/21 "
          "23-19 8-11",
          "W -100 B:W10:B1,K2", "W 0 W:W18:B14 18x9=100/255"}) {
        const auto line = read_practice_line(practice_rules(), text);
        INFO(text << (line ? "" : line.error()));
        REQUIRE(line);
        const std::string written = practice_text(practice_rules(), *line);
        const auto again = read_practice_line(practice_rules(), written);
        REQUIRE(again);
        CHECK(practice_text(practice_rules(), *again) == written);
        CHECK(again->moves.size() == line->moves.size());
        CHECK(again->value == line->value);
        CHECK(again->learner == line->learner);
        CHECK(again->root == line->root);
    }
}

TEST_CASE("a faulty practice line is refused", "[book][practice][hostile]") {
    const std::string start = to_fen(practice_rules(), practice_rules().start_position());
    for (const std::string& text :
         {std::string(), std::string("B"), std::string("X 0 ") + start, "B 101 " + start,
          "B x " + start, std::string("B 0"), std::string("B 0 B:W40:B1"),
          "B 0 " + start + " 11-20", "B 0 " + start + " 11-15=", "B 0 " + start + " 11-15=5",
          "B 0 " + start + " 11-15=5/", "B 0 " + start + " 11-15=5/256",
          "B 0 " + start + " 11-15=-101/9", "B 0 " + start + " 11-15=5/9/9",
          "B 0 " + start + " 11-15 11-15", "B 0 " + start + std::string(" 11-15 \0", 8),
          "B 0 " + start + " " + std::string(5000, 'x')}) {
        const auto line = read_practice_line(practice_rules(), text);
        INFO(text);
        REQUIRE_FALSE(line);
        CHECK_FALSE(line.error().empty());
    }
}

}  // namespace defiance
