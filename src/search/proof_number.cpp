#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <defiance/base/assert.hpp>

#include "draw_law.hpp"
#include "proof_table.hpp"
#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// The attacker moves at the root.
constexpr bool is_attacker(int ply) {
    return ply % 2 == 0;
}

/// A draw, with which the defender has its goal.
constexpr ProofNumbers draw_numbers(int ply) {
    return is_attacker(ply) ? ProofNumbers::missed() : ProofNumbers::reached();
}

/// The position is won for the attacker.
bool is_won(const ProofNumbers& numbers, int ply) {
    return is_attacker(ply) ? numbers.is_reached() : numbers.is_missed();
}

/// A quarter of the size of the transposition table, and no more than is soon zeroed.
std::uint64_t proof_table_bytes(const TranspositionTable& table) {
    constexpr std::uint64_t max_bytes = std::uint64_t{256} << 20;
    return std::min((std::uint64_t{table.size_mebibytes()} << 20) / 4, max_bytes);
}

std::uint16_t one_more(std::uint16_t plies) {
    return plies == ProofNumbers::unknown_plies ? plies : static_cast<std::uint16_t>(plies + 1);
}

}  // namespace

/// The numbers of the position at `ply`, which the stack has, before it is searched.
template <class Rules>
ProofNumbers Search<Rules>::Worker::proof_numbers(const Position& p, int ply) {
    const int reversible = stack_.reversible(ply);
    if (ply >= max_ply || stack_.is_repetition(ply) || is_drawn_by_law<Rules>(p, reversible))
        return draw_numbers(ply);
    if (const ProofNumbers* known = proof_->table.find(stack_.key(ply))) {
        const int limit = reversible_limit<Rules>(p);
        const bool is_spoiled =
            is_won(*known, ply) && reversible < limit && reversible + known->reversible >= limit;
        return is_spoiled ? draw_numbers(ply) : *known;
    }
    const std::uint64_t moves = count_moves<Rules>(p);
    if (moves == 0) return ProofNumbers::missed();
    if (may_be_in_egdb(p)) {
        // With such a window the distance is looked up, too.
        const auto result = probe_egdb(p, min_win, min_win + 1, reversible);
        if (result && result->wld == Wld::draw) return draw_numbers(ply);
        if (result) {
            const bool is_kings = p.men() == 0;
            ProofNumbers numbers =
                result->wld == Wld::win ? ProofNumbers::reached() : ProofNumbers::missed();
            numbers.plies = result->dtw ? static_cast<std::uint16_t>(*result->dtw)
                                        : ProofNumbers::unknown_plies;
            if (is_kings && result->dtw) numbers.reversible = numbers.plies;
            return numbers;
        }
    }
    return {1, static_cast<std::uint32_t>(moves), 0, 0};
}

/// Appends the positions after the moves of a node.
template <class Rules>
void Search<Rules>::Worker::expand_proof_node(const Position& p, int ply) {
    MoveList moves;
    if (ply == 0)
        for (const RootMove& root_move : root_moves_)
            moves.add(root_move.move);
    else
        generate_moves<Rules>(p, moves);
    for (const Move& move : moves) {
        const Position next = after<Rules>(p, move);
        const std::uint64_t key = key_of(next);
        count_node();
        if (run_.stopped) return;
        stack_.push(p, move, key, ply);
        proof_->children.push_back(
            {move, next, key, is_reversible(p, move), proof_numbers(next, ply + 1)});
    }
}

/// The numbers of a node from those of its children.
template <class Rules>
ProofNumbers Search<Rules>::Worker::combine(std::span<const ProofChild> children, int ply) {
    DEFIANCE_ASSERT(!children.empty());
    std::uint32_t phi = ProofNumbers::infinite;
    std::uint64_t delta = 0;
    for (const ProofChild& child : children) {
        phi = std::min(phi, child.numbers.delta);
        delta += child.numbers.phi;
    }
    ProofNumbers result = ProofNumbers::reached();
    if (delta == 0) result = ProofNumbers::missed();
    if (phi != 0 && delta != 0) {
        delta = std::min<std::uint64_t>(delta, ProofNumbers::infinite - 1);
        result = {phi, static_cast<std::uint32_t>(delta), 0, 0};
    }
    if (!is_won(result, ply)) return result;
    // The attacker plays the shortest win. The defender plays the longest, which none of its moves
    // avoids.
    const ProofChild* shortest = nullptr;
    for (const ProofChild& child : children) {
        if (!is_won(child.numbers, ply + 1)) continue;
        result.plies = std::max(result.plies, one_more(child.numbers.plies));
        result.reversible = std::max(result.reversible, child.reversible_plies());
        if (shortest == nullptr || child.wins_sooner_than(*shortest)) shortest = &child;
    }
    if (is_attacker(ply)) {
        result.plies = one_more(shortest->numbers.plies);
        result.reversible = shortest->reversible_plies();
    }
    return result;
}

