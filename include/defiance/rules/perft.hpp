#pragma once

#include <cstdint>

#include <defiance/rules/position.hpp>

namespace defiance {

/// The number of different move sequences of `depth` plies from the position (performance test of
/// the generator, and its proof: the counts are known). Depth 0 counts 1. The last ply is counted
/// without making its moves. Takes time in proportion to the result.
template <class Rules>
[[nodiscard]] std::uint64_t perft(const Position& position, int depth);

}  // namespace defiance
