#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include <defiance/base/memory.hpp>
#include <defiance/eval/evaluate.hpp>
#include <defiance/rules/move.hpp>

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

    [[nodiscard]] std::uint32_t size_mebibytes() const { return mebibytes_; }

    /// What is stored for the key. `ply` is the distance of the node from the root.
    [[nodiscard]] std::optional<TableHit> probe(std::uint64_t key, int ply) const;

    /// Remembers a result; replaces what is oldest and shallowest among four entries. `depth` is
    /// kept within 0 to 255.
    void store(std::uint64_t key, int ply, int depth, Score score, Bound bound, const Move* move);

    /// To be called before each search: entries of earlier searches give way first.
    void start_new_search() { generation_ = static_cast<std::uint8_t>((generation_ + 1) & 63); }

private:
    struct Entry {
        std::atomic<std::uint64_t> check;
        std::atomic<std::uint64_t> data;
    };
    static constexpr std::uint64_t entries_in_bucket = 4;
    static constexpr std::uint64_t bucket_bytes = entries_in_bucket * sizeof(Entry);
    static_assert(bucket_bytes == 64);

    [[nodiscard]] Entry* bucket(std::uint64_t key) const;

    ZeroedMemory memory_;
    std::uint64_t buckets_ = 0;
    std::uint32_t mebibytes_ = 0;
    std::uint8_t generation_ = 0;
};

}  // namespace defiance
