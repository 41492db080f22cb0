#include <tools/expansion/known_walk.hpp>

#include <algorithm>
#include <span>
#include <unordered_set>

#include <defiance/base/assert.hpp>
#include <defiance/book/book_move.hpp>

namespace defiance {

std::optional<Error> walk_known(
    PositionDatabase& database, const std::vector<ExpansionRoot>& roots,
    const std::function<bool(const Position&, const KnownPosition&)>& visit) {
    constexpr std::size_t asked_at_once = 1000;
    const GameRules& rules = database.rules();
    std::vector<Position> waiting;
    std::unordered_set<Position, PositionHash> seen;
    const auto reach = [&](const Position& position) {
        const Position p = with_black_to_move(position);
        if (seen.insert(p).second) waiting.push_back(p);
    };
    for (const ExpansionRoot& root : roots)
        reach(root.position);
    while (!waiting.empty()) {
        const std::size_t size = std::min(asked_at_once, waiting.size());
        const std::vector<Position> asked(waiting.end() - static_cast<std::ptrdiff_t>(size),
                                          waiting.end());
        waiting.resize(waiting.size() - size);
        const auto known = database.find_many(asked);
        if (!known) return Error{known.error()};
        DEFIANCE_ASSERT(known->size() == size);
        for (std::size_t i = 0; i < size; ++i) {
            const auto& position = (*known)[i];
            if (!position) continue;
            const std::vector<CanonicalMove> legal = canonical_moves(rules, asked[i]);
            if (legal.empty() || position->moves.size() != legal.size()) continue;
            if (!visit(asked[i], *position)) return std::nullopt;
            for (const CanonicalMove& move : legal)
                reach(move.after);
        }
    }
    return std::nullopt;
}

std::optional<Error> link_parents(PositionDatabase& database, const DropOutGraph& graph,
                                  const ExpansionLeaf& leaf) {
    for (const Position& parent : graph.parents(leaf.position))
        if (auto error = database.add(leaf.position, {}, leaf.ply, parent)) return error;
    return std::nullopt;
}

}  // namespace defiance
