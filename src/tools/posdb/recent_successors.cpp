#include <tools/posdb/recent_successors.hpp>

#include <defiance/base/assert.hpp>

namespace defiance {

void RecentSuccessors::remember(StoreGame game, std::span<const PositionKey> keys,
                                const Origin& origin, Clock::time_point now) {
    DEFIANCE_ASSERT(keys.size() <= max_positions);
    const std::lock_guard lock(mutex_);
    const auto is_full = [&] { return entries_.size() + keys.size() > max_positions; };
    if (is_full())
        std::erase_if(entries_, [&](const auto& entry) { return entry.second.end <= now; });
    if (is_full()) entries_.clear();
    for (const PositionKey& key : keys)
        entries_[{game, key}] = {origin, now + lifetime};
}

std::optional<Origin> RecentSuccessors::take(StoreGame game, const PositionKey& key,
                                             Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find({game, key});
    if (found == entries_.end()) return std::nullopt;
    const Entry entry = found->second;
    entries_.erase(found);
    if (entry.end <= now) return std::nullopt;
    return entry.origin;
}

std::size_t RecentSuccessors::size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
}

}  // namespace defiance
