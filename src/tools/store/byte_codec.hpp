#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <defiance/base/assert.hpp>
#include <tools/store/position_store.hpp>

namespace defiance {

/// A text as the bytes it consists of.
[[nodiscard]] inline std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Appends the low `size` bytes of the number, lowest first.
inline void append_little_endian(std::string& text, std::uint64_t number, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
        text += static_cast<char>(number >> (8 * i) & 0xFF);
}

/// The number that `size` bytes from `offset` on are, lowest first. They must be there.
[[nodiscard]] inline std::uint64_t little_endian_at(std::string_view text, std::size_t offset,
                                                    std::size_t size) {
    DEFIANCE_ASSERT(offset + size <= text.size() && size <= 8);
    std::uint64_t number = 0;
    for (std::size_t i = size; i-- > 0;)
        number = number << 8 | static_cast<unsigned char>(text[offset + i]);
    return number;
}

inline constexpr std::size_t position_key_bytes = 12;

inline void append_key(std::string& text, const PositionKey& key) {
    append_little_endian(text, key.own, 4);
    append_little_endian(text, key.other, 4);
    append_little_endian(text, key.kings, 4);
}

/// The key at `offset`; its 12 bytes must be there.
[[nodiscard]] inline PositionKey key_at(std::string_view text, std::size_t offset) {
    return {static_cast<std::uint32_t>(little_endian_at(text, offset, 4)),
            static_cast<std::uint32_t>(little_endian_at(text, offset + 4, 4)),
            static_cast<std::uint32_t>(little_endian_at(text, offset + 8, 4))};
}

}  // namespace defiance
