#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace defiance {

/// Reads a number that lies in memory with its lowest byte first, at any address. Compilers make
/// one load of it.
template <std::unsigned_integral Number>
[[nodiscard]] constexpr Number load_little_endian(const std::uint8_t* bytes) {
    Number number = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i)
        number = static_cast<Number>(number | static_cast<Number>(bytes[i]) << (8 * i));
    return number;
}

/// Appends a number with its lowest byte first.
template <std::unsigned_integral Number>
void append_little_endian(Number number, std::vector<std::uint8_t>& bytes) {
    for (std::size_t i = 0; i < sizeof(Number); ++i)
        bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
}

}  // namespace defiance