/// Searches the most proving positions below a node until one of its numbers reaches its limit.
template <class Rules>
ProofNumbers Search<Rules>::Worker::search_proof(const Position& p, const ProofNumbers& limits,
                                                 int ply) {
    const std::size_t first = proof_->children.size();
    const std::uint64_t nodes_before = run_.nodes;
    const std::uint64_t key = stack_.key(ply);
    expand_proof_node(p, ply);
    ProofNumbers result;
    while (!run_.stopped) {
        const auto children = std::span(proof_->children).subspan(first);
        result = combine(children, ply);
        if (result.phi >= limits.phi || result.delta >= limits.delta ||
            run_.nodes >= proof_->max_nodes)
            break;
        const auto best = std::min_element(children.begin(), children.end(),
                                           [](const ProofChild& a, const ProofChild& b) {
                                               return a.numbers.delta < b.numbers.delta;
                                           });
        std::uint32_t second = ProofNumbers::infinite;
        for (auto child = children.begin(); child != children.end(); ++child)
            if (child != best) second = std::min(second, child->numbers.delta);
        // The best child is searched until it is a quarter worse than the second, not only worse,
        // or the search would go to and fro between them (Pawlewicz and Lew 2007).
        const std::uint64_t phi = std::uint64_t{limits.delta} - result.delta + best->numbers.phi;
        const std::uint64_t delta = std::uint64_t{second} + second / 4 + 1;
        const ProofNumbers child_limits{
            static_cast<std::uint32_t>(std::min<std::uint64_t>(phi, ProofNumbers::infinite)),
            static_cast<std::uint32_t>(std::min<std::uint64_t>(delta, limits.phi)), 0, 0};
        const auto index = first + static_cast<std::size_t>(best - children.begin());
        const ProofChild child = *best;  // the vector grows below
        stack_.push(p, child.move, child.key, ply);
        const ProofNumbers numbers = search_proof(child.position, child_limits, ply + 1);
        proof_->children[index].numbers = numbers;
    }
    proof_->children.resize(first);
    // A stopped search has not seen all moves.
    if (!run_.stopped) proof_->table.store(key, result, run_.nodes - nodes_before);
    return result;
}

/// Of a root that is proven to be won, the move that wins soonest, as far as the table has kept it,
/// with the line of the longest defence; nothing when it was stopped meanwhile.
template <class Rules>
std::optional<RootMove> Search<Rules>::Worker::proven_root_move() {
    std::optional<RootMove> won;
    Position p = root_;
    for (int ply = 0; ply < max_ply; ++ply) {
        proof_->children.clear();
        expand_proof_node(p, ply);
        const ProofChild* best = nullptr;
        for (const ProofChild& child : proof_->children) {
            if (!is_won(child.numbers, ply + 1)) continue;
            const bool is_better =
                best == nullptr ||
                (is_attacker(ply) ? child.wins_sooner_than(*best) : best->wins_sooner_than(child));
            if (is_better) best = &child;
        }
        if (best == nullptr || run_.stopped) break;
        if (ply == 0) {
            const std::uint16_t plies = one_more(best->numbers.plies);
            won = RootMove{best->move, plies <= max_ply ? score_win - plies : min_known_win, {}};
        }
        won->line.push_back(best->move);
        // What was not searched is the end of the game or in the databases.
        if (proof_->table.find(best->key) == nullptr) break;
        stack_.push(p, best->move, best->key, ply);
        p = best->position;
    }
    proof_->children.clear();
    return won;
}

/// Goes on with the proof-number search for so many nodes. When that has proven a win, the move
/// that wins is put first.
template <class Rules>
void Search<Rules>::Worker::prove_win(std::uint64_t nodes) {
    DEFIANCE_ASSERT(limits_.solve && !root_moves_.empty());
    if (!proof_) proof_.emplace(proof_table_bytes(table_));
    if (proof_->table.empty()) return;
    proof_->max_nodes = run_.nodes + nodes;
    constexpr ProofNumbers no_limits{ProofNumbers::infinite, ProofNumbers::infinite, 0, 0};
    const ProofNumbers numbers = search_proof(root_, no_limits, 0);
    if (run_.stopped || !numbers.is_reached()) return;
    const auto won = proven_root_move();
    if (!won) return;
    const auto found =
        std::find_if(root_moves_.begin(), root_moves_.end(),
                     [&](const RootMove& root_move) { return root_move.move == won->move; });
    DEFIANCE_ASSERT(found != root_moves_.end());
    found->score = won->score;
    found->line = won->line;
    put_first(found);
    run_.has_proof = true;
    proof_.reset();
}

template void Search<DEFIANCE_GAME>::Worker::prove_win(std::uint64_t);

}  // namespace defiance
