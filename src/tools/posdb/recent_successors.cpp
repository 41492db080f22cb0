#include <tools/posdb/recent_successors.hpp>

#include <defiance/base/assert.hpp>

namespace defiance {

void RecentSuccessors::remember(StoreGame game, const PositionKey& key, const Origin& origin,
                                Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= max_positions)
        std::erase_if(entries_, [&](const auto& entry) { return entry.second.end <= now; });
    if (entries_.size() >= max_positions) entries_.clear();
    entries_[{game, key}] = {origin, now + lifetime};
    DEFIANCE_ASSERT(entries_.size() <= max_positions);
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
