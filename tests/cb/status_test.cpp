#include <catch2/catch.hpp>

#include <algorithm>

#include <defiance/base/text.hpp>
#include <defiance/cb/status.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move_text.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

std::string line_of(const SearchInfo& thinking, bool all_scores = false) {
    return status_line(rules_of<English>, start_position(Side::black), thinking, all_scores);
}

std::string line_with_value(Score score, const std::optional<EgdbResult>& egdb = std::nullopt) {
    SearchInfo thinking;
    thinking.depth = 12;
    thinking.score = score;
    thinking.egdb = egdb;
    return line_of(thinking);
}

std::string status_of(std::string_view fen, double seconds, int info = 0) {
    Call call(position_of(fen));
    call.run(engine(), seconds, info);
    CHECK(call.has_moved_legally());
    return call.status.text();
}

/// The moves of the line in a status line. Each must be legal where it is played.
std::vector<std::string> pv_of(std::string_view fen, std::string_view status) {
    std::vector<std::string> moves;
    const std::size_t begin = status.find("pv ");
    REQUIRE(begin != std::string_view::npos);
    std::string_view rest = status.substr(begin + 3);
    rest = rest.substr(0, rest.find("  "));
    EnglishGame game(position_of(fen));
    while (!rest.empty()) {
        const std::string_view word = take_word(rest);
        const Result<Move> move = parse_move(rules_of<English>, game.position(), word);
        REQUIRE(move);
        game.play(*move);
        moves.emplace_back(word);
    }
    return moves;
}

}  // namespace

TEST_CASE("what databases know of a move that was not searched is shown", "[cb][status]") {
    SearchInfo thinking;
    thinking.has_score = false;
    CHECK(line_of(thinking).starts_with("value=?"));
    thinking.egdb = EgdbResult{Wld::draw, {}};
    CHECK(line_of(thinking).starts_with("value=draw"));
    // As the GUI sees it when no time is given.
    CHECK(status_of("W:WK32,K31:BK1,K2", 0).find("value=draw") != std::string::npos);
}

TEST_CASE("the status line begins with the value and the line of moves", "[cb][status]") {
    SearchInfo thinking{21, 36, 6310000, 1.0, {legal_moves(start_position(Side::black)).front()},
                        {}, {}};
    const std::string move = to_text(rules_of<English>, start_position(Side::black),
                                     thinking.line.front(), MoveTextStyle::shortened);
    CHECK(line_of(thinking) ==
          "value=+12  pv " + move + "  depth 21  nodes 6.31M  speed 6310 kN/s  time 1.00s");
    const std::string status = status_of("B:W21-32:B1-12", 0.05);
    CHECK(begins_with(status, "value="));
    CHECK(status.find("  pv ") < 25);
}

TEST_CASE("values are words where the outcome is known", "[cb][status]") {
    const auto has_value = [](const std::string& line, const std::string& value) {
        return begins_with(line, "value=" + value + "  ");
    };
    CHECK(has_value(line_with_value(36), "+12"));
    CHECK(has_value(line_with_value(-36), "-12"));
    CHECK(has_value(line_with_value(score_win - 33), "won in 17 moves"));
    CHECK(has_value(line_with_value(score_win - 1), "won in 1 move"));
    CHECK(has_value(line_with_value(lost_in(18)), "lost in 9 moves"));
    CHECK(has_value(line_with_value(min_known_win), "won"));
    CHECK(has_value(line_with_value(-max_known_win), "lost"));
    CHECK(has_value(line_with_value(0, EgdbResult{Wld::draw, {}}), "draw"));
    CHECK(has_value(line_with_value(0), "+0"));
    // A short search may not have seen what the databases know.
    CHECK(has_value(line_with_value(80, EgdbResult{Wld::win, {}}), "won"));
    CHECK(has_value(line_with_value(80, EgdbResult{Wld::loss, 8}), "lost in 4 moves"));
}

TEST_CASE("a line too long for the status line loses moves and nothing else", "[cb][status]") {
    SearchInfo thinking{21, 36, 6310000, 1.0, {}, {}, {}};
    const Position start = start_position(Side::black);
    const std::vector<Move> moves = legal_moves(start);
    for (int i = 0; i < 300; ++i)
        thinking.moves.push_back({moves[static_cast<std::size_t>(i) % moves.size()], i, {}});
    const std::string line = line_of(thinking, true);
    CHECK(line.size() <= max_status_bytes);
    CHECK(line.size() > max_status_bytes - 20);
    CHECK(begins_with(line, "value=+12  all "));
    CHECK(contains(line, "  depth 21  nodes 6.31M  speed 6310 kN/s  time 1.00s"));
    thinking.is_last = true;
    const std::string last = line_of(thinking, true);
    CHECK(last.size() <= max_kept_status_bytes);
    CHECK(last.size() > max_kept_status_bytes - 20);
    CHECK(begins_with(last, "value=+12  all "));
    CHECK(contains(last, "  depth 21  nodes 6.31M  speed 6310 kN/s  time 1.00s"));
}

