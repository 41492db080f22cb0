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
    if (reconciled_ == 0)
        std::stable_sort(added_.begin(), added_.end(),
                         [](const Added& a, const Added& b) { return a.ply > b.ply; });
    for (; reconciled_ < added_.size(); ++reconciled_) {
        if (!go_on(reconciled_)) return false;
        if (auto error = database_.reconcile(added_[reconciled_].key, relatives_, changes_))
            return *error;
    }
    constexpr std::size_t steps_of_each = 16;
    const std::size_t most_steps = PositionDatabase::max_steps_up + steps_of_each * added_.size();
    for (std::size_t most = 0; !changes_.empty() && most < most_steps;) {
        if (!go_on(reconciled_)) return false;
        most = std::min(most + PositionDatabase::max_steps_up, most_steps);
        if (auto error = database_.carry_up(changes_, most)) return *error;
    }
    for (; settled_ < added_.size(); ++settled_) {
        if (!go_on(reconciled_)) return false;
        if (auto error = database_.settle_rest(added_[settled_].key, changes_, most_steps))
            return *error;
    }
    DEFIANCE_ASSERT(reconciled_ == added_.size());
    return true;
}

}  // namespace defiance
