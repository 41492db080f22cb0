#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/book/expansion.hpp>

namespace defiance {

/// Calls visit for each position of the database whose moves are all known and that such positions
/// lead to from the roots, each once and with black to move, in an order that depends on the
/// database only; until it returns false. Error: of the store.
[[nodiscard]] std::optional<Error> walk_known(
    PositionDatabase& database, const std::vector<BookRoot>& roots,
    const std::function<bool(const Position&, const KnownPosition&)>& visit);

}  // namespace defiance
