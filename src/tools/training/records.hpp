#pragma once

#include <algorithm>
#include <cstdint>

#include <defiance/base/assert.hpp>
#include <defiance/base/bitboard.hpp>
#include <defiance/rules/position.hpp>
#include <defiance/search/score.hpp>

namespace defiance {

/// One quiet position of a game of self-play, as the side to move sees it: with white to move the
/// board is turned (flipped()), so that the side to move is always black.
struct TrainingRecord {
    Bitboard own = 0;  ///< pieces of the side to move
    Bitboard theirs = 0;
    Bitboard kings = 0;      ///< among both
    std::int16_t score = 0;  ///< of the search, for the side to move
    std::int8_t result = 0;  ///< of the game, for the side to move: 1, 0 or -1
    std::uint8_t flags = 0;  ///< first_of_game or 0

    /// The bit of `flags` in the first record of a game.
    static constexpr std::uint8_t first_of_game = 1;

    [[nodiscard]] constexpr bool operator==(const TrainingRecord&) const = default;

    /// The position, black to move.
    [[nodiscard]] constexpr Position position() const { return {own, theirs, kings, Side::black}; }
};
static_assert(sizeof(TrainingRecord) == 16);

/// Scores of records are clamped to plus and minus this; it stands for every win, too.
inline constexpr Score max_recorded_score = 2000;

/// The record of a position with the score of its search; the result is still open.
[[nodiscard]] constexpr TrainingRecord record_of(const Position& position, Score score) {
    DEFIANCE_ASSERT(position.is_consistent());
    const Position p = with_black_to_move(position);
    const Score clamped = std::clamp(score, -max_recorded_score, max_recorded_score);
    return {p.black, p.white, p.kings, static_cast<std::int16_t>(clamped), 0, 0};
}

}  // namespace defiance
