#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <defiance/egdb/endgames.hpp>
#include <defiance/eval/network.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>
#include <defiance/search/hints.hpp>
#include <defiance/search/parameters.hpp>
#include <defiance/search/score.hpp>
#include <defiance/search/table.hpp>

namespace defiance {

/// The most threads that can search one position.
inline constexpr int max_search_threads = 64;

/// The limits of a search apart from time, its mode, and what it prunes by.
///
/// One thread exceeds the nodes by at most max_ply, several by about 1024 each.
struct SearchLimits {
    int depth = max_depth;  ///< deepest iteration, 1 to max_depth
    /// Moves made in search, quiescence and proof-number search.
    std::uint64_t nodes = UINT64_MAX;
    /// No forward pruning, no reductions, captures extended by a ply; and, without all_scores, a
    /// proof-number search for a win gets as many nodes.
    bool solve = false;
    bool all_scores = false;  ///< an exact score for every root move instead of for the best one
    std::vector<Move> search_moves;  ///< the legal moves to choose among; empty: all of them
    int threads = 1;                 ///< that search together, 1 to max_search_threads
    SearchParameters parameters;     ///< each within its bounds
};

/// One move at the root with its results.
struct RootMove {
    Move move;
    /// For the first move in the list, and for every move with all_scores, the score of the last
    /// iteration. For another move its score from when it was last the best, or a later upper bound
    /// that shows a loss; -score_infinite if it has neither.
    Score score = -score_infinite;
    std::vector<Move> line;  ///< the best play after it, the move itself first
    /// The database result of the move, for the side that plays it.
    std::optional<EgdbResult> egdb = std::nullopt;
    /// Nodes below the move in the last iteration, by the thread that called run(); 0 with
    /// all_scores.
    std::uint64_t nodes = 0;
};

/// The results of a search so far.
struct SearchReport {
    int depth = 0;               ///< the last iteration completed, or under way if `score` is of it
    Score score = 0;             ///< for the side to move at the root
    std::uint64_t nodes = 0;     ///< as in SearchLimits
    std::span<const Move> line;  ///< principal variation; valid during the call only
    /// The root moves that are searched: without those excluded by SearchLimits::search_moves,
    /// hints and, unless with all_scores, endgame databases. The best first, with all_scores in the
    /// order of their scores. Valid during the call only.
    std::span<const RootMove> moves;
    /// The database result of the root.
    std::optional<EgdbResult> egdb = std::nullopt;
};

/// Receives reports of a search and decides when it stops; this one lets it run to its limits. All
/// calls come from the thread that called run(). An exception of an observer ends the search, and
/// the Search object may be used again.
class SearchObserver {
public:
    virtual ~SearchObserver() = default;
    /// Asked every 1024 nodes (a fraction of a millisecond) and after every database probe that may
    /// have waited for a disk.
    virtual bool must_stop(std::uint64_t /*nodes*/) { return false; }
    /// Asked after each iteration but the last.
    virtual bool may_go_deeper(const SearchReport& /*report*/) { return true; }
    /// What has been hinted, all of it, when that has changed since the last call; null when it has
    /// not. Asked before the search and as often as must_stop(). Valid until the next call.
    virtual const SearchHints* new_hints() { return nullptr; }
    /// Called when the best move or its score changes, and after each iteration.
    virtual void report(const SearchReport& /*report*/) {}
};

/// The longest principal variation that is taken from endgame databases, in moves of both sides.
inline constexpr std::size_t max_egdb_line = 20;

/// The outcome of a search.
struct SearchResult {
    std::optional<Move> move;  ///< nothing only when the side to move has no legal move
    Score score = 0;           ///< for the side to move at the root
    int depth = 0;             ///< iterations completed
    std::uint64_t nodes = 0;
    /// Principal variation, the move first. A win with known distance is continued from the
    /// databases to max_egdb_line moves.
    std::vector<Move> line;
    /// The database result of the position.
    std::optional<EgdbResult> egdb;
    /// False for a move that has not been searched: a trusted one, what a restriction has left that
    /// came too late, or any move when the search was stopped before it had a score. The score is 0
    /// then, and the depth.
    bool has_score = true;
    bool is_trusted = false;     ///< a trusted hint ended the search
    bool is_restricted = false;  ///< some legal moves were excluded
    /// Nodes cut off by a quiet move, and those of them cut off by the first move searched: how
    /// good the ordering is. Of the thread that called run().
    std::uint64_t cutoffs = 0;
    std::uint64_t first_move_cutoffs = 0;
};

/// Searches for the best move of a position by iterative deepening, principal variation search and
/// a quiescence search that never evaluates a position with a capture pending.
///
/// For a proven score (is_proven_win, is_proven_loss) every move of the losing side was searched
/// down to positions without a legal move or in a database: reductions and pruning never produce
/// such a score. A draw that the positions before the root bring about may still spoil it:
/// proven_outcome() in engine/claim.hpp makes sure of that.
///
/// With endgame databases a position they know is not searched, unless it is won or lost in an
/// unknown number of plies with as many pieces as at the root. At the root only the moves that
/// keep its value are tried; where the distance is known, only the best by that. Where they draw,
/// a short search without databases chooses among them, and the score is that of a draw.
///
/// Several threads search lazily (lazy SMP): the thread that calls run() does what it would do
/// alone, the others search the same position and share the transposition table with it. They have
/// ended when run() returns. If the system gives fewer threads, it uses those.
///
/// A search with one thread is deterministic on every build: the same position, limits, network,
/// databases and content of the table give the same node count, unless the observer stops it or has
/// hints. A search begins with an empty table when the one before was in another mode (solve or
/// not) or had other parameters, because what that found has been pruned otherwise. One thread at a
/// time may call one object; several objects may share a table, but not search at the same time.
class GameSearch {
public:
    virtual ~GameSearch() = default;

    /// Sets the databases for the next run(): of the same game and valid until replaced; null for
    /// none.
    virtual void use(const EndgameDatabases* endgames) = 0;

    /// Sets the evaluation network for the next run(): of the same game and valid until replaced.
    /// At first it is the one that is embedded.
    virtual void use(const Network& network) = 0;

    /// Searches the last position of `history`, which is Game::reversible_history(): the positions
    /// before it count for repetitions and the draw law. It must have no fault (find_fault()).
    /// Without a legal move the result has no move and is a loss.
    [[nodiscard]] virtual SearchResult run(std::span<const Position> history,
                                           const SearchLimits& limits,
                                           SearchObserver& observer) = 0;
};

/// The search of one game, compiled for its rules type.
template <class Rules>
class Search final : public GameSearch {
public:
    /// The table must outlive the search.
    explicit Search(TranspositionTable& table);
    ~Search() override;
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    void use(const EndgameDatabases* endgames) override;
    void use(const Network& network) override;
    [[nodiscard]] SearchResult run(std::span<const Position> history, const SearchLimits& limits,
                                   SearchObserver& observer) override;

private:
    class Worker;
    class Helpers;
    TranspositionTable& table_;
    bool was_solving_ = false;  // in the last run
    SearchParameters last_parameters_;
    std::unique_ptr<Worker> worker_;
    std::unique_ptr<Helpers> helpers_;
};

}  // namespace defiance
