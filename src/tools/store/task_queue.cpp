#include <tools/store/task_queue.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/base/random.hpp>

namespace defiance {

TaskQueue::Prospect TaskQueue::would_push(const StoreTask& task) const {
    const auto found = entries_.find({task.game, task.key});
    if (found == entries_.end())
        return entries_.size() < max_tasks_ ? Prospect{PushOutcome::queued, true}
                                            : Prospect{PushOutcome::full, false};
    return {PushOutcome::already_queued, task.priority > found->second.task.priority};
}

PushOutcome TaskQueue::push(const StoreTask& task) {
    const Prospect prospect = would_push(task);
    if (!prospect.changes) return prospect.outcome;
    Item& item = *entries_.try_emplace({task.game, task.key}).first;
    Entry& entry = item.second;
    if (prospect.outcome == PushOutcome::queued) {
        entry.task = task;
        entry.number = ++last_number_;
        make_wait(item);
        return prospect.outcome;
    }
    const bool waits = entry.lease == 0;
    if (waits) waiting_.erase({order_of(entry), &item});
    entry.task.priority = task.priority;
    if (waits) make_wait(item);
    return prospect.outcome;
}

void TaskQueue::make_wait(Item& item) {
    DEFIANCE_ASSERT(item.second.lease == 0);
    waiting_.insert({order_of(item.second), &item});
}

void TaskQueue::forget_lease(Entry& entry) {
    DEFIANCE_ASSERT(entry.lease != 0);
    by_lease_.erase(entry.lease);
    lease_ends_.erase({entry.lease_end, entry.lease});
    entry.lease = 0;
}

void TaskQueue::end_old_leases(Time now) {
    while (!lease_ends_.empty() && lease_ends_.begin()->first <= now)
        release(lease_ends_.begin()->second);
}

std::optional<TaskLease> TaskQueue::lease(Time now, Time end) {
    end_old_leases(now);
    if (waiting_.empty()) return std::nullopt;
    Item& item = *waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    Entry& entry = item.second;
    entry.lease = ++last_lease_ == 0 ? ++last_lease_ : last_lease_;
    entry.lease_end = end;
    by_lease_[entry.lease] = &item;
    lease_ends_.insert({end, entry.lease});
    return TaskLease{entry.lease, entry.task};
}

const StoreTask* TaskQueue::leased(std::uint64_t lease, Time now) {
    end_old_leases(now);
    const auto found = by_lease_.find(lease);
    return found == by_lease_.end() ? nullptr : &found->second->second.task;
}

void TaskQueue::complete(std::uint64_t lease) {
    DEFIANCE_ASSERT(by_lease_.contains(lease));
    const StoreTask& task = by_lease_.at(lease)->second.task;
    remove(task.game, PositionKey(task.key));
}

void TaskQueue::release(std::uint64_t lease) {
    DEFIANCE_ASSERT(by_lease_.contains(lease));
    Item& item = *by_lease_.at(lease);
    forget_lease(item.second);
    make_wait(item);
}

void TaskQueue::remove(StoreGame game, const PositionKey& key) {
    const auto found = entries_.find({game, key});
    if (found == entries_.end()) return;
    Entry& entry = found->second;
    if (entry.lease != 0)
        forget_lease(entry);
    else
        waiting_.erase({order_of(entry), &*found});
    entries_.erase(found);
    DEFIANCE_ASSERT(waiting_.size() + by_lease_.size() == entries_.size());
}

QueueSize TaskQueue::size(Time now) {
    end_old_leases(now);
    return {waiting_.size(), by_lease_.size()};
}

void TaskQueue::for_each(const std::function<void(const StoreTask&)>& visit) const {
    for (const auto& [order, item] : waiting_)
        visit(item->second.task);
    for (const auto& [lease, item] : by_lease_)
        visit(item->second.task);
}

}  // namespace defiance
