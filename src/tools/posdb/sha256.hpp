#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace defiance {

using Sha256 = std::array<std::uint8_t, 32>;

/// The SHA-256 hash of the text (FIPS 180-4).
[[nodiscard]] Sha256 sha256(std::string_view text);

/// The HMAC of the text with this key (RFC 2104).
[[nodiscard]] Sha256 hmac_sha256(std::string_view key, std::string_view text);

/// The bytes as hexadecimal digits in lower case.
[[nodiscard]] std::string to_hex(std::string_view bytes);
[[nodiscard]] std::string to_hex(const Sha256& hash);

/// Whether two texts are equal, in a time that does not tell where they differ.
[[nodiscard]] bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace defiance
