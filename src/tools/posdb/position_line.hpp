#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <defiance/base/result.hpp>
#include <defiance/rules/game_rules.hpp>
#include <tools/posdb/known_position.hpp>

namespace defiance {

/// A position of a database and what is known of it.
struct PositionEntry {
    PositionKey key;
    KnownPosition known;
};

/// A stored value that makes sense for its position: one that can be played on, has a legal move,
/// and is the one that the value was made for. Nothing for any other.
[[nodiscard]] std::optional<KnownPosition> decode_sound(const GameRules& rules,
                                                        const PositionKey& key,
                                                        std::string_view bytes);

/// The entry as a line of text, without its end, the best move first:
///
///     FEN; ply 3; 11-15 4 22 search; 9-14 -3 17 expansion; from FEN
///
/// The position has black to move. A move has its name as in the API, its score in 1/100 man for
/// its player, its depth, and where the score comes from: search, expansion, egdb or final. The ply
/// is left out when it is unknown; `from` stands before each parent, the oldest first.
[[nodiscard]] std::string position_line(const GameRules& rules, const PositionEntry& entry);

/// No line of an entry is longer.
inline constexpr std::size_t max_position_line = 65536;

/// Reads such a line. Either side may be to move, the fields after the FEN may stand in any order,
/// and a score without a word behind it is of a search. Error: what is wrong with it. Any bytes
/// are safe.
[[nodiscard]] Result<PositionEntry> read_position_line(const GameRules& rules,
                                                       std::string_view line);

}  // namespace defiance
