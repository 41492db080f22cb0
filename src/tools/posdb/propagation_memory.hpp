#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <tools/store/game_position.hpp>

namespace defiance {

/// Positions of one game that were dealt with lately; each may be forgotten at any time, when
/// another one takes its place. Any threads may use it.
class RecentPositions {
public:
    /// Whether the position is there; afterwards it is not.
    [[nodiscard]] bool take(const PositionKey& key) {
        std::uint64_t hash = hash_of(key);
        return place_of(hash).compare_exchange_strong(hash, 0);
    }
    void note(const PositionKey& key) {
        const std::uint64_t hash = hash_of(key);
        place_of(hash) = hash;
    }

private:
    static constexpr std::size_t places = 4096;

    [[nodiscard]] std::atomic<std::uint64_t>& place_of(std::uint64_t hash) {
        return hashes_[static_cast<std::size_t>(hash % places)];
    }

    std::array<std::atomic<std::uint64_t>, places> hashes_{};
};

}  // namespace defiance
