#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/memory.hpp>
#include <defiance/eval/score.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/search/score.hpp>
#include <defiance/search/table_extent.hpp>

namespace defiance {

/// Whether a stored score is a bound on the true one; with `none` there is no score, only a move.
enum class Bound : std::uint8_t { none = 0, upper = 1, lower = 2, exact = 3 };

/// The hash move as the table stores it: by its end squares, so it may fit several captures.
struct HashMove {
    std::uint8_t from = 0;
    std::uint8_t to = 0;
    bool known = false;

    [[nodiscard]] bool matches(const Move& m) const {
        return known && m.from == from && m.to == to;
    }
};

/// The data word of an entry, unpacked. A word of zero is an empty entry.
struct TableEntry {
    std::int16_t score;  ///< proven scores are relative to the node
    std::uint8_t depth;
    std::uint8_t generation;  ///< 6 bits
    Bound bound;              ///< 2 bits
    HashMove move;            ///< 5 + 5 + 1 bits

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

static_assert(score_infinite <= INT16_MAX && max_depth <= UINT8_MAX);

/// The result of a successful probe.
struct TableHit {
    Score score = 0;  ///< proven scores are relative to the root of the search
    int depth = 0;
    Bound bound = Bound::none;
    HashMove move;
};

/// The transposition table, indexed by position key.
///
/// Threads read and write it without locks. An entry is two 64-bit words, each written atomically,
/// and the first is the key xor-ed with the second: words of different writes do not match and
/// count as empty. A bucket of four entries fills one cache line; a position may be in any of them.
///
/// The table begins small and grows up to its size while results of this search and the one before
/// crowd out each other. A search of few nodes stays within the processor's cache, and the first
/// one does not lose its time to memory that the system has yet to supply.
class TranspositionTable {
public:
    /// A table of size 0: probes find nothing and stores do nothing.
    TranspositionTable() = default;
    /// A table of `mebibytes` (1 or more), or of size 0 when memory is short.
    explicit TranspositionTable(std::uint32_t mebibytes);
    /// A table of `bytes`, a multiple of 64, or of size 0 when memory is short.
    [[nodiscard]] static TranspositionTable of_bytes(std::uint64_t bytes);
    /// The same for a table in which the entries of earlier searches count as empty: each search
    /// finds it as if cleared, in far less time.
    [[nodiscard]] static TranspositionTable for_one_search(std::uint64_t bytes);

    /// 0 also for a table of less than one.
    [[nodiscard]] std::uint32_t size_mebibytes() const { return mebibytes_; }
    /// False for a table of size 0.
    [[nodiscard]] explicit operator bool() const { return max_buckets_ != 0; }

    /// The entry for the key. `ply` is the distance of the node from the root.
    [[nodiscard]] std::optional<TableHit> probe(std::uint64_t key, int ply) const {
        DEFIANCE_ASSERT(ply >= 0 && ply <= max_ply);
        if (!*this) return std::nullopt;
        const Entry* const first = bucket(key);
        for (const Entry* entry = first; entry != first + entries_in_bucket; ++entry) {
            const std::uint64_t data = entry->data.load(std::memory_order_relaxed);
            if ((entry->check.load(std::memory_order_relaxed) ^ data) != key || data == 0) continue;
            const TableEntry e = TableEntry::unpack(data);
            if (age_of(e) > max_age_) continue;
            DEFIANCE_ASSERT(e.bound != Bound::none || e.move.known);
            DEFIANCE_ASSERT(e.score >= -score_win && e.score <= score_win);
            return TableHit{from_node(e.score, ply), e.depth, e.bound, e.move};
        }
        return std::nullopt;
    }

    /// Loads the key's bucket into the cache.
    void prefetch(std::uint64_t key) const { defiance::prefetch(bucket(key)); }

    /// Stores a result: a score of -score_win to score_win, relative to the root, and a bound, not
    /// Bound::none. `move` may be null: then the entry keeps the hash move that it had. `depth` is
    /// clamped to 0 to 255. Replaces the oldest and shallowest entry of the bucket.
    void store(std::uint64_t key, int ply, int depth, Score score, Bound bound, const Move* move);

    /// Stores a move to try first. An entry of the key keeps its score; a new one has Bound::none.
    void store_move(std::uint64_t key, const Move& move);

    /// Must be called before each search, not while others use the table: entries of earlier
    /// searches are replaced first.
    void start_new_search() {
        generation_ = static_cast<std::uint8_t>((generation_ + 1) & max_generation);
        // From here on the numbers of old entries mean new searches.
        if (generation_ == 0 && max_age_ < max_generation) clear();
    }

    /// Empties the table, which begins small again: only its first buckets are written. Not while
    /// other threads use it.
    void clear();

    /// How much of the table is in use, in bytes.
    [[nodiscard]] std::uint64_t used_bytes() const { return extent_.buckets() * bucket_bytes; }

private:
    struct Entry {
        std::atomic<std::uint64_t> check;
        std::atomic<std::uint64_t> data;
    };
    static constexpr int max_generation = 63;
    static constexpr std::uint64_t entries_in_bucket = 4;
    static constexpr std::uint64_t bucket_bytes = entries_in_bucket * sizeof(Entry);
    static_assert(bucket_bytes == 64);

    /// How many searches ago the entry was stored, as far as its generation tells.
    [[nodiscard]] int age_of(const TableEntry& entry) const {
        return (generation_ - entry.generation) & max_generation;
    }

    /// Where the key belongs in its bucket: its own entry or else the least worth keeping.
    struct Place {
        Entry* entry;
        std::uint64_t own_data;  // of the key's own entry; 0: it has none
        bool is_crowded;         // whether a recent entry of another position must go
    };
    [[nodiscard]] Place place_for(std::uint64_t key) const;
    static void write(Entry& entry, std::uint64_t key, const TableEntry& content);
    void grow(std::uint64_t key);
    void split_bucket(const TableExtent& extent);

    // In the table a proven score is relative to the node, elsewhere to the root.
    [[nodiscard]] static Score from_node(Score score, int ply) {
        return is_proven_win(score) ? score - ply : is_proven_loss(score) ? score + ply : score;
    }

    // The entries are atomics in zeroed memory, which is a valid state on every supported platform.
    [[nodiscard]] Entry* bucket(std::uint64_t key) const {
        const std::uint64_t number = extent_.bucket_of(key);
        DEFIANCE_ASSERT(max_buckets_ == 0 || number < max_buckets_);
        return first_entry() + number * entries_in_bucket;
    }
    [[nodiscard]] Entry* first_entry() const { return static_cast<Entry*>(memory_.data()); }

    ZeroedMemory memory_;            // beyond the extent there may be what was there before clear()
    std::uint32_t max_buckets_ = 0;  // that there is memory for
    std::uint32_t first_buckets_ = 0;  // in use when the table is empty
    TableExtent extent_;
    std::uint32_t mebibytes_ = 0;
    std::uint8_t generation_ = 0;
    int max_age_ = max_generation;  // an entry older than that counts as empty
};

}  // namespace defiance
