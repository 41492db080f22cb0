#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include <defiance/base/assert.hpp>

namespace defiance {

/// Appends the number to the bytes, lowest byte first.
template <std::integral Number>
void append_number(std::string& bytes, Number number) {
    const auto value = static_cast<std::make_unsigned_t<Number>>(number);
    for (std::size_t i = 0; i < sizeof(Number); ++i)
        bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xFF);
}

/// Takes numbers off the front of bytes, lowest byte first.
class NumberReader {
public:
    explicit NumberReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    [[nodiscard]] std::size_t left() const { return bytes_.size(); }

    /// There must be enough bytes left.
    template <std::integral Number>
    [[nodiscard]] Number take() {
        DEFIANCE_ASSERT(bytes_.size() >= sizeof(Number));
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(Number); ++i)
            value |= std::uint64_t{bytes_[i]} << (8 * i);
        bytes_ = bytes_.subspan(sizeof(Number));
        return static_cast<Number>(static_cast<std::make_unsigned_t<Number>>(value));
    }

private:
    std::span<const std::uint8_t> bytes_;
};

}  // namespace defiance
