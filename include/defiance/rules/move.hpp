#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <defiance/base/assert.hpp>
#include <defiance/base/bitboard.hpp>

namespace defiance {

/// A move, identified by its effect: captures between the same squares that take the same pieces in
/// different orders are one move. rules/path.hpp finds the squares between again for display.
struct Move {
    // No default values: constructing a MoveList at every node would have to write them.
    Bitboard captured;  ///< squares of the pieces taken; empty for a quiet move
    std::uint8_t from;  ///< square index, 0 to 31
    std::uint8_t to;    ///< square index; equal to `from` for a capture that ends where it began
    /// A man was crowned on the way and ends on another row (only where `crowned_in_passing`).
    bool crowned;

    [[nodiscard]] constexpr bool operator==(const Move&) const = default;
    [[nodiscard]] constexpr bool is_capture() const { return captured != 0; }
};

/// Which captures are legal when there are several. Each game's rules type names one as
/// `capture_choice`.
enum class CaptureChoice : std::uint8_t {
    any,                    ///< every one
    king_before_man,        ///< those by a king when a king can capture
    most_pieces,            ///< those that take the most pieces
    most_pieces_and_kings,  ///< of those that take the most pieces, those with the most kings
    italian  ///< most pieces; then by a king; then the most kings; then the kings taken earliest
};

/// The legal moves of one position, without allocation. Twelve kings have at most 48 quiet moves in
/// English and 156 if they fly (13 each). Only artificial positions can have more captures than
/// `capacity`; the rest is then left out.
class MoveList {
public:
    static constexpr std::size_t capacity = 192;

    void add(const Move& move) {
        DEFIANCE_ASSERT(move.from < 32 && move.to < 32);
        if (size_ < capacity) moves_[size_++] = move;
    }
    void clear() { size_ = 0; }
    /// Drops the last moves until `size` are left; `size` must not exceed size().
    void shrink(std::size_t size) {
        DEFIANCE_ASSERT(size <= size_);
        size_ = size;
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] const Move& operator[](std::size_t i) const {
        DEFIANCE_ASSERT(i < size_);
        return moves_[i];
    }
    [[nodiscard]] Move& operator[](std::size_t i) {
        DEFIANCE_ASSERT(i < size_);
        return moves_[i];
    }
    [[nodiscard]] const Move* begin() const { return moves_.data(); }
    [[nodiscard]] const Move* end() const { return moves_.data() + size_; }
    [[nodiscard]] Move* begin() { return moves_.data(); }
    [[nodiscard]] Move* end() { return moves_.data() + size_; }

private:
    // Uninitialised on purpose: the search makes a list at every node.
    std::array<Move, capacity> moves_;
    std::size_t size_ = 0;
};

}  // namespace defiance
