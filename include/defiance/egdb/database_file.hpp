#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/egdb/material.hpp>

namespace defiance {

/// A hash that changes with the moves that the rules allow in some positions of few pieces, so
/// that a database made under other rules is told apart. The same on every build.
template <class Rules>
[[nodiscard]] std::uint32_t rules_fingerprint();

/// What a part of a database file tells of a slice.
enum class Content : std::uint8_t {
    values = 0,  ///< won, lost or drawn: PackedSlice
    dtw = 1      ///< plies to the end of the game: PackedDtw
};

/// A part of a database file.
struct DatabasePart {
    Material material;
    Content content = Content::values;
    std::uint32_t sum = 0;  ///< checksum of the bytes
    std::span<const std::uint8_t> bytes;
};

/// The whole of a database file: values and plies of slices of one game. For a pair of swapped
/// materials it has one, whichever takes less room.
///
/// All numbers have their lowest byte first. Head: 8 bytes "DEFIEGDB", format version (16 bits),
/// game type (8), 0 (8), fingerprint of the rules (32), number of parts (32), size of the file
/// (64), checksum of head and list with zeros in this place (32). List of parts, for each: own men,
/// own kings, their men, their kings, content (8 bits each), 0 (24), checksum (32), place in the
/// file (64), size (64). Then the parts.
namespace database_file {

inline constexpr std::uint16_t format_version = 2;
inline constexpr const char* extension = ".dfe";

/// Which game a file belongs to.
struct Identity {
    std::uint8_t game_type = 0;
    std::uint32_t rules_fingerprint = 0;
};

/// The bytes of a file with these parts.
[[nodiscard]] std::vector<std::uint8_t> assemble(const Identity& identity,
                                                 const std::vector<DatabasePart>& parts);

/// The parts of a file, whose bytes must live on. Checks all but the checksums of the parts. Error
/// when it is no file of this game and format, or is damaged.
[[nodiscard]] Result<std::vector<DatabasePart>> parts_of(std::span<const std::uint8_t> bytes,
                                                         const Identity& identity);

/// True when the bytes of the part are those that were written.
[[nodiscard]] bool is_intact(const DatabasePart& part);

}  // namespace database_file
}  // namespace defiance
