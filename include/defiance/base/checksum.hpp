#pragma once

#include <cstdint>
#include <span>

namespace defiance {

/// The CRC-32 of the bytes (polynomial 0x04C11DB7, reflected, as in ISO 3309 and zlib). Pass the
/// checksum of the preceding bytes to continue it.
[[nodiscard]] std::uint32_t checksum(std::span<const std::uint8_t> bytes, std::uint32_t before = 0);

/// CRC-32C (polynomial 0x1EDC6F41, reflected, as in iSCSI), which finds more of the faults of short
/// records. Continued in the same way.
[[nodiscard]] std::uint32_t checksum_castagnoli(std::span<const std::uint8_t> bytes,
                                                std::uint32_t before = 0);

}  // namespace defiance
