#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/expansion/drop_out_graph.hpp>
#include <tools/expansion/expansion_roots.hpp>
#include <tools/posdb/position_database.hpp>

namespace defiance {

/// Calls visit for each position of the database whose moves are all known and that such positions
/// lead to from the roots, each once and with black to move, in an order that depends on the
/// database only; until it returns false. Error: of the store.
[[nodiscard]] std::optional<Error> walk_known(
    PositionDatabase& database, const std::vector<ExpansionRoot>& roots,
    const std::function<bool(const Position&, const KnownPosition&)>& visit);

/// Tells the database all known moves of the graph that lead to a known position. Error: of the
/// store.
[[nodiscard]] std::optional<Error> link_parents(PositionDatabase& database,
                                                const DropOutGraph& graph,
                                                const ExpansionLeaf& leaf);

}  // namespace defiance
