#include <defiance/search/table.hpp>

#include <algorithm>
#include <cstring>

#include <defiance/base/assert.hpp>
#include <defiance/search/score.hpp>

namespace defiance {
namespace {

// In the table a proven score is relative to the node, elsewhere to the root.
Score to_node(Score score, int ply) {
    return is_proven_win(score) ? score + ply : is_proven_loss(score) ? score - ply : score;
}

}  // namespace

TranspositionTable::TranspositionTable(std::uint32_t mebibytes)
    : TranspositionTable(of_bytes(std::uint64_t{mebibytes} << 20)) {}

TranspositionTable TranspositionTable::of_bytes(std::uint64_t bytes) {
    TranspositionTable table;
    DEFIANCE_ASSERT(bytes % bucket_bytes == 0);
    table.memory_ = ZeroedMemory(bytes);
    if (!table.memory_) return table;
    table.mebibytes_ = static_cast<std::uint32_t>(bytes >> 20);
    table.max_buckets_ = static_cast<std::uint32_t>(bytes / bucket_bytes);
    constexpr std::uint32_t most_at_first = 4096;
    table.first_buckets_ = std::min(table.max_buckets_, most_at_first);
    table.extent_ = TableExtent(table.first_buckets_);
    return table;
}

TranspositionTable TranspositionTable::for_one_search(std::uint64_t bytes) {
    TranspositionTable table = of_bytes(bytes);
    table.first_buckets_ = table.max_buckets_;
    table.extent_ = TableExtent(table.first_buckets_);
    table.max_age_ = 0;
    return table;
}

void TranspositionTable::clear() {
    extent_ = TableExtent(first_buckets_);
    if (*this) std::memset(memory_.data(), 0, static_cast<std::size_t>(used_bytes()));
    generation_ = 0;
}

TranspositionTable::Place TranspositionTable::place_for(std::uint64_t key) const {
    Entry* const first = bucket(key);
    Entry* place = first;
    int min_worth = 1 << 20;
    for (Entry* entry = first; entry != first + entries_in_bucket; ++entry) {
        const std::uint64_t data = entry->data.load(std::memory_order_relaxed);
        const TableEntry f = TableEntry::unpack(data);
        const bool is_empty = data == 0 || age_of(f) > max_age_;
        if ((entry->check.load(std::memory_order_relaxed) ^ data) == key && !is_empty)
            return {entry, data, false};
        const int worth = is_empty ? -1 : (1 << 10) + f.depth - 8 * age_of(f);
        if (worth < min_worth) {
            min_worth = worth;
            place = entry;
        }
    }
    // The worth of an entry of depth 0 from the search before.
    constexpr int worth_of_recent = (1 << 10) - 8;
    return {place, 0, min_worth >= worth_of_recent};
}

/// Called when a result has crowded out another. On average it takes `buckets_per_call` more
/// buckets into use: enough for this to happen seldom, and not so many that most are empty. They
/// come at one of `calls_per_growth` calls, because at each growth other threads must fetch the
/// extent again; what those store meanwhile may be lost.
void TranspositionTable::grow(std::uint64_t key) {
    constexpr std::uint32_t buckets_per_call = 16;
    constexpr std::uint32_t calls_per_growth = 16;
    if (key % calls_per_growth != 0 || extent_.buckets() == max_buckets_ || !extent_.begin_growth())
        return;
    TableExtent next(extent_.buckets());
    const std::uint32_t wanted =
        std::min(next.buckets() + buckets_per_call * calls_per_growth, max_buckets_);
    for (; next.buckets() < wanted; next.add_bucket())
        split_bucket(next);
    extent_.grow_to(next);
    extent_.end_growth();
}

/// Moves those keys of an old bucket that belong to the first one beyond the extent, which may hold
/// what is left from before clear().
void TranspositionTable::split_bucket(const TableExtent& extent) {
    Entry* const from = first_entry() + extent.next_to_split() * entries_in_bucket;
    Entry* const to = first_entry() + extent.buckets() * entries_in_bucket;
    for (std::uint64_t i = 0; i < entries_in_bucket; ++i) {
        const std::uint64_t data = from[i].data.load(std::memory_order_relaxed);
        const std::uint64_t check = from[i].check.load(std::memory_order_relaxed);
        const bool is_moved = data != 0 && extent.goes_to_new_bucket(check ^ data);
        to[i].data.store(is_moved ? data : 0, std::memory_order_relaxed);
        if (!is_moved) continue;
        to[i].check.store(check, std::memory_order_relaxed);
        from[i].data.store(0, std::memory_order_relaxed);
    }
}

void TranspositionTable::write(Entry& entry, std::uint64_t key, const TableEntry& content) {
    const std::uint64_t data = content.pack();
    entry.check.store(key ^ data, std::memory_order_relaxed);
    entry.data.store(data, std::memory_order_relaxed);
}

void TranspositionTable::store(std::uint64_t key, int ply, int depth, Score score, Bound bound,
                               const Move* move) {
    DEFIANCE_ASSERT(bound != Bound::none && ply >= 0 && ply <= max_ply);
    DEFIANCE_ASSERT(to_node(score, ply) >= -score_win && to_node(score, ply) <= score_win);
    DEFIANCE_ASSERT(move == nullptr || (move->from < 32 && move->to < 32));
    if (!*this) return;
    const Place place = place_for(key);
    HashMove hash_move{};
    if (move != nullptr) hash_move = {move->from, move->to, true};
    // A result without a best move keeps the hash move stored before.
    if (!hash_move.known && place.own_data != 0)
        hash_move = TableEntry::unpack(place.own_data).move;
    write(*place.entry, key,
          {static_cast<std::int16_t>(to_node(score, ply)),
           static_cast<std::uint8_t>(std::clamp(depth, 0, 255)), generation_, bound, hash_move});
    if (place.is_crowded) grow(key);
}

void TranspositionTable::store_move(std::uint64_t key, const Move& move) {
    DEFIANCE_ASSERT(move.from < 32 && move.to < 32);
    if (!*this) return;
    const Place place = place_for(key);
    TableEntry content{0, 0, generation_, Bound::none, {}};
    if (place.own_data != 0) content = TableEntry::unpack(place.own_data);
    content.move = {move.from, move.to, true};
    write(*place.entry, key, content);
}

}  // namespace defiance
