#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tools/posdb/known_position.hpp>

namespace defiance {

// How a worker sends the scores of the moves of a position to the server.

/// `11-15,12,9,0|9-14,-3,9,0`: move, score, depth and the number of its ScoreSource.
[[nodiscard]] std::string to_text(const GameRules& rules, const Position& position,
                                  std::span<const KnownMove> moves);

/// Nothing when the text is not such a list of different legal moves.
[[nodiscard]] std::optional<std::vector<KnownMove>> parse_scored_moves(const GameRules& rules,
                                                                       const Position& position,
                                                                       std::string_view text);

/// The number of a lease, 1 or more; nothing when the text is none.
[[nodiscard]] std::optional<std::uint64_t> parse_lease(std::string_view text);

/// The bytes that hexadecimal digits stand for; nothing when they are none.
[[nodiscard]] std::optional<std::string> from_hex(std::string_view digits);

}  // namespace defiance
