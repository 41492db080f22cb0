#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

#include <defiance/base/memory.hpp>

namespace defiance {

/// Unpacked blocks of endgame databases, in a fixed amount of memory, for all threads at once.
///
/// A block is `Words` numbers of 32 bits under a key other than 0. The cache is like a
/// transposition table: a key has its few places, and the block longest unused of them gives way.
/// Nobody waits: who finds a place just being written to takes it for empty.
template <std::size_t Words>
class BlockCache {
public:
    using Block = std::array<std::uint32_t, Words>;

    /// Takes about so many bytes, one set of blocks at least. With too little memory it stays empty
    /// and keeps nothing.
    explicit BlockCache(std::uint64_t bytes)
        : sets_(bytes < sizeof(Set) ? 1 : bytes / sizeof(Set)), memory_(sets_ * sizeof(Set)) {}

    /// Word `word` of the block with this key, if it is there.
    [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t key, std::size_t word) {
        if (!memory_) return std::nullopt;
        Set& set = set_of(key);
        for (std::size_t way = 0; way < ways; ++way) {
            if (set.keys[way].load(std::memory_order_relaxed) != key) continue;
            Head& head = set.heads[way];
            const std::uint32_t before = head.version.load(std::memory_order_acquire);
            const std::uint32_t found = set.blocks[way][word].load(std::memory_order_acquire);
            // Words are written after the version has become odd, so a torn block shows.
            if (before % 2 != 0 || head.version.load(std::memory_order_relaxed) != before ||
                set.keys[way].load(std::memory_order_relaxed) != key)
                return std::nullopt;
            if (head.used.load(std::memory_order_relaxed) == 0)
                head.used.store(1, std::memory_order_relaxed);
            return found;
        }
        return std::nullopt;
    }

    void store(std::uint32_t key, const Block& block) {
        if (!memory_) return;
        Set& set = set_of(key);
        const std::size_t way = way_to_replace(set);
        Head& head = set.heads[way];
        std::uint32_t writes = head.version.load(std::memory_order_relaxed);
        if (writes % 2 != 0 ||
            !head.version.compare_exchange_strong(writes, writes + 1, std::memory_order_acq_rel))
            return;
        set.keys[way].store(0, std::memory_order_release);
        for (std::size_t i = 0; i < Words; ++i)
            set.blocks[way][i].store(block[i], std::memory_order_release);
        head.used.store(1, std::memory_order_relaxed);
        set.keys[way].store(key, std::memory_order_release);
        head.version.store(writes + 2, std::memory_order_release);
    }

private:
    // A block that finds no place is unpacked again and again, so there must be many to a key; the
    // keys of a set fill a cache line.
    static constexpr std::size_t ways = 16;

    struct Head {
        std::atomic<std::uint32_t> version;  // odd while the block is written
        std::atomic<std::uint32_t> used;     // since the hand of the clock last came by
    };
    struct Set {
        std::array<std::atomic<std::uint32_t>, ways> keys;
        std::array<Head, ways> heads;
        std::atomic<std::uint32_t> hand;
        std::array<std::array<std::atomic<std::uint32_t>, Words>, ways> blocks;
    };

    [[nodiscard]] Set& set_of(std::uint32_t key) const {
        const std::uint64_t spread = (key * 0x9E3779B97F4A7C15U) >> 32;
        return static_cast<Set*>(memory_.data())[static_cast<std::size_t>((spread * sets_) >> 32)];
    }

    /// The clock algorithm: the next way not used since the hand came by last.
    [[nodiscard]] static std::size_t way_to_replace(Set& set) {
        std::uint32_t at = set.hand.load(std::memory_order_relaxed);
        for (std::size_t i = 0; i < ways; ++i, ++at) {
            Head& head = set.heads[at % ways];
            if (head.used.load(std::memory_order_relaxed) == 0) break;
            head.used.store(0, std::memory_order_relaxed);
        }
        set.hand.store((at + 1) % ways, std::memory_order_relaxed);
        return at % ways;
    }

    std::uint64_t sets_;
    ZeroedMemory memory_;  // all zeros is a cache without blocks
};

}  // namespace defiance
