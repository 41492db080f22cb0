#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/posdb/move_names.hpp>
#include <tools/posdb/position_database.hpp>

namespace defiance {

/// Which distance the scores of an endgame stand for.
enum class EgdbMetric {
    end_of_game,  ///< plies to the end of the game
    conversion    ///< plies to the next capture or move of a man
};

/// A move of a position as it is shown.
struct MoveView {
    NamedMove named;
    std::size_t index = 0;  ///< in canonical_moves(), of a position that the store knows
    std::optional<DatabaseScore> score;  ///< nothing when the move is unknown
    int depth = 0;                       ///< as KnownMove::depth
    ScoreSource source = ScoreSource::search;
    bool is_child_known = false;  ///< the position after it is known, an endgame or the end
    int replies = 0;              ///< known moves there
    int good_replies = 0;         ///< the good ones among them
};

/// A position and all its legal moves, with what the database knows of them.
struct PositionView {
    enum class State {
        ended,    ///< no legal move: lost
        endgame,  ///< answered by the endgame databases
        known,
        unknown
    };

    Position position;
    State state = State::unknown;
    std::uint8_t ply = KnownPosition::max_ply_from_start;
    std::vector<MoveView> moves;  ///< the best first by is_preferred(), unknown ones last
    /// Positions after the moves tell something else than the scores, but the store has not taken
    /// that.
    bool is_behind = false;

    /// True when the score of a move is there.
    [[nodiscard]] bool has_score() const { return !moves.empty() && moves.front().score; }
    /// The best score; has_score() must be true.
    [[nodiscard]] DatabaseScore best() const { return *moves.front().score; }
    /// True when the scores of all moves are there.
    [[nodiscard]] bool is_complete() const { return !moves.empty() && moves.back().score; }
    /// 2, 1 or 0 for a move with a score, see rank_of(); in an endgame every move that keeps the
    /// result is good.
    [[nodiscard]] int rank(const MoveView& move) const;
};

/// Looks up a position and the positions after its moves. In an endgame, moves not looked up before
/// the budget ran out are unknown; all moves are when none that was looked up keeps the value of
/// the position. Error: of the store.
[[nodiscard]] Result<PositionView> look_up(PositionDatabase& database, const Position& position,
                                           EgdbMetric metric, EgdbBudget& budget);

/// The same of a position with a legal move that the endgame databases know; nothing of others and
/// when the budget is spent before all moves are looked up.
[[nodiscard]] std::optional<PositionView> look_up_endgame(const PositionDatabase& database,
                                                          const Position& position,
                                                          EgdbMetric metric, EgdbBudget& budget);

}  // namespace defiance
