#include <defiance/base/checksum.hpp>

#include <array>
#include <cstddef>

namespace defiance {
namespace {

/// tables[k][byte]: the CRC of a byte followed by k zero bytes (slicing by eight).
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables(std::uint32_t reflected_polynomial) {
    Tables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t sum = byte;
        for (int i = 0; i < 8; ++i)
            sum = sum >> 1 ^ ((sum & 1) != 0 ? reflected_polynomial : 0);
        tables[0][byte] = sum;
    }
    for (std::size_t k = 1; k < 8; ++k)
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t sum = tables[k - 1][byte];
            tables[k][byte] = sum >> 8 ^ tables[0][sum & 255];
        }
    return tables;
}
constexpr Tables iso_tables = make_tables(0xEDB88320);
constexpr Tables castagnoli_tables = make_tables(0x82F63B78);

std::uint32_t checksum_by(const Tables& tables, std::span<const std::uint8_t> bytes,
                          std::uint32_t before) {
    std::uint32_t sum = ~before;
    std::size_t at = 0;
    // Eight bytes at a time: one by one takes five times as long.
    for (; at + 8 <= bytes.size(); at += 8) {
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < 4; ++i)
            next ^= tables[7 - i][bytes[at + i] ^ (sum >> (8 * i) & 255)];
        for (std::size_t i = 4; i < 8; ++i)
            next ^= tables[7 - i][bytes[at + i]];
        sum = next;
    }
    for (; at < bytes.size(); ++at)
        sum = sum >> 8 ^ tables[0][(sum ^ bytes[at]) & 255];
    return ~sum;
}

}  // namespace

std::uint32_t checksum(std::span<const std::uint8_t> bytes, std::uint32_t before) {
    return checksum_by(iso_tables, bytes, before);
}

std::uint32_t checksum_castagnoli(std::span<const std::uint8_t> bytes, std::uint32_t before) {
    return checksum_by(castagnoli_tables, bytes, before);
}

}  // namespace defiance