TEST_CASE("what getmove leaves as a comment fits where CheckerBoard copies it", "[cb][status]") {
    // A blank before it, the longest remark of CheckerBoard after it, and the end mark.
    STATIC_REQUIRE(1 + max_kept_status_bytes + 39 + 1 <= 256);
    const Restored all_scores_option(engine(), "allscores");
    // Searches of a tenth of a second see long lines there.
    for (const char* fen :
         {"B:W21-32:B1-12", "W:WK18,K22,K23,13:BK9,K10,K11,5", "W:WK32,K31,K30,K29:BK1,K5"})
        for (const bool all_scores : {false, true}) {
            REQUIRE(engine().command(all_scores ? "set allscores 1" : "set allscores 0").code == 1);
            const std::string status = status_of(fen, 0.1);
            INFO(status);
            CHECK(status.size() <= max_kept_status_bytes);
            CHECK(contains(status, "value="));
            CHECK(contains(status, "  depth "));
        }
}

TEST_CASE("what a database proves is shown in words, with the way to the end", "[cb][status]") {
    // 33 plies, as `defiance egdb probe` tells.
    const std::string_view won = "B:WK32:BK1,K2";
    for (const int info : {0, exact_bit}) {
        const std::string status = status_of(won, info == exact_bit ? 0.5 : patience, info);
        INFO(status);
        CHECK(begins_with(status, "value=won in 17 moves  pv "));
        CHECK(pv_of(won, status).size() == 20);
    }
    const std::string_view lost = "W:WK32:BK1,K2";
    const std::string status = status_of(lost, patience);
    INFO(status);
    CHECK(begins_with(status, "value=lost in "));
    CHECK(pv_of(lost, status).size() == 20);
    CHECK(begins_with(status_of("B:WK32:BK1", patience), "value=draw  pv "));
    CHECK(begins_with(status_of("W:WK32,K31:BK1,K2", patience), "value=draw  pv "));
}

TEST_CASE("a line of a database ends with the game", "[cb][status]") {
    const Position close = position_of("W:WK14,K15:BK8");
    Call call(close);
    call.run(engine(), patience);
    const std::string status = call.status.text();
    INFO(status);
    const std::size_t at = status.find("won in ");
    REQUIRE(at != std::string::npos);
    std::string_view rest = std::string_view(status).substr(at + 7);
    const auto moves = parse_integer(take_word(rest), 1, 9);
    REQUIRE(moves);
    CHECK(pv_of("W:WK14,K15:BK8", status).size() == static_cast<std::size_t>(2 * *moves - 1));
}

TEST_CASE("all scores are words where they are known", "[cb][status]") {
    const Restored restored(engine(), "allscores");
    static_cast<void>(accepted(engine(), "set allscores 1"));
    const std::string won = status_of("B:WK32:BK1,K2", patience);
    INFO(won);
    CHECK(begins_with(won, "value=won in 17 moves  all "));
    CHECK(contains(won, " won in 17 moves, "));
    CHECK_FALSE(contains(won, "+"));
    const std::string drawn = status_of("B:WK32:BK1", patience);
    INFO(drawn);
    CHECK(begins_with(drawn, "value=draw  all "));
    CHECK(contains(drawn, " draw, "));
    CHECK_FALSE(contains(drawn, "+0"));
}

TEST_CASE("a forced move says so", "[cb][status]") {
    const std::string_view forced = "B:W14,21-24,27-32:B9,1-8";
    CHECK(legal_moves(position_of(forced)).size() == 1);
    const std::string quick = status_of(forced, 0.05);
    INFO(quick);
    CHECK(begins_with(quick, "only move  value=?  pv 9x"));
    // Who waits for the move to be thought about gets a value.
    const std::string thorough = status_of(forced, 0.05, exact_bit);
    INFO(thorough);
    CHECK(begins_with(thorough, "only move  value="));
    CHECK_FALSE(contains(thorough, "value=?"));
    CHECK_FALSE(contains(status_of("B:W21-32:B1-12", 0.05), "only move"));
    // What the databases know of the position after it is shown.
    const std::string won = status_of("B:W15,30,31:B10,1,2", 0.05);
    INFO(won);
    CHECK(begins_with(won, "only move  value=won"));
}

TEST_CASE("a forced move is thought about in analysis", "[cb][status]") {
    const Restored restored(engine(), "analysis");
    static_cast<void>(accepted(engine(), "set analysis 1"));
    const std::string text = status_of("B:W14,21-24,27-32:B9,1-8", 0.5);
    INFO(text);
    CHECK_FALSE(contains(text, "value=?"));
    CHECK_FALSE(contains(text, "depth 1 "));
}
