#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <defiance/rules/generator.hpp>
#include <defiance/rules/steps.hpp>
#include <defiance/search/ordering.hpp>
#include <defiance/search/search.hpp>

namespace defiance {

/// One thread's search: its stack, its history, its principal variations.
template <class Rules>
class Search<Rules>::Worker {
public:
    explicit Worker(TranspositionTable& table) : table_(table) {}

    void use(const Endgames<Rules>* endgames) { endgames_ = endgames; }

    [[nodiscard]] SearchResult run(std::span<const Position> history, const SearchLimits& limits,
                                   SearchObserver& monitor);

private:
    /// More positions before the root than this can bring no draw that the rules do not bring
    /// anyhow.
    static constexpr std::size_t max_history = 128;

    enum class Node { pv, non_pv };

    /// Keys of the positions after each move of a list. Left uninitialised.
    using ChildKeys = std::array<std::uint64_t, MoveList::capacity>;

    void prepare(std::span<const Position> history, const SearchLimits& limits,
                 SearchObserver& monitor);
    void iterate();
    void search_all_scores(int depth);
    void search_with_aspiration(int depth);
    Score search_root(int depth, Score alpha, Score beta);
    void promote(std::size_t index, Score score);
    void tell(int depth);
    [[nodiscard]] SearchReport report_of(int depth) const;

    template <Node N>
    Score search(const Position& p, Score alpha, Score beta, int depth, int ply);
    Score quiescence(const Position& p, Score alpha, Score beta, int ply);
    [[nodiscard]] bool probcut(const Position& p, Score beta, int depth, int ply, Score& score);
    void prefetch_children(const Position& p, const MoveList& moves, int depth, ChildKeys& keys);
    [[nodiscard]] bool enhanced_transposition_cutoff(const Position& p, const MoveList& moves,
                                                     const ChildKeys& keys, Score beta, int depth,
                                                     int ply, Score& score);
    void probe_egdb_at_root(std::span<const Position> history);
    void keep_shortest_dtc();
    [[nodiscard]] std::optional<EgdbResult> ask(const Position& p, int reversible);
    [[nodiscard]] static Score egdb_score(const Position& p, const EgdbResult& verdict, int ply);
    [[nodiscard]] Score egdb_leaf(const Position& p, Score alpha, Score beta, int ply);
    [[nodiscard]] bool egdb_cutoff(const Position& p, Score alpha, Score beta, int ply,
                                   Score& score);
    [[nodiscard]] int reduction(const Position& p, const Move& move, int depth, int number,
                                bool pv) const;

    [[nodiscard]] bool is_repetition(std::uint64_t key, int ply) const;
    void enter(const Position& from, const Move& move, std::uint64_t key, int ply);
    void count_node() {
        if ((++nodes_ & 1023) == 0 && !stopped_) poll();
    }
    void poll();
    void update_pv(int ply, const Move& move);

    /// Where results of this depth are kept.
    [[nodiscard]] TranspositionTable& table_for(int depth) {
        return depth <= 1 ? shallow_table_ : table_;
    }

    TranspositionTable& table_;
    // More than half of all results are of depth 1 and of use for a moment only. In a table of
    // their own, small enough for the processor's cache, they are found without waiting for memory
    // and push no deeper result out.
    TranspositionTable shallow_table_ = TranspositionTable::of_bytes(512 << 10);
    SearchObserver* monitor_ = nullptr;
    SearchLimits limits_;
    MoveHistory history_;

    const Endgames<Rules>* endgames_ = nullptr;
    int known_pieces_ = 0;  // positions of so many may be in the databases
    int root_pieces_ = 0;
    UnpackBudget unpack_limit_;
    bool is_beyond_leaf_ = false;        // in a position one ply behind a leaf
    std::optional<EgdbResult> verdict_;  // on the root

    Position root_;
    std::vector<RootMove> root_moves_;
    bool is_whole_ = true;  // root_moves_ are all there are
    int completed_depth_ = 0;
    Score completed_score_ = 0;
    std::uint64_t nodes_ = 0;
    bool stopped_ = false;

    // Keys of the game's history and of the line being searched; entry root_index_ + ply is the
    // node's.
    std::array<std::uint64_t, max_history + max_ply + 1> keys_{};
    std::array<int, max_ply + 1> reversible_{};  // plies of king moves up to the node at this ply
    std::size_t root_index_ = 0;

    // Row `ply` holds the best line found from the node at that ply.
    std::array<std::array<Move, max_ply + 1>, max_ply + 1> line_;
    std::array<int, max_ply + 2> line_length_{};
};

}  // namespace defiance
