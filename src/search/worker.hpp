#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <defiance/eval/accumulator_stack.hpp>
#include <defiance/eval/embedded_network.hpp>
#include <defiance/eval/mop_up.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/steps.hpp>
#include <defiance/search/search.hpp>

#include "draw_law.hpp"
#include "ordering.hpp"
#include "proof_table.hpp"
#include "pv_table.hpp"
#include "reductions.hpp"
#include "search_stack.hpp"

namespace defiance {

/// A pv node has an open window and may be part of the principal variation; a non-pv node has a
/// null window.
enum class NodeType { pv, non_pv };

/// The search of one thread. Its parts are:
///
///   root.cpp          iterative deepening, aspiration windows, the moves at the root
///   node.cpp          the alpha-beta node: principal variation search with reductions
///   pruning.cpp       cut-offs before any move is searched: razoring, ProbCut, table entries of
///                     the children
///   quiescence.cpp    captures only, down to positions that can be evaluated
///   egdb_node.cpp     endgame databases in the tree
///   egdb_root.cpp     endgame databases at the root
///   proof_number.cpp  proof-number search for a win, in solve mode
///   hints.cpp         moves and lines that somebody else knows
///   helpers.hpp       further threads
template <class Rules>
class Search<Rules>::Worker {
public:
    /// The nodes of a search by several threads, each of which adds its own when it polls.
    struct TeamNodes {
        std::atomic<std::uint64_t> of_main = 0;
        std::atomic<std::uint64_t> of_helpers = 0;
    };

    explicit Worker(TranspositionTable& table) : table_(table) {}

    void use(const Endgames<Rules>* endgames) { endgames_ = endgames; }
    void use(const Network& network) { network_ = &network; }
    /// The databases and the network of another worker.
    void use_those_of(const Worker& other) {
        endgames_ = other.endgames_;
        network_ = other.network_;
    }

    /// Deepens from `first_depth` on. The main thread of several has a `team`.
    [[nodiscard]] SearchResult run(std::span<const Position> history, const SearchLimits& limits,
                                   SearchObserver& observer, int first_depth = 1,
                                   TeamNodes* team = nullptr);

private:
    /// Keys of the positions after each move of a list. Left uninitialised.
    using ChildKeys = std::array<std::uint64_t, MoveList::capacity>;

    /// A position after a move of a node on the path of the proof-number search.
    struct ProofChild {
        Move move;
        Position position;
        std::uint64_t key;
        bool is_reversible;
        ProofNumbers numbers;

        /// As ProofNumbers::reversible, with the move.
        [[nodiscard]] std::uint16_t reversible_plies() const {
            return static_cast<std::uint16_t>(is_reversible ? numbers.reversible + 1 : 0);
        }
        /// A shorter win than that of the other, or one that makes progress sooner.
        [[nodiscard]] bool wins_sooner_than(const ProofChild& other) const {
            return std::pair(numbers.plies, reversible_plies()) <
                   std::pair(other.numbers.plies, other.reversible_plies());
        }
    };

    struct ProofSearch {
        explicit ProofSearch(std::uint64_t table_bytes) : table(table_bytes) {}

        ProofTable table;
        std::vector<ProofChild> children;  // of the nodes on the path; those of the last one last
        std::uint64_t max_nodes = 0;       // run_.nodes at which the call ends
    };

    static constexpr std::uint64_t nodes_between_polls = 1024;
    /// Positions that the databases may be asked about for one root move.
    static constexpr std::size_t max_positions_at_root = 4000;

    // root.cpp
    void prepare(std::span<const Position> history, const SearchLimits& limits,
                 SearchObserver& observer);
    void search_even_without_time();
    void collect_root_moves();
    void iterate(int first_depth);
    void search_all_scores(int depth);
    void search_with_aspiration(int depth);
    [[nodiscard]] Position make_root_move(const Move& move);
    Score search_root(int depth, Score alpha, Score beta);
    Score search_root_move(std::size_t index, Score alpha, Score beta, int depth, bool is_first);
    [[nodiscard]] int depth_after_root(const Move& move, int depth) const;
    void put_first(std::vector<RootMove>::iterator move);
    void set_result(RootMove& root_move, Score score);
    void make_best(std::size_t index, Score score);
    [[nodiscard]] bool bring_win_forward();
    void search_sooner_wins(int depth);
    [[nodiscard]] bool may_prove_win() const;
    void avoid_new_loss();
    void avoid_first_loss();
    void report(int depth);
    [[nodiscard]] SearchReport report_of(int depth) const;
    [[nodiscard]] int last_depth() const;
    [[nodiscard]] Score shown_score(Score score) const;
    /// Nodes of all threads: its own of now, those of the others when they last polled.
    [[nodiscard]] std::uint64_t all_nodes() const {
        return run_.nodes +
               (team_ == nullptr ? 0 : team_->of_helpers.load(std::memory_order_relaxed));
    }

