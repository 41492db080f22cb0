#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>
#include <defiance/search/score.hpp>
#include <defiance/search/table.hpp>

namespace defiance {

/// How far a search may go, apart from time, and how it goes about it.
struct SearchLimits {
    int depth = max_depth;             ///< deepest iteration, 1 to max_depth
    std::uint64_t nodes = UINT64_MAX;  ///< moves made; overstepped by at most 1024
    bool solve = false;       ///< no forward pruning, no reductions, captures extended by a ply
    bool all_scores = false;  ///< a true score for every root move instead of for the best one
    std::vector<Move> only;   ///< the legal moves to choose among; empty: all of them
};

/// One move at the root with what is known about it.
struct RootMove {
    Move move;
    Score score = -score_infinite;  ///< of the last iteration that gave it a true score
    std::vector<Move> line;         ///< the best play after it, the move itself first
    /// What the endgame databases say about the position, for its mover, if this move is played.
    std::optional<EgdbResult> egdb = std::nullopt;
};

/// What a search knows so far.
struct SearchReport {
    int depth = 0;               ///< the last iteration completed, or under way if `score` is of it
    Score score = 0;             ///< for the side to move at the root
    std::uint64_t nodes = 0;     ///< moves made in search and quiescence
    std::span<const Move> line;  ///< principal variation; valid during the call only
    std::span<const RootMove> moves;  ///< all root moves, best first; valid during the call only
    /// What the endgame databases say about the root.
    std::optional<EgdbResult> verdict = std::nullopt;
};

/// Watches over a search from outside: knows clocks and users, which the search does not. As it is,
/// it lets a search run to its limits. All calls come from the thread that runs the search; one
/// that throws ends the search, and the Search may be used again.
class SearchObserver {
public:
    virtual ~SearchObserver() = default;
    /// Asked about every 1024 nodes, that is every fraction of a millisecond, and after every probe
    /// of a database that may have waited for a disk.
    virtual bool must_stop(std::uint64_t /*nodes*/) { return false; }
    /// Asked after each iteration but the last.
    virtual bool may_go_deeper(const SearchReport& /*report*/) { return true; }
    /// Told when the best move or its score changes, and after each iteration.
    virtual void report(const SearchReport& /*report*/) {}
};

/// The longest principal variation that is taken from endgame databases, in moves of both sides.
inline constexpr std::size_t max_egdb_line = 20;

/// The outcome of a search.
struct SearchResult {
    std::optional<Move> move;  ///< nothing only when the side to move has no legal move
    Score score = 0;
    int depth = 0;  ///< iterations completed
    std::uint64_t nodes = 0;
    /// Principal variation, the move first. Where the databases know the way to a win it goes on to
    /// max_egdb_line moves.
    std::vector<Move> line;
    /// What the endgame databases say about the position itself.
    std::optional<EgdbResult> verdict;
};

/// Searches for the best move of a position by iterative deepening, principal variation search and
/// a quiescence search that never judges a position with a capture pending.
///
/// A proven score (is_win, is_loss) is one for which every move of the losing side was looked at,
/// down to positions without a legal move: moves are searched less deep or left out only when that
/// cannot produce such a score. What it cannot see is a draw claimed by positions played before the
/// root; see win_is_certain.
///
/// With endgame databases a position they know is not searched. At the root only the moves that
/// keep its value are tried; where the distance is known, only the best by that.
///
/// The same position, table, limits and earlier use, also of the databases, give the same nodes on
/// every build as long as the observer does not stop it. One object serves one thread; several may
/// share a table.
class GameSearch {
public:
    virtual ~GameSearch() = default;

    /// From the next run() on asks these databases, which must be of the same game and live on;
    /// null: none.
    virtual void use(const EndgameDatabases* endgames) = 0;

    /// Searches the last position of `history`; the ones before it are those of the game since the
    /// last move that cannot be taken back (Game::reversible_history), against which repetitions
    /// are counted.
    [[nodiscard]] virtual SearchResult run(std::span<const Position> history,
                                           const SearchLimits& limits,
                                           SearchObserver& observer) = 0;
};

/// The search of one game, compiled for its rules type.
template <class Rules>
class Search final : public GameSearch {
public:
    explicit Search(TranspositionTable& table);
    ~Search() override;
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    void use(const EndgameDatabases* endgames) override;
    [[nodiscard]] SearchResult run(std::span<const Position> history, const SearchLimits& limits,
                                   SearchObserver& observer) override;

private:
    class Worker;
    TranspositionTable& table_;
    std::unique_ptr<Worker> worker_;
};

/// True when a proven score stands even if the draw rules are applied to the game so far: no
/// position of the history has occurred twice, and the win comes before the 40-move rule could end
/// the game.
[[nodiscard]] bool win_is_certain(const GameRules& rules, std::span<const Position> history,
                                  Score score);

}  // namespace defiance
