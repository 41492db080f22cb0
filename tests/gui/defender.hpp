#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <defiance/base/random.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/game.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/search/search.hpp>

namespace defiance::gui {

/// A defender that knows the endgame databases: it takes every draw, and loses as late as it can.
template <class Rules>
class Defender {
public:
    Defender(const Endgames<Rules>& endgames, std::uint64_t seed)
        : endgames_(endgames), random_(seed), search_(table_) {
        search_.use(&endgames);
    }

    /// The move it plays; there must be one.
    [[nodiscard]] Move choose(const Game& game) {
        MoveList moves;
        generate_moves<Rules>(game.position(), moves);
        std::vector<Move> best;
        int best_rank = -1;
        for (const Move& move : moves) {
            const int rank = rank_of(game, move);
            if (rank > best_rank) best.clear();
            best_rank = std::max(best_rank, rank);
            if (rank == best_rank) best.push_back(move);
        }
        if (best.size() == 1) return best.front();
        if (best_rank == unknown_distance) return searched(game, best);
        return best[random_.below(best.size())];
    }

private:
    static constexpr int unknown_distance = 100000;
    static constexpr int saves = 200000;

    /// The rank of a move: the plies it holds out; an unknown distance ranks above all of them, and
    /// a draw or better above that.
    [[nodiscard]] int rank_of(const Game& game, const Move& move) const {
        constexpr std::size_t max_positions = 4000;
        Game next = game;
        next.play(move);
        const GameState state = next.state();
        if (state != GameState::open) return saves;
        const auto result = endgames_.resolve(next.position(), max_positions);
        if (!result) return unknown_distance;
        if (result->wld != Wld::win) return saves;
        return result->dtw.value_or(unknown_distance);
    }

    [[nodiscard]] Move searched(const Game& game, const std::vector<Move>& moves) {
        SearchLimits limits;
        limits.nodes = 20000;
        limits.search_moves = moves;
        SearchObserver observer;
        const auto result = search_.run(game.reversible_history(), limits, observer);
        return result.move ? *result.move : moves.front();
    }

    const Endgames<Rules>& endgames_;
    Random random_;
    TranspositionTable table_{4};
    Search<Rules> search_;
};

}  // namespace defiance::gui