    // proof_number.cpp
    void prove_win(std::uint64_t nodes);
    [[nodiscard]] ProofNumbers search_proof(const Position& p, const ProofNumbers& limits, int ply);
    void expand_proof_node(const Position& p, int ply);
    [[nodiscard]] ProofNumbers proof_numbers(const Position& p, int ply);
    [[nodiscard]] static ProofNumbers combine(std::span<const ProofChild> children, int ply);
    [[nodiscard]] std::optional<RootMove> proven_root_move();

    // hints.cpp
    void read_hints();
    void apply_hints();
    void restrict_root_moves();
    bool bring_forward(const Move& move);
    void put_line_into_table(bool replaces);
    [[nodiscard]] bool is_permitted(const Move& move) const;
    [[nodiscard]] bool is_refuted_by_egdb(const Move& hinted);
    [[nodiscard]] Score expected_score(int depth);
    /// Added to the score of a root move when moves are compared: the margin of a hinted one.
    [[nodiscard]] Score bonus_of(const Move& move) const {
        return run_.favourite == move ? hint_margin : 0;
    }

    // node.cpp
    template <NodeType N>
    Score search(const Position& p, Score alpha, Score beta, int depth, int ply);
    template <NodeType N>
    Score search_drawn_by_law(const Position& p, Score alpha, Score beta, int depth, int ply);
    template <NodeType N>
    Score search_move(const Position& next, Score alpha, Score beta, int depth, int ply,
                      int reduction, bool is_first);
    template <NodeType N>
    [[nodiscard]] HashMove deepen_internally(const Position& p, Score alpha, Score beta, int depth,
                                             int ply);
    void update_history(const Position& p, const MovePicker& picker, int depth, int ply);
    [[nodiscard]] int reduction(const Position& p, const Move& move, int depth, int number,
                                bool is_pv) const;
    void poll();
    [[nodiscard]] bool is_stop_requested() {
        if (!run_.stopped) poll();
        return run_.stopped;
    }
    void count_node() {
        if (++run_.nodes >= run_.next_poll) poll();
    }

    // quiescence.cpp
    Score quiescence(const Position& p, Score alpha, Score beta, int ply, int reversible);

    /// The static evaluation of the node at `ply` for the side to move.
    [[nodiscard]] Score evaluate(const Position& p, int ply) {
        return accumulators_.evaluate(ply) + mop_up(p);
    }

    // pruning.cpp
    [[nodiscard]] std::optional<Score> early_cutoff(const Position& p, const MoveList& moves,
                                                    const ChildKeys& keys, Score alpha, Score beta,
                                                    int depth, int ply);
    [[nodiscard]] std::optional<Score> razoring(const Position& p, Score alpha, int depth, int ply);
    [[nodiscard]] std::optional<Score> probcut(const Position& p, Score beta, int depth, int ply);
    void prefetch_children(const Position& p, const MoveList& moves, int child_depth, int ply,
                           ChildKeys& keys);
    [[nodiscard]] std::optional<Score> enhanced_transposition_cutoff(const Position& p,
                                                                     const MoveList& moves,
                                                                     const ChildKeys& keys,
                                                                     Score beta, int depth,
                                                                     int ply);

    // egdb_root.cpp
    void probe_egdb_at_root();
    [[nodiscard]] std::optional<EgdbResult> value_of_root_move(
        const Move& move, std::size_t max_positions, const StopCondition& must_stop) const;
    void probe_root_move(RootMove& root_move, std::size_t max_positions);
    [[nodiscard]] std::optional<EgdbResult> best_known() const;
    [[nodiscard]] bool probe_sooner_wins();
    void drop_losses();
    [[nodiscard]] std::optional<EgdbResult> known_draw(std::size_t max_positions);
    void use_egdb_in_tree();
    void play_on_in_draw();
    void play_safe(const EgdbResult& best);
    void keep_shortest_dtc();
    /// The root is known to be drawn, and the search chooses among the moves that keep the draw.
    [[nodiscard]] bool is_draw_played_on() const { return egdb_pieces_in_tree_ < egdb_pieces_; }
    void extend_line(SearchResult& result);

