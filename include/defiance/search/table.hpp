#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/memory.hpp>
#include <defiance/eval/evaluate.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/search/score.hpp>

namespace defiance {

/// What a stored score says about the true one.
enum class Bound : std::uint8_t { none = 0, upper = 1, lower = 2, exact = 3 };

/// What the table remembers of a move: its end squares. Captures that share them share a memory.
struct MoveHint {
    std::uint8_t from = 0;
    std::uint8_t to = 0;
    bool known = false;

    [[nodiscard]] bool matches(const Move& m) const {
        return known && m.from == from && m.to == to;
    }
};

/// The second word of an entry taken apart. A word of all zero means an empty entry.
struct TableEntry {
    std::int16_t score;
    std::uint8_t depth;
    std::uint8_t generation;  ///< 6 bits
    Bound bound;              ///< 2 bits
    MoveHint move;            ///< 5 + 5 + 1 bits

    [[nodiscard]] std::uint64_t pack() const {
        DEFIANCE_ASSERT(generation < 64 && move.from < 32 && move.to < 32);
        return std::uint64_t{static_cast<std::uint16_t>(score)} | std::uint64_t{depth} << 16 |
               std::uint64_t{generation} << 24 |
               std::uint64_t{static_cast<std::uint8_t>(bound)} << 30 |
               std::uint64_t{move.from} << 32 | std::uint64_t{move.to} << 40 |
               std::uint64_t{move.known} << 48;
    }
    [[nodiscard]] static TableEntry unpack(std::uint64_t data) {
        return {static_cast<std::int16_t>(data & 0xFFFF),
                static_cast<std::uint8_t>(data >> 16 & 0xFF),
                static_cast<std::uint8_t>(data >> 24 & 63),
                static_cast<Bound>(data >> 30 & 3),
                {static_cast<std::uint8_t>(data >> 32 & 31),
                 static_cast<std::uint8_t>(data >> 40 & 31), (data >> 48 & 1) != 0}};
    }
};

/// The answer of the table to a probe.
struct TableHit {
    Score score = 0;  ///< proven scores re-based to the probing node
    int depth = 0;
    Bound bound = Bound::none;
    MoveHint move;
};

/// The transposition table: what earlier parts of the search found out, by position key.
///
/// Threads read and write it without locks. An entry is two 64-bit words, each written atomically,
/// and the first is the key xor-ed with the second: words of two different writes do not fit each
/// other and read as "nothing known". Four entries fill one cache line, and a position may be in
/// any of the four.
class TranspositionTable {
public:
    /// An empty table of no size: probes find nothing and stores are lost.
    TranspositionTable() = default;
    /// A table of `mebibytes` (1 or more); of no size when memory is short: see size_mebibytes.
    explicit TranspositionTable(std::uint32_t mebibytes);
    /// A table of `bytes`, a multiple of 64; of no size when memory is short.
    [[nodiscard]] static TranspositionTable of_bytes(std::uint64_t bytes);

    [[nodiscard]] std::uint32_t size_mebibytes() const { return mebibytes_; }

    /// What is stored for the key. `ply` is the distance of the node from the root.
    [[nodiscard]] std::optional<TableHit> probe(std::uint64_t key, int ply) const {
        if (buckets_ == 0) return std::nullopt;
        const Entry* const first = bucket(key);
        for (const Entry* entry = first; entry != first + entries_in_bucket; ++entry) {
            const std::uint64_t data = entry->data.load(std::memory_order_relaxed);
            if ((entry->check.load(std::memory_order_relaxed) ^ data) != key || data == 0) continue;
            const TableEntry e = TableEntry::unpack(data);
            DEFIANCE_ASSERT(e.bound != Bound::none && e.score >= -score_win &&
                            e.score <= score_win);
            return TableHit{from_node(e.score, ply), e.depth, e.bound, e.move};
        }
        return std::nullopt;
    }

    /// Asks for the key's place to be brought near.
    void prefetch(std::uint64_t key) const { defiance::prefetch(bucket(key)); }

    /// Remembers a result; replaces what is oldest and shallowest among four entries. `depth` is
    /// kept within 0 to 255.
    void store(std::uint64_t key, int ply, int depth, Score score, Bound bound, const Move* move);

    /// To be called before each search: entries of earlier searches give way first.
    void start_new_search() { generation_ = static_cast<std::uint8_t>((generation_ + 1) & 63); }

    /// Forgets everything. Not while other threads use the table.
    void clear();

private:
    struct Entry {
        std::atomic<std::uint64_t> check;
        std::atomic<std::uint64_t> data;
    };
    static constexpr std::uint64_t entries_in_bucket = 4;
    static constexpr std::uint64_t bucket_bytes = entries_in_bucket * sizeof(Entry);
    static_assert(bucket_bytes == 64);

    // In the table a proven score counts from the node, elsewhere from the root.
    [[nodiscard]] static Score from_node(Score score, int ply) {
        return is_win(score) ? score - ply : is_loss(score) ? score + ply : score;
    }

    // Entries are atomics in memory that the system delivered zeroed; a zeroed atomic of this size
    // is a valid one on every platform served.
    [[nodiscard]] Entry* bucket(std::uint64_t key) const {
        // The upper half of the key picks the bucket, so any number of buckets below 2^32 will do.
        const std::uint64_t number = ((key >> 32) * buckets_) >> 32;
        return static_cast<Entry*>(memory_.data()) + number * entries_in_bucket;
    }

    ZeroedMemory memory_;
    std::uint64_t buckets_ = 0;
    std::uint32_t mebibytes_ = 0;
    std::uint8_t generation_ = 0;
};

}  // namespace defiance
