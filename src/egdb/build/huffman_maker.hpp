#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "egdb/codec/huffman_code.hpp"

namespace defiance {

/// The bytes of the code that takes the fewest bits for symbols of which there are so many each
/// (Huffman: A method for the construction of minimum-redundancy codes, 1952); HuffmanCode::open
/// reads them. There are at most HuffmanCode::max_symbols. The same on every machine.
[[nodiscard]] std::vector<std::uint8_t> make_huffman_code(std::span<const std::uint64_t> counts);

}  // namespace defiance
