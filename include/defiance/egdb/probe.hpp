#pragma once

#include <cstdint>
#include <optional>

namespace defiance {

/// What a position is worth to the side to move, if both sides play as well as can be and no draw
/// rule but the impossibility of making progress counts.
enum class Wld : std::uint8_t { draw, win, loss };

/// What is known about a position, for the side to move.
struct EgdbResult {
    Wld wld = Wld::draw;
    /// Plies to the end of the game with best play of both sides; nothing when that is not known or
    /// the game is drawn.
    std::optional<int> dtw;

    [[nodiscard]] bool operator==(const EgdbResult&) const = default;
};

/// How many blocks may be unpacked for a caller that probes often and cannot wait each time:
/// unpacking takes 0.1 to 0.5 ms a block, a thousand times as long as a probe of a block that is
/// unpacked already. Used by one thread.
class UnpackBudget {
public:
    /// Sets how many may be unpacked, with those that were already.
    void allow(std::uint64_t blocks) { allowed_ = blocks; }
    [[nodiscard]] bool is_reached() const { return unpacked_ >= allowed_; }
    /// Takes one, if there is one left.
    [[nodiscard]] bool take() {
        if (is_reached()) return false;
        ++unpacked_;
        return true;
    }

private:
    std::uint64_t allowed_ = 0;
    std::uint64_t unpacked_ = 0;
};

/// How to probe.
struct ProbeOptions {
    bool dtw = true;                 ///< look up the distance too, where it is kept
    UnpackBudget* budget = nullptr;  ///< null: unpack whatever it takes
    /// Set to true when a database made by others was asked, which may have read from disk: time
    /// to look at the clock. Left alone otherwise. May be null.
    bool* slow = nullptr;
};

}  // namespace defiance
