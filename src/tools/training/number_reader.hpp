#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <defiance/base/assert.hpp>
#include <defiance/base/little_endian.hpp>

namespace defiance {

/// Takes numbers off the front of bytes, lowest byte first.
class NumberReader {
public:
    explicit NumberReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    [[nodiscard]] std::size_t left() const { return bytes_.size(); }

    /// There must be enough bytes left.
    template <std::integral Number>
    [[nodiscard]] Number take() {
        DEFIANCE_ASSERT(bytes_.size() >= sizeof(Number));
        const auto value = load_little_endian<std::make_unsigned_t<Number>>(bytes_.data());
        bytes_ = bytes_.subspan(sizeof(Number));
        return static_cast<Number>(value);
    }

private:
    std::span<const std::uint8_t> bytes_;
};

}  // namespace defiance
