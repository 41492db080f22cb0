#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <defiance/base/bitboard.hpp>

namespace defiance {

/// A move, named by what it changes: two captures that take the same pieces in another order from
/// the same square to the same square with the same outcome are one move. The squares passed on the
/// way are found again by rules/path.hpp when somebody wants to see them.
struct Move {
    // No default values: a list of moves would have to write them at every node of the search.
    Bitboard captured;  ///< squares of the pieces taken; empty for a quiet move
    std::uint8_t from;  ///< square index, 0 to 31
    std::uint8_t to;    ///< square index; equal to `from` for a capture that ends where it began
    bool crowned;       ///< a man that became a king on its way and ends elsewhere (Russian only)

    [[nodiscard]] constexpr bool operator==(const Move&) const = default;
    [[nodiscard]] constexpr bool is_capture() const { return captured != 0; }
};

/// The legal moves of one position, without allocation. Twelve kings have at most 48 quiet moves in
/// English and, with at most 13 each, 156 if they fly; should a made-up position have more captures
/// than there is room for, the rest is left out.
class MoveList {
public:
    static constexpr std::size_t capacity = 192;

    void add(const Move& move) {
        if (size_ < capacity) moves_[size_++] = move;
    }
    void clear() { size_ = 0; }
    /// Drops the last moves so that `size`, which is not more than size(), are left.
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
    // Left uninitialised on purpose: one list is made at every node of the search.
    std::array<Move, capacity> moves_;
    std::size_t size_ = 0;
};

}  // namespace defiance
