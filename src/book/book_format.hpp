#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>

#include <defiance/base/assert.hpp>
#include <defiance/base/little_endian.hpp>
#include <defiance/rules/position.hpp>

// A book file: a head of 4096 bytes, the index, the pages. Numbers are little-endian.
//
// Head: at 0 the magic bytes, 8 version (4), 12 bytes of a page (4), 16 the game's word (16, filled
// up with zeros), 32 positions (8), 40 moves (8), 48 pages (4), 52 checksum of the index (4),
// 56 bytes of the file (8), 64 bytes of the description (2) and the description; at 4092 the
// checksum of all that stands before it.
// Index: the key of the first position of each page, 12 bytes each, filled up with zeros to a
// multiple of 4096 bytes.
// Page: positions in it (2), bytes used (2), the positions by rising keys, zeros; in its last four
// bytes the checksum of what stands before.
// Position: key (12: the mover's pieces, the other side's, kings), moves (1), and for each move its
// code (2), score (2), depth (1), support (1). The best move comes first.
namespace defiance::book_format {

inline constexpr std::string_view magic = "DEFBOOK\x1A";
inline constexpr std::uint32_t version = 1;
inline constexpr std::size_t head_bytes = 4096;
inline constexpr std::size_t min_page_bytes = 4096;
inline constexpr std::size_t max_page_bytes = 32768;
inline constexpr std::size_t max_pages = 1U << 18;
inline constexpr std::size_t game_word_bytes = 16;
inline constexpr std::size_t max_description = 2000;
inline constexpr std::size_t key_bytes = 12;
inline constexpr std::size_t page_head_bytes = 4;
inline constexpr std::size_t checksum_bytes = 4;
inline constexpr std::size_t move_bytes = 6;

// Places in the head.
inline constexpr std::size_t version_at = 8;
inline constexpr std::size_t page_bytes_at = 12;
inline constexpr std::size_t game_at = 16;
inline constexpr std::size_t positions_at = 32;
inline constexpr std::size_t moves_at = 40;
inline constexpr std::size_t pages_at = 48;
inline constexpr std::size_t index_checksum_at = 52;
inline constexpr std::size_t file_bytes_at = 56;
inline constexpr std::size_t description_size_at = 64;
inline constexpr std::size_t description_at = 66;

[[nodiscard]] constexpr std::uint64_t index_bytes(std::uint64_t pages) {
    return (pages * key_bytes + head_bytes - 1) / head_bytes * head_bytes;
}

[[nodiscard]] constexpr std::uint64_t page_at(std::uint64_t pages, std::uint64_t page_bytes,
                                              std::uint64_t number) {
    return head_bytes + index_bytes(pages) + number * page_bytes;
}

/// The order of positions in a file.
[[nodiscard]] inline auto key_of_entry(const Position& seen) {
    DEFIANCE_ASSERT(seen.side == Side::black);
    return std::tuple(seen.black, seen.white, seen.kings);
}

/// The position whose key stands there. It may be an inconsistent one.
[[nodiscard]] inline Position position_at(std::span<const std::uint8_t> bytes, std::size_t at) {
    return {static_cast<Bitboard>(little_endian_at(bytes, at, 4)),
            static_cast<Bitboard>(little_endian_at(bytes, at + 4, 4)),
            static_cast<Bitboard>(little_endian_at(bytes, at + 8, 4)), Side::black};
}

}  // namespace defiance::book_format
