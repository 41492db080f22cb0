#include <catch2/catch.hpp>

#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/training/course.hpp>

using namespace defiance;

namespace {

Position position_of(const char* fen) {
    const Result<Position> position = parse_fen(rules_of<English>, fen);
    REQUIRE(position);
    return *position;
}

const char* const black_to_move = "B:WK32,31:BK1,2";
const char* const white_to_move = "W:WK32,31:BK1,2";

/// A search that found this score.
SearchResult found(Score score, std::optional<Wld> known = std::nullopt) {
    SearchResult result;
    result.move = Move{0, 0, 1, false};
    result.score = score;
    result.depth = 1;
    if (known) result.egdb = EgdbResult{*known, {}};
    return result;
}

/// Positions of both sides in turn with a score for black, until the game ends; the number of them.
int plies_until_end(SelfplayCourse& course, Score for_black, int first_ply = 0) {
    for (int ply = first_ply; ply < max_selfplay_plies; ++ply) {
        const bool is_black = ply % 2 == 0;
        const bool goes_on = course.add(position_of(is_black ? black_to_move : white_to_move),
                                        found(is_black ? for_black : -for_black), ply);
        if (!goes_on) return ply - first_ply + 1;
    }
    return max_selfplay_plies;
}

}  // namespace

TEST_CASE("the result of a game is that of its records, seen by the side to move",
          "[tools][selfplay]") {
    SelfplayCourse course(rules_of<English>);
    CHECK(course.add(position_of(black_to_move), found(10), 20));
    CHECK(course.add(position_of(white_to_move), found(-10), 21));
    // Black could capture here, if it were to move.
    CHECK(course.add(position_of("W:W18,31:BK15,2"), found(-10), 22));
    CHECK(course.add(position_of("B:W18,31:BK15,2"), found(10), 23));
    course.end(position_of(white_to_move), SelfplayEnd::no_move, -1);
    const SelfplayGame game = course.finish(23);
    CHECK(game.summary == SelfplaySummary{23, 2, 1, SelfplayEnd::no_move});
    REQUIRE(game.records.size() == 2);
    CHECK(game.records[0].result == 1);
    CHECK(game.records[0].score == 10);
    CHECK(game.records[0].flags == TrainingRecord::first_of_game);
    CHECK(game.records[1].result == -1);
    CHECK(game.records[1].flags == 0);
}

TEST_CASE("a database decides the game and then each position for itself", "[tools][selfplay]") {
    SelfplayCourse course(rules_of<English>);
    CHECK(course.add(position_of(black_to_move), found(10), 20));
    CHECK(course.add(position_of(white_to_move), found(2500, Wld::win), 21));
    CHECK_FALSE(course.may_move_at_random());
    // A move that did not keep the win, and a position that the database does not know.
    CHECK(course.add(position_of(black_to_move), found(0, Wld::draw), 22));
    CHECK(course.add(position_of(white_to_move), found(500), 23));
    int after_known = 2;
    while (course.add(position_of(black_to_move), found(-2500, Wld::loss), 24))
        ++after_known;
    CHECK(after_known == 7);
    course.end(position_of(black_to_move), SelfplayEnd::no_move, -1);
    const SelfplayGame game = course.finish(40);
    CHECK(game.summary.end == SelfplayEnd::database);
    CHECK(game.summary.result == -1);
    REQUIRE(game.records.size() == 3 + 6);
    CHECK(game.records[0].result == -1);
    CHECK(game.records[1].result == 1);
    CHECK(game.records[1].score == 2000);
    CHECK(game.records[2].result == 0);
    CHECK(game.records[3].result == -1);
}

TEST_CASE("records before a random mistake are dropped, others stay", "[tools][selfplay]") {
    const auto records_after = [](Score score_after) {
        SelfplayCourse course(rules_of<English>);
        CHECK(course.add(position_of(black_to_move), found(5), 20));
        CHECK(course.add(position_of(white_to_move), found(40), 21));
        CHECK(course.may_move_at_random());
        course.move_at_random(40);
        CHECK_FALSE(course.may_move_at_random());
        CHECK(course.add(position_of(black_to_move), found(score_after), 22));
        CHECK(course.add(position_of(white_to_move), found(300), 23));
        course.end(position_of(black_to_move), SelfplayEnd::repetition, 0);
        return course.finish(24).records;
    };
    CHECK(records_after(-10).size() == 4);
    REQUIRE(records_after(-9).size() == 2);
    CHECK(records_after(-9)[0].flags == TrainingRecord::first_of_game);
    SelfplayCourse course(rules_of<English>);
    CHECK(course.add(position_of(black_to_move), found(5), 20));
    course.move_at_random(5);
    course.end(position_of(white_to_move), SelfplayEnd::no_move, -1);
    CHECK(course.finish(21).records.size() == 1);
}

TEST_CASE("games end when their scores are clear", "[tools][selfplay]") {
    SelfplayCourse won(rules_of<English>);
    CHECK(plies_until_end(won, -801) == 6);
    CHECK(won.finish(6).summary == SelfplaySummary{6, 6, -1, SelfplayEnd::decided});
    SelfplayCourse nearly(rules_of<English>);
    CHECK(plies_until_end(nearly, 800) == max_selfplay_plies);
    SelfplayCourse level(rules_of<English>);
    CHECK(plies_until_end(level, 11) == 80 + 30);
    CHECK(level.finish(110).summary.end == SelfplayEnd::level);
    SelfplayCourse open(rules_of<English>);
    CHECK(plies_until_end(open, 12, 100) == max_selfplay_plies);
}

TEST_CASE("a search without a finished iteration makes no record", "[tools][selfplay]") {
    SelfplayCourse course(rules_of<English>);
    SearchResult stopped = found(0);
    stopped.depth = 0;
    CHECK(course.add(position_of(black_to_move), stopped, 20));
    course.end(position_of(white_to_move), SelfplayEnd::too_long, 0);
    CHECK(course.finish(21).records.empty());
}
