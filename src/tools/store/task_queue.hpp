#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tools/store/game_position.hpp>
#include <tools/store/position_store.hpp>

namespace defiance {

/// A queue of tasks in memory, each position once, with leases that run out. For one thread at a
/// time.
class TaskQueue {
public:
    using Clock = std::chrono::steady_clock;
    using Time = Clock::time_point;

    /// A lease gets the next number after `first_lease`, so that an old one is not taken for it.
    TaskQueue(std::size_t max_tasks, std::uint64_t first_lease)
        : max_tasks_(max_tasks), last_lease_(first_lease) {}

    /// What push() would answer, and whether it would change anything.
    struct Prospect {
        PushOutcome outcome;
        bool changes;
    };
    [[nodiscard]] Prospect would_push(const StoreTask& task) const;

    PushOutcome push(const StoreTask& task);

    /// Gives out the best waiting task until `end`; nothing when none waits.
    [[nodiscard]] std::optional<TaskLease> lease(Time now, Time end);

    /// The task of a lease that is still good.
    [[nodiscard]] const StoreTask* leased(std::uint64_t lease, Time now);

    /// Ends a lease that is still good (leased() says so): the task leaves the queue, or waits
    /// again.
    void complete(std::uint64_t lease);
    void release(std::uint64_t lease);

    /// Takes the task of a position out, whatever its state. For reading a journal.
    void remove(StoreGame game, const PositionKey& key);

    [[nodiscard]] QueueSize size(Time now);

    /// Calls visit for each task, those that wait first, in the order in which they will be leased.
    void for_each(const std::function<void(const StoreTask&)>& visit) const;

private:
    struct Entry {
        StoreTask task;
        std::uint64_t number = 0;  ///< grows with the age of the queue
        std::uint64_t lease = 0;   ///< 0: it waits
        Time lease_end{};
    };
    using Entries = std::unordered_map<GamePosition, Entry, GamePositionHash>;
    /// Pointers to elements of an unordered_map stay valid.
    using Item = Entries::value_type;
    using Order = std::pair<int, std::uint64_t>;

    static Order order_of(const Entry& entry) { return {-entry.task.priority, entry.number}; }
    void end_old_leases(Time now);
    void make_wait(Item& item);
    void forget_lease(Entry& entry);

    std::size_t max_tasks_;
    std::uint64_t last_lease_;
    std::uint64_t last_number_ = 0;
    Entries entries_;
    std::set<std::pair<Order, Item*>> waiting_;
    std::unordered_map<std::uint64_t, Item*> by_lease_;
    std::set<std::pair<Time, std::uint64_t>> lease_ends_;
};

}  // namespace defiance