    // egdb_node.cpp
    [[nodiscard]] bool may_be_in_egdb(const Position& p) const {
        return count(p.occupied()) <= egdb_pieces_in_tree_;
    }
    [[nodiscard]] std::optional<EgdbResult> probe_egdb(const Position& p, Score alpha, Score beta,
                                                       int reversible);
    [[nodiscard]] Score egdb_score(const Position& p, const EgdbResult& result, Score alpha,
                                   Score beta, int ply);
    [[nodiscard]] std::optional<Score> egdb_cutoff(const Position& p, Score alpha, Score beta,
                                                   int ply);

    /// The key for results of this depth at the node.
    [[nodiscard]] std::uint64_t table_key(const Position& p, int depth, int ply) const {
        return table_key(stack_.key(ply), p, stack_.reversible(ply), depth);
    }
    /// The same of a position with this key, after `reversible` plies without progress.
    [[nodiscard]] std::uint64_t table_key(std::uint64_t key, const Position& p, int reversible,
                                          int depth) const {
        return key ^ table_salt_ ^ draw_law_key<Rules>(p, reversible, depth);
    }
    /// True when a table entry's win or loss may come too late at this count: entries are shared by
    /// counts at which their searches could not reach the draw law.
    [[nodiscard]] static bool is_spoiled(const TableHit& hit, const Position& p, int reversible,
                                         int ply) {
        return is_proven(hit.score) &&
               is_spoiled_by_law<Rules>(p, plies_to_end(hit.score) - ply, reversible);
    }

    /// Where results of this depth are kept.
    [[nodiscard]] TranspositionTable& table_for(int depth) {
        return depth <= 1 ? shallow_table_ : table_;
    }

    TranspositionTable& table_;
    // Results of depth 1, more than half of all, have a table of their own that fits into the
    // processor's cache: it is faster, and they replace no deeper results.
    TranspositionTable shallow_table_ = TranspositionTable::for_one_search(512 << 10);
    SearchObserver* observer_ = nullptr;
    SearchLimits limits_;
    ReductionTable reductions_;  // by limits_.parameters
    MoveHistory history_;

    const Network* network_ = &embedded_network<Rules>();
    AccumulatorStack accumulators_{max_ply};

    const Endgames<Rules>* endgames_ = nullptr;
    int egdb_pieces_ = 0;           // maximum number of pieces in the databases
    int egdb_pieces_in_tree_ = 0;   // the same, or 0: below the root they are not asked
    std::uint64_t table_salt_ = 0;  // keeps results with and without the databases apart
    int root_pieces_ = 0;

    Position root_;
    std::vector<RootMove> root_moves_;
    bool has_all_moves_ = true;  // root_moves_ began with all legal moves

    /// What begins anew with each search.
    struct Run {
        std::uint64_t nodes = 0;
        std::uint64_t next_poll = 0;           // the number of nodes at which to poll()
        std::uint64_t cutoffs = 0;             // by moves without capture
        std::uint64_t first_move_cutoffs = 0;  // of these, by the first move
        bool stopped = false;
        int ply_without_law = -1;            // of a node that search_drawn_by_law() searches
        std::array<bool, 2> is_verifying{};  // by side: below a node that ProbCut verifies for it

        int completed_depth = 0;
        Score completed_score = 0;
        std::size_t searched = 0;             // by this pass of the root moves, which stand first
        std::optional<EgdbResult> root_egdb;  // database result of the root
        bool has_proof = false;               // the proof-number search has found a win

        SearchHints hints;
        bool are_hints_new = false;             // apply_hints() has not seen them
        std::optional<Move> favourite;          // the hinted move that gets the margin
        std::optional<Move> trusted;            // the hinted move that ends the search
        std::vector<RootMove> forbidden_moves;  // left out because hints restrict the choice
    };
    Run run_;
    TeamNodes* team_ = nullptr;

    SearchStack<Rules> stack_;
    PvTable pv_;
    std::optional<ProofSearch> proof_;  // while a search in solve mode has not found a win
};

}  // namespace defiance
