#pragma once

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <defiance/base/system.hpp>
#include <tools/store/position_store.hpp>

namespace defiance {

/// Any position, another one for each number.
inline PositionKey key_of(std::uint32_t number) {
    return {number * 2654435761U, ~number, number % 7};
}

template <class T>
T value_of(Result<T> result) {
    INFO((result ? "" : result.error()));
    REQUIRE(result);
    return *std::move(result);
}

/// What stores of every kind must do with positions; the store is empty before.
inline void check_positions(PositionStore& store) {
    const StoreGame game = StoreGame::russian;
    CHECK_FALSE(value_of(store.get(game, key_of(1))));
    CHECK(value_of(store.count(game)) == 0);
    CHECK(value_of(store.update(game, key_of(1), 1, "early")) == UpdateOutcome::conflict);
    CHECK(value_of(store.update(game, key_of(1), 0, "one")) == UpdateOutcome::stored);
    CHECK(value_of(store.update(game, key_of(1), 0, "again")) == UpdateOutcome::conflict);
    CHECK(value_of(store.get(game, key_of(1)))->bytes == "one");
    CHECK(value_of(store.get(game, key_of(1)))->version == 1);
    CHECK(value_of(store.update(game, key_of(1), 1, "two")) == UpdateOutcome::stored);
    CHECK(value_of(store.update(game, key_of(1), 1, "late")) == UpdateOutcome::conflict);
    CHECK(value_of(store.get(game, key_of(1)))->bytes == "two");
    CHECK(value_of(store.get(game, key_of(1)))->version == 2);
    CHECK_FALSE(value_of(store.get(StoreGame::czech, key_of(1))));

    std::string bytes;
    for (int i = 0; i < 256; ++i)
        bytes += static_cast<char>(i);
    const std::string large(max_stored_value, '\r');
    CHECK(value_of(store.update(game, {0, 0, 0}, 0, bytes)) == UpdateOutcome::stored);
    CHECK(value_of(store.update(game, key_of(2), 0, large)) == UpdateOutcome::stored);
    const std::vector<PositionKey> keys = {key_of(2), key_of(3), {0, 0, 0}, key_of(1), key_of(2)};
    const auto values = value_of(store.get_many(game, keys));
    REQUIRE(values.size() == 5);
    CHECK(values[0]->bytes == large);
    CHECK_FALSE(values[1]);
    CHECK(values[2]->bytes == bytes);
    CHECK(values[3]->bytes == "two");
    CHECK(values[4]->bytes == large);
    CHECK(value_of(store.get_many(game, {})).empty());
    CHECK(value_of(store.count(game)) == 3);
    CHECK(value_of(store.count(StoreGame::czech)) == 0);

    for (std::uint32_t i = 0; i < 3000; ++i)
        REQUIRE(value_of(store.update(StoreGame::english, key_of(i), 0, std::to_string(i))) ==
                UpdateOutcome::stored);
    std::map<std::string, int> seen;
    const auto failed =
        store.for_each(StoreGame::english, [&](const PositionKey& key, const StoredValue& value) {
            REQUIRE(key == key_of(static_cast<std::uint32_t>(std::stoul(value.bytes))));
            CHECK(value.version == 1);
            ++seen[value.bytes];
            return true;
        });
    CHECK_FALSE(failed);
    CHECK(seen.size() == 3000);
    int visits = 0;
    CHECK_FALSE(store.for_each(
        StoreGame::english, [&](const PositionKey&, const StoredValue&) { return ++visits < 10; }));
    CHECK(visits == 10);
    CHECK_FALSE(store.commit());
}

/// The same for the queue, which is empty before and after.
inline void check_queue(PositionStore& store) {
    const auto task = [](std::uint32_t number, int priority) {
        return StoreTask{StoreGame::italian, key_of(number), priority,
                         "note " + std::to_string(number)};
    };
    CHECK(value_of(store.lease(10, 60)).empty());
    for (std::uint32_t i = 0; i < 6; ++i)
        CHECK(value_of(store.push(task(i, i == 4 ? 2 : 0))) == PushOutcome::queued);
    CHECK(value_of(store.push(task(3, 0))) == PushOutcome::already_queued);
    CHECK(value_of(store.push(task(5, 1))) == PushOutcome::already_queued);  // raised
    StoreTask elsewhere = task(0, 0);
    elsewhere.game = StoreGame::czech;
    elsewhere.note = std::string("\0\r\n", 3);
    CHECK(value_of(store.push(elsewhere)) == PushOutcome::queued);
    CHECK(value_of(store.queue_size()).waiting == 7);
    CHECK(value_of(store.tasks_by_game())[static_cast<std::size_t>(StoreGame::italian)] == 6);
    CHECK(value_of(store.tasks_by_game())[static_cast<std::size_t>(StoreGame::czech)] == 1);
    CHECK(value_of(store.tasks_by_game())[static_cast<std::size_t>(StoreGame::english)] == 0);

    const std::vector<TaskLease> first = value_of(store.lease(3, 60));
    REQUIRE(first.size() == 3);
    CHECK(first[0].task.key == key_of(4));
    CHECK(first[0].task.priority == 2);
    CHECK(first[0].task.note == "note 4");
    CHECK(first[1].task.key == key_of(5));
    CHECK(first[1].task.priority == 1);
    CHECK(first[2].task.key == key_of(0));
    CHECK(first[2].task.game == StoreGame::italian);
    CHECK(first[0].id != first[1].id);
    CHECK(value_of(store.push(task(4, 0))) == PushOutcome::already_queued);
    CHECK(value_of(store.queue_size()).waiting == 4);
    CHECK(value_of(store.queue_size()).leased == 3);
    CHECK(value_of(store.tasks_by_game())[static_cast<std::size_t>(StoreGame::italian)] == 6);

    CHECK(value_of(store.complete(first[0].id)));
    CHECK_FALSE(value_of(store.complete(first[0].id)));
    CHECK_FALSE(value_of(store.complete(first[0].id ^ 0x5555)));
    CHECK(value_of(store.release(first[1].id)));
    CHECK_FALSE(value_of(store.release(first[1].id)));
    CHECK_FALSE(value_of(store.complete(first[1].id)));
    const std::vector<TaskLease> again = value_of(store.lease(1, 0.05));
    REQUIRE(again.size() == 1);
    CHECK(again[0].task.key == key_of(5));
    CHECK(again[0].id != first[1].id);
    sleep_milliseconds(80);
    // Its time is over: it waits again, before those of lower priority.
    CHECK_FALSE(value_of(store.complete(again[0].id)));
    const std::vector<TaskLease> rest = value_of(store.lease(100, 60));
    REQUIRE(rest.size() == 5);
    CHECK(rest[0].task.key == key_of(5));
    CHECK(rest[1].task.key == key_of(1));
    CHECK(rest[4].task.game == StoreGame::czech);
    CHECK(rest[4].task.note == elsewhere.note);
    for (const TaskLease& lease : rest)
        CHECK(value_of(store.complete(lease.id)));
    CHECK(value_of(store.complete(first[2].id)));
    CHECK(value_of(store.queue_size()).waiting == 0);
    CHECK(value_of(store.queue_size()).leased == 0);
    CHECK(value_of(store.push(task(4, 0))) == PushOutcome::queued);
    CHECK(value_of(store.complete(value_of(store.lease(1, 60)).at(0).id)));
}

/// Threads that count in the same few positions, each through the store it is given: every update
/// that was said to be stored is there in the end. The positions must be unused.
inline void check_concurrent_updates(const std::vector<PositionStore*>& stores, int updates) {
    constexpr std::uint32_t positions = 3;
    const StoreGame game = StoreGame::spanish;
    std::atomic<int> faults = 0;
    std::vector<std::thread> threads;
    for (PositionStore* store : stores)
        threads.emplace_back([&, store] {
            for (int i = 0; i < updates; ++i) {
                const PositionKey key = key_of(static_cast<std::uint32_t>(i) % positions);
                for (;;) {
                    const auto before = store->get(game, key);
                    if (!before) {
                        ++faults;
                        return;
                    }
                    const int number = *before ? std::stoi((*before)->bytes) : 0;
                    const auto outcome = store->update(game, key, *before ? (*before)->version : 0,
                                                       std::to_string(number + 1));
                    if (!outcome) {
                        ++faults;
                        return;
                    }
                    if (*outcome == UpdateOutcome::stored) break;
                }
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(faults == 0);
    int sum = 0;
    for (std::uint32_t i = 0; i < positions; ++i)
        sum += std::stoi(value_of(stores[0]->get(game, key_of(i)))->bytes);
    CHECK(sum == updates * static_cast<int>(stores.size()));
}

/// Threads that take tasks from one queue: each is given out once.
inline void check_concurrent_leases(const std::vector<PositionStore*>& stores, int tasks) {
    for (int i = 0; i < tasks; ++i)
        REQUIRE(value_of(stores[0]->push(
                    {StoreGame::english, key_of(static_cast<std::uint32_t>(i)), i % 3, {}})) ==
                PushOutcome::queued);
    std::atomic<int> done = 0;
    std::atomic<int> faults = 0;
    std::vector<std::thread> threads;
    for (PositionStore* store : stores)
        threads.emplace_back([&, store] {
            for (;;) {
                const auto leases = store->lease(3, 60);
                if (!leases) ++faults;
                if (!leases || leases->empty()) return;
                for (const TaskLease& lease : *leases) {
                    const auto completed = store->complete(lease.id);
                    if (!completed || !*completed) ++faults;
                    ++done;
                }
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(faults == 0);
    CHECK(done == tasks);
}

}  // namespace defiance
