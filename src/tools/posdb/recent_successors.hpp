#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>

#include <tools/store/game_position.hpp>
#include <tools/store/position_store.hpp>

namespace defiance {

/// Where a position was reached from.
struct Origin {
    PositionKey parent;
    std::uint8_t ply = 0;  ///< of the position itself, from the start of the game
};

/// Remembers which positions with unknown scores stand after the moves of those that were shown
/// lately, so that one that a user steps into can be learned. Any threads may use it.
class RecentSuccessors {
public:
    using Clock = std::chrono::steady_clock;

    /// So long a position is remembered.
    static constexpr std::chrono::seconds lifetime{300};
    /// More are not remembered before others are forgotten.
    static constexpr std::size_t max_positions = 65536;

    /// Positions that stand after moves of one; at most max_positions.
    void remember(StoreGame game, std::span<const PositionKey> keys, const Origin& origin,
                  Clock::time_point now = Clock::now());

    /// Where the position was reached from, if it is remembered; it is forgotten then.
    [[nodiscard]] std::optional<Origin> take(StoreGame game, const PositionKey& key,
                                             Clock::time_point now = Clock::now());

    [[nodiscard]] std::size_t size() const;

private:
    struct Entry {
        Origin origin;
        Clock::time_point end;
    };

    mutable std::mutex mutex_;
    std::unordered_map<GamePosition, Entry, GamePositionHash> entries_;
};

}  // namespace defiance
