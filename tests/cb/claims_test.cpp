#include <catch2/catch.hpp>

#include <optional>

#include <defiance/base/text.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

bool loses_within(const Position& p, int plies);

/// True when the side to move can force the end of the game in its favour within the plies.
bool wins_within(const Position& p, int plies) {
    if (plies <= 0) return false;
    for (const Move& move : legal_moves(p))
        if (loses_within(after<English>(p, move), plies - 1)) return true;
    return false;
}

bool loses_within(const Position& p, int plies) {
    const std::vector<Move> moves = legal_moves(p);
    if (!moves.empty() && plies <= 1) return false;
    for (const Move& move : moves)
        if (!wins_within(after<English>(p, move), plies - 1)) return false;
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

int result_of(const Position& p, double seconds = 0.1) {
    Call call(p);
    const int result = call.run(engine(), seconds);
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
        INFO(cb_fen(rules_of<English>, p));
        CHECK(result_of(p, patience) == cb_win);
        ++found;
    }
}

TEST_CASE("a loss in a few moves is claimed when all that is proven is", "[cb]") {
    const Restored restored(engine(), "claim");
    static_cast<void>(accepted(engine(), "set claim 2"));
    Random random(19);
    for (int found = 0; found < 25;) {
        const Position p = small_position(random);
        if (has_no_choice(p) || !loses_within(p, 4)) continue;
        INFO(cb_fen(rules_of<English>, p));
        CHECK(result_of(p, patience) == cb_loss);
        ++found;
    }
}

TEST_CASE("a lost position is not resigned and a drawn one not given away", "[cb]") {
    CHECK(accepted(engine(), "get claim") == "1");
    CHECK(result_of(position_of("W:WK32:BK1,K2")) == cb_unknown);
    CHECK(result_of(position_of("B:WK32:BK1")) == cb_unknown);
    const Restored restored(engine(), "claim");
    static_cast<void>(accepted(engine(), "set claim 0"));
    CHECK(result_of(position_of("B:WK32:BK1,K2")) == cb_unknown);
    static_cast<void>(accepted(engine(), "set claim 2"));
    CHECK(result_of(position_of("W:WK32:BK1,K2"), patience) == cb_loss);
    CHECK(result_of(position_of("B:WK32:BK1"), patience) == cb_draw);
}

TEST_CASE("the option claim takes three numbers", "[cb]") {
    const Restored restored(engine(), "claim");
    for (const char* value : {"0", "1", "2"}) {
        CHECK(accepted(engine(), std::string("set claim ") + value) ==
              std::string("claim ") + value);
        CHECK(accepted(engine(), "get claim") == value);
    }
    for (const char* value : {"", "3", "-1", "x", "1 2"})
        CHECK(contains(refused(engine(), std::string("set claim ") + value),
                       "1 (wins that are certain, and draws known for 20 moves)"));
    CHECK(accepted(engine(), "get claim") == "2");
}

TEST_CASE("a known draw is claimed at the twentieth move, also without a history", "[cb]") {
    for (const bool tells_history : {true, false}) {
        CHECK(result_of(start_position(Side::black)) == cb_unknown);  // another game before
        EnglishGame game(position_of("B:WK32:BK1"));
        int own_moves = 0;
        for (int result = cb_unknown; result != cb_draw;) {
            REQUIRE(own_moves < 20);
            if (tells_history) static_cast<void>(accepted(engine(), game.history_command()));
            Call call(game.position());
            result = call.run(engine(), 0.001);
            REQUIRE(game.play_board(call.board));
            ++own_moves;
            // In its double corner the other king is safe.
            const int there = own_moves % 2 == 1 ? 28 : 32;
            for (const Move& reply : legal_moves(game.position()))
                if (rules_of<English>.number(reply.to) == there) {
                    game.play(reply);
                    break;
                }
        }
        CHECK(own_moves == 20);
    }
}

TEST_CASE("a known draw is known without any time", "[cb]") {
    const Restored restored(engine(), "claim");
    static_cast<void>(accepted(engine(), "set claim 2"));
    for (const char* fen : {"B:WK32:BK1", "W:WK32:BK1", "B:W32,K31:BK1,2"}) {
        INFO(fen);
        Call call(position_of(fen));
        call.play_now = 1;
        CHECK(call.run(engine(), 0.001) == cb_draw);
        CHECK(call.has_moved_legally());
    }
}

TEST_CASE("without databases nothing is claimed in the opening and no draw ever", "[cb]") {
    const Restored claim_restored(engine(), "claim");
    static_cast<void>(accepted(engine(), "set claim 2"));
    const Restored restored(engine(), "enable_wld");
    static_cast<void>(accepted(engine(), "set enable_wld 0"));
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

namespace {

/// Plies to the end of the game according to a status line; nothing when it proves nothing. The
/// line counts the winner's moves.
std::optional<int> proven_plies(const std::string& status) {
    for (const auto& [words, odd] : {std::pair<std::string_view, int>{"value=won in ", 1},
                                     std::pair<std::string_view, int>{"value=lost in ", 0}}) {
        const std::size_t at = status.find(words);
        if (at == std::string::npos) continue;
        std::string_view rest = std::string_view(status).substr(at + words.size());
        const auto moves = parse_integer(take_word(rest), 1, 1000);
        REQUIRE(moves);
        return static_cast<int>(2 * *moves - odd);
    }
    return std::nullopt;
}

}  // namespace

TEST_CASE("what the search claims is true, however early it was broken off", "[cb]") {
    const Restored claim_restored(engine(), "claim");
    static_cast<void>(accepted(engine(), "set claim 2"));
    const Restored restored(engine(), "enable_wld");
    static_cast<void>(accepted(engine(), "set enable_wld 0"));
    constexpr int max_plies_to_check = 8;
    Random random(29);
    int checked = 0;
    for (int i = 0; i < 6000; ++i) {
        const int black = static_cast<int>(1 + random.below(5));
        Call call(random_position(random, black, static_cast<int>(1 + random.below(5))));
        if (legal_moves(call.position).empty()) continue;
        const int result = call.run(engine(), 0.00003 * random.below(20));
        const std::optional<int> plies = proven_plies(call.status.text());
        INFO(cb_fen(rules_of<English>, call.position) << ": " << call.status.text());
        CHECK((plies || result == cb_unknown));
        if (result == cb_unknown || *plies > max_plies_to_check) continue;
        CHECK((result == cb_win ? wins_within(call.position, *plies)
                                : loses_within(call.position, *plies)));
        ++checked;
    }
    CHECK(checked > 300);
}
