#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <defiance/base/assert.hpp>

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

/// The number that `size` bytes, at most 8, from `at` on are, lowest first, in a text or a row of
/// bytes. They must be there.
template <class Bytes>
[[nodiscard]] constexpr std::uint64_t little_endian_at(const Bytes& bytes, std::size_t at,
                                                       std::size_t size) {
    DEFIANCE_ASSERT(size <= 8 && at <= bytes.size() && size <= bytes.size() - at);
    std::uint64_t number = 0;
    for (std::size_t i = size; i-- > 0;)
        number = number << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return number;
}

/// Appends the low `size` bytes of a number, lowest first, to a text or a vector of bytes.
template <class Bytes>
void append_little_endian(Bytes& bytes, std::uint64_t number, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
        bytes.push_back(static_cast<typename Bytes::value_type>(number >> (8 * i) & 0xFF));
}

/// Appends all bytes of a number.
template <class Bytes, std::integral Number>
void append_little_endian(Bytes& bytes, Number number) {
    append_little_endian(bytes, static_cast<std::uint64_t>(number), sizeof(Number));
}

}  // namespace defiance
