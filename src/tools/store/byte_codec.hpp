#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <defiance/base/assert.hpp>
#include <defiance/base/little_endian.hpp>
#include <tools/store/position_store.hpp>

namespace defiance {

/// A text as the bytes it consists of.
[[nodiscard]] inline std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
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
