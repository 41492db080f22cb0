#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/engine/game_core.hpp>
#include <tools/expansion/expansion_roots.hpp>
#include <tools/support/arguments.hpp>

namespace defiance {

/// A book is merged from at most so many shards.
inline constexpr std::uint32_t max_book_shards = 900;

/// Which book is to be made, by one process or in shards.
struct BookOrder {
    const GameCore* core = nullptr;  ///< not null
    std::string folder;              ///< with a separator at its end
    std::string out;
    std::string ballots;
    std::vector<ExpansionRoot> roots;
    std::uint64_t positions = 0;
};

/// What the options of `book build` and `book plan` say. Error: what is missing or wrong.
[[nodiscard]] Result<BookOrder> book_order_given(const Arguments& arguments);

/// Why a book cannot be made in so many shards.
[[nodiscard]] std::optional<Error> check_shards(const BookOrder& order, std::uint32_t shards);

}  // namespace defiance
