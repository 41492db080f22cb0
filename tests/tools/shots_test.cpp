#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <defiance/base/text.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/games.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/search/search.hpp>
#include <tools/bench/shots.hpp>
#include <tools/support/games.hpp>

using namespace defiance;

namespace {

/// A search without pruning that ends once it knows that the side to move wins.
class ProofSearch {
public:
    explicit ProofSearch(const GameCore& core)
        : endgames_(core.open_endgames({})), search_(core.make_search(table_)) {
        search_->use(endgames_.get());
    }

    /// Of one move, or of all when there is none.
    SearchResult run(const Position& p, std::uint64_t nodes, std::vector<Move> search_moves = {}) {
        class UntilWon : public SearchObserver {
            bool may_go_deeper(const SearchReport& report) override {
                return report.score < min_known_win;
            }
        };
        SearchLimits limits;
        limits.solve = true;
        limits.depth = 25;
        limits.nodes = nodes;
        limits.search_moves = std::move(search_moves);
        UntilWon observer;
        table_.clear();
        return search_->run({&p, 1}, limits, observer);
    }

private:
    TranspositionTable table_{16};
    std::unique_ptr<EndgameDatabases> endgames_;
    std::unique_ptr<GameSearch> search_;
};

}  // namespace

TEST_CASE("a search without pruning proves that the moves of shots win, and only those",
          "[tools][bench]") {
    int proven = 0;
    for (const GameCore* core : built_games()) {
        REQUIRE_FALSE(shots_of(core->rules).empty());
        ProofSearch search(*core);
        for (const Shot& shot : shots_of(core->rules)) {
            CAPTURE(core->rules.name, shot.fen);
            const auto position = parse_fen(core->rules, shot.fen);
            REQUIRE(position);
            std::vector<Move> wins;
            for (std::string_view rest = shot.moves; !rest.empty();) {
                const auto move = parse_move(core->rules, *position, take_word(rest));
                REQUIRE(move);
                wins.push_back(*move);
            }
            const auto is_listed = [&](const Move& move) {
                return std::find(wins.begin(), wins.end(), move) != wins.end();
            };
            // The hardest ones take millions of nodes, which is for the bench itself.
            const SearchResult found = search.run(*position, 300'000);
            if (found.score >= min_known_win) {
                CHECK(is_listed(*found.move));
                ++proven;
            }
            MoveList moves;
            core->rules.generate_moves(*position, moves);
            for (const Move& move : moves) {
                if (is_listed(move)) continue;
                CAPTURE(to_text(core->rules, *position, move));
                CHECK(search.run(*position, 20'000, {move}).score < min_known_win);
            }
        }
    }
    CHECK(proven >= 12);
}
