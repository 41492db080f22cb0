#include <defiance/search/table.hpp>

#include <algorithm>

#include <defiance/search/score.hpp>

namespace defiance {
namespace {

/// The second word of an entry taken apart. All zero means empty.
struct Fields {
    std::int16_t score;
    std::uint8_t depth;
    std::uint8_t generation;  // 6 bits
    Bound bound;              // 2 bits
    MoveHint move;            // 5 + 5 + 1 bits
};

std::uint64_t pack(const Fields& f) {
    return std::uint64_t{static_cast<std::uint16_t>(f.score)} | std::uint64_t{f.depth} << 16 |
           std::uint64_t{f.generation} << 24 |
           std::uint64_t{static_cast<std::uint8_t>(f.bound)} << 30 |
           std::uint64_t{f.move.from} << 32 | std::uint64_t{f.move.to} << 40 |
           std::uint64_t{f.move.known} << 48;
}

Fields unpack(std::uint64_t data) {
    return {static_cast<std::int16_t>(data & 0xFFFF),
            static_cast<std::uint8_t>(data >> 16 & 0xFF),
            static_cast<std::uint8_t>(data >> 24 & 63),
            static_cast<Bound>(data >> 30 & 3),
            {static_cast<std::uint8_t>(data >> 32 & 31), static_cast<std::uint8_t>(data >> 40 & 31),
             (data >> 48 & 1) != 0}};
}

// In the table a proven score counts from the node, elsewhere from the root.
Score from_node(Score score, int ply) {
    return is_win(score) ? score - ply : is_loss(score) ? score + ply : score;
}
Score to_node(Score score, int ply) {
    return is_win(score) ? score + ply : is_loss(score) ? score - ply : score;
}

}  // namespace

TranspositionTable::TranspositionTable(std::uint32_t mebibytes)
    : memory_((std::uint64_t{mebibytes} << 20)) {
    if (!memory_) return;
    mebibytes_ = mebibytes;
    buckets_ = (std::uint64_t{mebibytes} << 20) / bucket_bytes;
}

// Entries are atomics in memory that the system delivered zeroed; a zeroed atomic of this size is a
// valid one on every platform served.
TranspositionTable::Entry* TranspositionTable::bucket(std::uint64_t key) const {
    // The upper half of the key picks the bucket, so any number of buckets below 2^32 will do.
    const std::uint64_t number = ((key >> 32) * buckets_) >> 32;
    return static_cast<Entry*>(memory_.data()) + number * entries_in_bucket;
}

std::optional<TableHit> TranspositionTable::probe(std::uint64_t key, int ply) const {
    if (buckets_ == 0) return std::nullopt;
    const Entry* entry = bucket(key);
    for (std::uint64_t i = 0; i < entries_in_bucket; ++i, ++entry) {
        const std::uint64_t data = entry->data.load(std::memory_order_relaxed);
        if ((entry->check.load(std::memory_order_relaxed) ^ data) != key || data == 0) continue;
        const Fields f = unpack(data);
        return TableHit{from_node(f.score, ply), f.depth, f.bound, f.move};
    }
    return std::nullopt;
}

void TranspositionTable::store(std::uint64_t key, int ply, int depth, Score score, Bound bound,
                               const Move* move) {
    if (buckets_ == 0) return;
    Entry* const first = bucket(key);
    Entry* place = first;
    int least_worth = 1 << 20;
    MoveHint hint{};
    if (move != nullptr) hint = {move->from, move->to, true};
    for (Entry* entry = first; entry != first + entries_in_bucket; ++entry) {
        const std::uint64_t data = entry->data.load(std::memory_order_relaxed);
        const Fields f = unpack(data);
        if ((entry->check.load(std::memory_order_relaxed) ^ data) == key && data != 0) {
            // A result without a best move does not wipe out the move known before.
            if (!hint.known) hint = f.move;
            place = entry;
            break;
        }
        const int age = (generation_ - f.generation) & 63;
        const int worth = data == 0 ? -1 : (1 << 10) + f.depth - 8 * age;
        if (worth < least_worth) {
            least_worth = worth;
            place = entry;
        }
    }
    const std::uint64_t data =
        pack({static_cast<std::int16_t>(to_node(score, ply)),
              static_cast<std::uint8_t>(std::clamp(depth, 0, 255)), generation_, bound, hint});
    place->check.store(key ^ data, std::memory_order_relaxed);
    place->data.store(data, std::memory_order_relaxed);
}

}  // namespace defiance
