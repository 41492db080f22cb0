#include <tools/posdb/recent_successors.hpp>

#include <defiance/base/assert.hpp>

namespace defiance {

std::size_t RecentSuccessors::NameHash::operator()(const Name& name) const {
    std::uint64_t hash = (std::uint64_t{name.key.own} << 32 | name.key.other) ^
                         name.key.kings * 0x9E3779B97F4A7C15U ^
                         static_cast<std::uint64_t>(name.game);
    hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9U;
    return static_cast<std::size_t>(hash ^ (hash >> 27));
}

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
