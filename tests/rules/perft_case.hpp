#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace defiance::testing {

/// The number of different move sequences of 1, 2, 3 ... plies from a position.
struct PerftCase {
    std::string_view fen;
    std::vector<std::uint64_t> counts;
};

}  // namespace defiance::testing
