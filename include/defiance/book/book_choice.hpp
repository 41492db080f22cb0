#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <defiance/base/random.hpp>
#include <defiance/book/book_move.hpp>

namespace defiance {

/// Which moves of a book an engine plays. The numbers are those of the option.
enum class BookUse : std::uint8_t {
    none,       ///< does not look into the book
    any_sound,  ///< one of the moves that give away little, by chance: the most variety
    good,       ///< one of the moves that are about as good as the best, by chance
    best        ///< the best move, always the same
};
inline constexpr int max_book_use = static_cast<int>(BookUse::best);

/// How much worse than the best a sound move may be, and a good one, in hundredths of a man.
inline constexpr BookScore sound_margin = 20;
inline constexpr BookScore good_margin = 6;

/// The support that good and best moves need: one that was searched briefly is no better than what
/// the engine finds itself. So nothing is played as the best move where all moves with the best
/// score have less.
inline constexpr int min_support = 8;

/// The moves, out of those that a book has for a position, that an engine may play; empty when
/// there is none.
[[nodiscard]] std::vector<BookMove> playable_book_moves(std::span<const BookMove> moves,
                                                        BookUse use);

/// The most careful use that may play the move, one of those that a book has for a position.
[[nodiscard]] BookUse most_careful_use(std::span<const BookMove> moves, const BookMove& move);

/// Whether a move may be played at all; empty: all may.
using MovePermission = std::function<bool(const Move&)>;

/// The move to play out of those that a book has for a position: one that `may_play` permits and
/// that playable_book_moves() has. With BookUse::best, if the best move is not permitted, the best
/// permitted one of those that BookUse::good has. Nothing when there is none: what is left may be
/// bad.
[[nodiscard]] std::optional<BookMove> choose_book_move(std::span<const BookMove> moves, BookUse use,
                                                       Random& random,
                                                       const MovePermission& may_play = {});

}  // namespace defiance
