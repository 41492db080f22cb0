#include <tools/posdb/bulk_addition.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>

namespace defiance {

std::optional<Error> BulkAddition::add(const PositionKey& key, const KnownPosition& known) {
    if (added_.empty()) {
        const auto count = database_.count();
        if (!count) return Error{count.error()};
        if (*count == 0) relatives_ = PositionDatabase::Relatives::children;
    }
    const auto changed = database_.merge(key, known);
    if (!changed) return Error{changed.error()};
    changed_ += *changed ? 1 : 0;
    added_.push_back({key, known.ply});
    return std::nullopt;
}

Result<bool> BulkAddition::finish(const std::function<bool(std::size_t)>& go_on) {
    // The last positions of lines first: then most scores are final when they are carried up.
    if (settled_ == 0)
        std::stable_sort(added_.begin(), added_.end(),
                         [](const Added& a, const Added& b) { return a.ply > b.ply; });
    for (; settled_ < added_.size(); ++settled_) {
        if (!go_on(settled_)) return false;
        if (auto error = database_.settle(added_[settled_].key, relatives_)) return *error;
    }
    DEFIANCE_ASSERT(settled_ == added_.size());
    return true;
}

}  // namespace defiance
