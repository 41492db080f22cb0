#pragma once

#include <cstddef>
#include <cstdint>

#include <defiance/base/random.hpp>
#include <tools/store/position_store.hpp>

namespace defiance {

/// A position of one of the games, as a key of tables.
struct GamePosition {
    StoreGame game = StoreGame::english;
    PositionKey key;

    friend bool operator==(const GamePosition&, const GamePosition&) = default;
};

/// `seed` gives another hash of the same key, for tables that others may want to overload.
[[nodiscard]] inline std::uint64_t hash_of(const PositionKey& key, std::uint64_t seed = 0) {
    const std::uint64_t pieces = static_cast<std::uint64_t>(key.own) << 32 | key.other;
    return Random(Random(seed ^ pieces).next() ^ key.kings).next();
}

struct PositionKeyHash {
    std::size_t operator()(const PositionKey& key) const {
        return static_cast<std::size_t>(hash_of(key));
    }
};

struct GamePositionHash {
    std::size_t operator()(const GamePosition& name) const {
        return static_cast<std::size_t>(
            hash_of(name.key, static_cast<std::uint64_t>(name.game) << 32));
    }
};

}  // namespace defiance
