#include <catch2/catch.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/engine/advice.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/position.hpp>
#include <tools/support/games.hpp>

using namespace defiance;

namespace {

Position position_in(const GameCore& core, std::string_view fen) {
    const Result<Position> position = read_position(core.rules, fen);
    REQUIRE(position);
    return *position;
}

}  // namespace

TEST_CASE("moves are ranked by promise, the same way every time", "[engine]") {
    const GameCore& core = *find_game("english");
    const Position p = position_in(core, "W:WK23:BK32");
    const std::vector<Move> ranked = ranked_moves(core, p);
    CHECK(ranked.size() == core.rules.count_moves(p));
    CHECK(core.rules.can_capture(core.rules.after(p, ranked.back())));
    CHECK(ranked_moves(core, p) == ranked);
}

TEST_CASE("moves are ranked soon on a board full of flying kings", "[engine]") {
    const GameCore& core = *find_game("russian");
    const Position p = position_in(core,
                                   "W:WK1,K3,K7,K9,K13,K21,K23,K25,K28,K30,K31:"
                                   "BK2,K5,K10,K11,K12,K17,K18,K19,K20,K26,K27,K29");
    const Stopwatch stopwatch;
    const std::vector<Move> ranked = ranked_moves(core, p);
    // Without a limit it takes six seconds, with a sanitizer many more.
    CHECK(stopwatch.seconds() < 4);
    CHECK(ranked.size() == core.rules.count_moves(p));
    for (std::size_t i = 0; i < ranked.size(); ++i)
        CHECK(std::find(ranked.begin() + static_cast<std::ptrdiff_t>(i) + 1, ranked.end(),
                        ranked[i]) == ranked.end());
}
