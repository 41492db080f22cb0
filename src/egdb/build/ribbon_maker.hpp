#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "egdb/codec/ribbon.hpp"

namespace defiance {

/// What a ribbon is to answer for a key.
struct RibbonBit {
    std::uint64_t key;
    bool bit;
};

/// The bytes of a ribbon that answers all of these, in some 1.05 bits each; Ribbon::open reads
/// them. Nothing when two equal keys have different bits: no ribbon can. The order of the bits does
/// not matter, nor the number of threads; the same on every machine.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> make_ribbon(std::span<const RibbonBit> bits,
                                                                   int threads);

}  // namespace defiance
