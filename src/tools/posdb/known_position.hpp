#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>
#include <tools/posdb/scores.hpp>
#include <tools/store/position_store.hpp>

namespace defiance {

/// Where the score of a move comes from. A later one of these is better founded.
enum class ScoreSource : std::uint8_t {
    search,     ///< the engine has searched the move
    expansion,  ///< the position after it is known, and its best move tells
    database,   ///< an endgame database knows
    final       ///< it ends the game, or a search has proven it
};

/// What is known of a move.
struct KnownMove {
    std::uint8_t index = 0;  ///< in canonical_moves() of the position
    std::int16_t score = 0;  ///< DatabaseScore for the player of the move
    /// Plies that were searched or played out after it, at most 255; 0 for a detour, see there.
    std::uint8_t depth = 0;
    ScoreSource source = ScoreSource::search;

    /// True for a move that only goes round to where its player would be as well off without it.
    [[nodiscard]] bool is_detour() const { return source == ScoreSource::expansion && depth == 0; }

    friend bool operator==(const KnownMove&, const KnownMove&) = default;
};

/// Whether a move is to be chosen before another one: for its score; of equal ones no detour; then
/// where the position after it is known; then for its depth.
[[nodiscard]] bool is_preferred(const KnownMove& a, const KnownMove& b);

/// The move that no other one is preferred to, the first of these; there must be one.
[[nodiscard]] const KnownMove& best_move_of(std::span<const KnownMove> moves);

/// A position of the database: its moves with their scores, and from where it can be reached.
struct KnownPosition {
    static constexpr std::uint8_t max_ply_from_start = 255;
    static constexpr std::size_t max_parents = 64;

    /// Fewest known plies from the start of the game; max_ply_from_start for more or unknown.
    std::uint8_t ply = max_ply_from_start;
    std::vector<KnownMove> moves;      ///< by rising index, without those that are unknown
    std::vector<PositionKey> parents;  ///< known positions with a move to this one, the newest last

    /// The best move by is_preferred(); `moves` must not be empty.
    [[nodiscard]] const KnownMove& best_move() const { return best_move_of(moves); }
    /// The best score; `moves` must not be empty.
    [[nodiscard]] DatabaseScore best() const { return best_move().score; }
    /// The move with this index; null when it is unknown.
    [[nodiscard]] const KnownMove* find(std::size_t index) const;

    friend bool operator==(const KnownPosition&, const KnownPosition&) = default;
};

/// The key of a position: what its mover sees when he plays black.
[[nodiscard]] PositionKey key_of_board(const Position& position);
/// The position with this key, black to move.
[[nodiscard]] Position board_of(const PositionKey& key);

/// A legal move and the position after it.
struct CanonicalMove {
    Move move;
    Position after;
};

/// The legal moves of a position in a fixed order that no later version may change: by the squares
/// of the mover's pieces after the move, then of the others, then of the kings, as numbers of 32
/// bits of the board that the mover sees when he plays black. Moves to the same position are one.
[[nodiscard]] std::vector<CanonicalMove> canonical_moves(const GameRules& rules,
                                                         const Position& position);

/// The index of the move that leads to `after`; nothing when none does.
[[nodiscard]] std::optional<std::size_t> index_of_move_to(const std::vector<CanonicalMove>& moves,
                                                          const Position& after);

/// Whether the scores of all moves of a position that has moves are known.
[[nodiscard]] bool is_complete(const std::optional<KnownPosition>& known, const GameRules& rules,
                               const Position& position);

/// The bytes of a known position as they are stored.
[[nodiscard]] std::string encode(const KnownPosition& known, const GameRules& rules,
                                 const PositionKey& key);

/// Nothing when the bytes are not those of this position: damaged, or stored by a program whose
/// rules differ.
[[nodiscard]] std::optional<KnownPosition> decode(std::string_view bytes, const GameRules& rules,
                                                  const PositionKey& key);

/// The plies from the start, one move further than `ply`; at most max_ply_from_start.
[[nodiscard]] std::uint8_t ply_after(std::uint8_t ply);

}  // namespace defiance
