#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include <defiance/base/assert.hpp>
#include <defiance/base/memory.hpp>

namespace defiance {

/// Unpacked blocks of endgame databases, in a fixed amount of memory, for all threads at once.
///
/// A block is `Words` numbers of 32 bits under a key other than 0. The cache is like a
/// transposition table: a key maps to a set of 16 ways, of which the least recently used is
/// replaced. Keys from 1 on without gaps fill it evenly. No thread waits: a way that is being
/// written to counts as empty.
template <std::size_t Words>
class BlockCache {
public:
    using Block = std::array<std::uint32_t, Words>;

    /// Takes about so many bytes, one set of blocks at least; less when the system has not so much.
    /// Without memory for a single set it keeps nothing.
    explicit BlockCache(std::uint64_t bytes) : sets_(sets_for(bytes)) {
        for (memory_ = memory_for(sets_); !memory_ && sets_ > 1; memory_ = memory_for(sets_))
            sets_ /= 2;
    }

    /// How many sets a cache of so many bytes has where addresses have `address_bits` bits. All of
    /// them together never take more than a quarter of what can be addressed.
    [[nodiscard]] static constexpr std::uint32_t sets_for(
        std::uint64_t bytes, int address_bits = std::numeric_limits<std::size_t>::digits) {
        const std::uint64_t max_bytes = std::uint64_t{1} << (address_bits - 2);
        const std::uint64_t sets = std::min(bytes, max_bytes) / sizeof(Set);
        return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(sets, 1, UINT32_MAX));
    }

    /// The bytes that so many sets take.
    [[nodiscard]] static constexpr std::uint64_t bytes_of(std::uint32_t sets) {
        return std::uint64_t{sets} * sizeof(Set);
    }

    /// The bytes that so many blocks fit in.
    [[nodiscard]] static constexpr std::uint64_t bytes_for(std::uint64_t blocks) {
        return (blocks + ways) / ways * sizeof(Set);
    }

    /// Word `word` of the block with this key, if it is there.
    [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t key, std::size_t word) {
        if (!memory_) return std::nullopt;
        DEFIANCE_ASSERT(word < Words);
        Set& set = set_of(key);
        for (std::size_t i = 0, way = home_way(key); i < ways; ++i, way = (way + 1) % ways) {
            Head& head = set.heads[way];
            if (head.key.load(std::memory_order_relaxed) != key) continue;
            const std::uint32_t before = head.version.load(std::memory_order_acquire);
            const std::uint32_t found = set.blocks[way][word].load(std::memory_order_acquire);
            // The version is odd while words are written, so a block read meanwhile is rejected.
            if (before % 2 != 0 || head.version.load(std::memory_order_relaxed) != before ||
                head.key.load(std::memory_order_relaxed) != key)
                return std::nullopt;
            if (head.used.load(std::memory_order_relaxed) == 0)
                head.used.store(1, std::memory_order_relaxed);
            return found;
        }
        return std::nullopt;
    }

    /// Has the processor fetch what find() will read, if the block is where it is looked for first.
    void prefetch(std::uint32_t key, std::size_t word) const {
        if (!memory_) return;
        const Set& set = set_of(key);
        const std::size_t way = home_way(key);
        defiance::prefetch(&set.heads[way]);
        defiance::prefetch(&set.blocks[way][word]);
    }

    void store(std::uint32_t key, const Block& block) {
        if (!memory_) return;
        Set& set = set_of(key);
        const std::size_t home = home_way(key);
        const std::size_t way =
            set.heads[home].key.load(std::memory_order_relaxed) == 0 ? home : way_to_replace(set);
        DEFIANCE_ASSERT(way < ways);
        Head& head = set.heads[way];
        std::uint32_t writes = head.version.load(std::memory_order_relaxed);
        if (writes % 2 != 0 ||
            !head.version.compare_exchange_strong(writes, writes + 1, std::memory_order_acq_rel))
            return;
        head.key.store(0, std::memory_order_release);
        for (std::size_t i = 0; i < Words; ++i)
            set.blocks[way][i].store(block[i], std::memory_order_release);
        head.used.store(1, std::memory_order_relaxed);
        head.key.store(key, std::memory_order_release);
        head.version.store(writes + 2, std::memory_order_release);
    }

private:
    // With few ways, blocks needed again and again would replace each other.
    static constexpr std::size_t ways = 16;

    // All that is read of a block besides the word itself, in one cache line.
    struct Head {
        std::atomic<std::uint32_t> key;
        std::atomic<std::uint32_t> version;  // odd while the block is written
        std::atomic<std::uint32_t> used;     // since the clock hand last passed
        std::uint32_t unused;
    };
    struct Set {
        std::array<Head, ways> heads;
        std::atomic<std::uint32_t> hand;
        std::array<std::array<std::atomic<std::uint32_t>, Words>, ways> blocks;
    };

    [[nodiscard]] static ZeroedMemory memory_for(std::uint32_t sets) {
        return ZeroedMemory(bytes_of(sets));
    }

    [[nodiscard]] Set& set_of(std::uint32_t key) const {
        DEFIANCE_ASSERT(key != 0);
        return static_cast<Set*>(memory_.data())[key % sets_];
    }

    /// The way of its set at which a key is looked for first. In a cache with room for all blocks
    /// every key is there.
    [[nodiscard]] std::size_t home_way(std::uint32_t key) const { return key / sets_ % ways; }

    /// The clock algorithm: the next way not used since the hand last passed.
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

    std::uint32_t sets_;
    ZeroedMemory memory_;  // all zeros is a cache without blocks
};

}  // namespace defiance
