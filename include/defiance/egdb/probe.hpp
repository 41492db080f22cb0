#pragma once

#include <cstdint>
#include <optional>

namespace defiance {

// Endgame databases tell the value of a position (win, loss or draw: WLD), and some of them how far
// it is: plies to the end of the game with best play (distance to win: DTW), or to the next capture
// or move of a man that keeps the value (distance to conversion: DTC; CheckerBoard calls it MTC).

/// What a position is worth to the side to move, if both sides play as well as can be and no draw
/// rule but the impossibility of making progress counts. Solved slices are kept in files by these
/// numbers, and memory full of zeros is a slice that is drawn: see SolvedSlice::packed().
enum class Wld : std::uint8_t { draw = 0, win = 1, loss = 2 };

/// The same for the other side.
[[nodiscard]] constexpr Wld opposite(Wld wld) {
    return wld == Wld::win ? Wld::loss : wld == Wld::loss ? Wld::win : Wld::draw;
}

/// What is known about a position, for the side to move.
struct EgdbResult {
    Wld wld = Wld::draw;
    /// Plies to the end of the game with best play of both sides; nothing when that is not known or
    /// the game is drawn.
    std::optional<int> dtw;

    [[nodiscard]] bool operator==(const EgdbResult&) const = default;
};

/// How to probe.
struct ProbeOptions {
    /// Look up the distance too, where it is kept; without it a probe takes half the time.
    bool dtw = true;
    /// The same in a database made by others; only together with dtw.
    bool foreign_dtw = true;
    /// Set to true when a database made by others was asked, which may have read from disk: time
    /// to look at the clock. Left alone otherwise. May be null.
    bool* slow = nullptr;
};

}  // namespace defiance
