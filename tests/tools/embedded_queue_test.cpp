#include "store_contract.hpp"
#include "store_files.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>

#include <defiance/base/file.hpp>
#include <tools/store/queue_file.hpp>

#include "../base/temporary.hpp"

using namespace defiance;

TEST_CASE("the embedded store keeps a queue", "[store]") {
    const TemporaryFolder folder;
    {
        const OpenedStore store = open_in(folder.path());
        check_queue(*store.store);
        CHECK(value_of(store->push({StoreGame::czech, key_of(1), 0, "a"})) == PushOutcome::queued);
        CHECK(value_of(store->push({StoreGame::czech, key_of(2), 1, "b"})) == PushOutcome::queued);
        CHECK(value_of(store->push({StoreGame::czech, key_of(3), 0, "c"})) == PushOutcome::queued);
        CHECK(value_of(store->push({StoreGame::czech, key_of(3), 9, "c"})) ==
              PushOutcome::already_queued);
        CHECK(value_of(store->lease(1, 60)).at(0).task.key == key_of(3));
    }
    const OpenedStore again = open_in(folder.path());
    CHECK(value_of(again->queue_size()).waiting == 3);
    const auto leases = value_of(again->lease(3, 60));
    REQUIRE(leases.size() == 3);
    CHECK(leases[0].task.key == key_of(3));
    CHECK(leases[1].task.note == "b");
}

TEST_CASE("a queue file does not grow for ever", "[store]") {
    const TemporaryFolder folder;
    LogReport report;
    const std::string path = folder.path() + "/queue.ckdb";
    {
        const auto queue = value_of(QueueFile::open(path, report));
        CHECK(value_of(queue->push({StoreGame::english, key_of(7), 3, "stays"})) ==
              PushOutcome::queued);
        for (std::uint32_t i = 0; i < 6'000; ++i) {
            REQUIRE(queue->push({StoreGame::english, key_of(8), 9, "goes"}));
            REQUIRE(value_of(queue->complete(queue->lease(1, 60).at(0).id)));
        }
    }
    CHECK(std::filesystem::file_size(path) < 11'000 * 30);
    const auto queue = value_of(QueueFile::open(path, report));
    CHECK(report.records < 10'100);
    CHECK(queue->size().waiting == 1);
    CHECK(queue->lease(2, 60).at(0).task.note == "stays");
}

TEST_CASE("a queue goes on while its file cannot be written anew", "[store]") {
    const TemporaryFolder folder;
    LogReport report;
    const std::string path = folder.path() + "/queue.ckdb";
    // A folder that is not empty is in the way.
    std::filesystem::create_directories(path + ".new/x");
    const auto queue = value_of(QueueFile::open(path, report));
    std::uintmax_t largest = 0;
    const auto push_and_complete = [&](int times) {
        for (int i = 0; i < times; ++i) {
            REQUIRE(queue->push({StoreGame::english, key_of(8), 9, "goes"}));
            REQUIRE(value_of(queue->complete(queue->lease(1, 60).at(0).id)));
            largest = std::max(largest, std::filesystem::file_size(path));
        }
    };
    CHECK(value_of(queue->push({StoreGame::english, key_of(7), 3, "stays"})) ==
          PushOutcome::queued);
    push_and_complete(5'500);
    CHECK_FALSE(queue->sync());
    std::filesystem::remove_all(path + ".new");
    push_and_complete(5'500);
    CHECK(std::filesystem::file_size(path) < largest / 2);
    CHECK_FALSE(file_exists(path + ".new"));
    CHECK(queue->size().waiting == 1);
    CHECK_FALSE(queue->sync());
}

#ifndef _WIN32
TEST_CASE("a queue gets its file again when that was lost", "[store]") {
    const TemporaryFolder folder;
    LogReport report;
    const std::string path = folder.path() + "/queue.ckdb";
    const auto queue = value_of(QueueFile::open(path, report));
    REQUIRE(queue->push({StoreGame::english, key_of(7), 3, "stays"}));
    const auto push_and_complete = [&] {
        return queue->push({StoreGame::english, key_of(8), 9, "goes"}) &&
               queue->complete(queue->lease(1, 60).at(0).id);
    };
    for (int i = 0; i < 4'900; ++i)
        REQUIRE(push_and_complete());
    // When it is to be written anew, the file can be neither replaced nor opened again.
    std::filesystem::remove(path);
    std::filesystem::create_directories(path + "/x");
    int done = 0;
    while (done < 1'000 && push_and_complete())
        ++done;
    CHECK(done < 1'000);
    // The disk has what was accepted, and the rest of the store goes on.
    CHECK_FALSE(queue->sync());
    CHECK_FALSE(file_exists(path + ".new"));
    std::filesystem::remove_all(path);
    CHECK(queue->push({StoreGame::english, key_of(9), 1, "again"}));
    const QueueSize size = queue->size();
    CHECK(size.waiting + size.leased >= 2);
    CHECK(value_of(QueueFile::open(path, report))->size().waiting == size.waiting + size.leased);
}
#endif
