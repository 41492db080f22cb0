#include "store_contract.hpp"
#include "store_files.hpp"

#ifdef __linux__
#include <fcntl.h>
#include <unistd.h>
#endif

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/base/process.hpp>
#include <defiance/base/system.hpp>
#include <tools/store/embedded_store.hpp>
#include <tools/store/grouped_store.hpp>
#include <tools/store/key_index.hpp>

#include "../base/temporary.hpp"

using namespace defiance;

#ifdef __linux__

namespace {

/// Puts something that can be neither read nor written in the place of a file that this program has
/// open, as a disk that has failed.
void disable_file(const std::string& path) {
    const int useless = ::open("/", O_PATH | O_CLOEXEC);
    REQUIRE(useless >= 0);
    int replaced = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code problem;
        if (!std::filesystem::equivalent(entry.path(), path, problem)) continue;
        REQUIRE(::dup2(useless, std::stoi(entry.path().filename())) >= 0);
        ++replaced;
    }
    ::close(useless);
    REQUIRE(replaced == 1);
}

}  // namespace

#endif

TEST_CASE("the embedded store keeps positions", "[store]") {
    const TemporaryFolder folder;
    {
        const OpenedStore store = open_in(folder.path());
        CHECK(store.warnings.empty());
        check_positions(*store.store);
    }
    const OpenedStore again = open_in(folder.path());
    CHECK(again.warnings.empty());
    CHECK(value_of(again->count(StoreGame::english)) == 3000);
    CHECK(value_of(again->count(StoreGame::russian)) == 3);
    CHECK(value_of(again->get(StoreGame::russian, key_of(1)))->bytes == "two");
    CHECK(value_of(again->get(StoreGame::russian, key_of(1)))->version == 2);
    CHECK(value_of(again->update(StoreGame::russian, key_of(1), 2, "three")) ==
          UpdateOutcome::stored);
}

TEST_CASE("threads lose no update of the embedded store", "[store]") {
    const TemporaryFolder folder;
    const OpenedStore store = open_in(folder.path());
    check_concurrent_updates(std::vector<PositionStore*>(4, store.store.get()), 500);
    check_concurrent_leases(std::vector<PositionStore*>(4, store.store.get()), 500);
}

TEST_CASE("reading, writing, waiting for the disk and compaction go on together", "[store]") {
    const TemporaryFolder folder;
    const OpenedStore store = open_in(folder.path());
    std::atomic<bool> is_over = false;
    std::atomic<int> faults = 0;
    std::vector<std::thread> threads;
    threads.emplace_back([&] {
        while (!is_over)
            if (store->compact(StoreGame::english)) ++faults;
    });
    threads.emplace_back([&] {
        while (!is_over)
            if (store->commit()) ++faults;
    });
    threads.emplace_back([&] {
        for (std::uint32_t i = 0; !is_over; i = (i + 1) % 50) {
            const auto value = store->get(StoreGame::english, key_of(i));
            if (!value || (*value && (*value)->bytes != std::to_string(i))) ++faults;
        }
    });
    for (std::uint32_t round = 0; round < 40; ++round)
        for (std::uint32_t i = 0; i < 50; ++i) {
            const auto outcome =
                store->update(StoreGame::english, key_of(i), round, std::to_string(i));
            if (!outcome || *outcome != UpdateOutcome::stored) ++faults;
        }
    is_over = true;
    for (std::thread& thread : threads)
        thread.join();
    CHECK(faults == 0);
    CHECK_FALSE(store->compact(StoreGame::english));
    // A header and fifty records: two of eight bytes, a key, a version and one or two digits.
    CHECK(store->file_size(StoreGame::english) == 16 + 50 * (8 + 16) + 10 + 40 * 2);
    CHECK(value_of(store->get(StoreGame::english, key_of(9)))->version == 40);
}

TEST_CASE("one program at a time uses a store", "[store]") {
    const TemporaryFolder folder;
    std::optional<OpenedStore> store = open_in(folder.path());
    const auto second = EmbeddedStore::open(folder.path(), [](const std::string&) {});
    REQUIRE_FALSE(second);
    CHECK(second.error().find("lock' is in use by another program") != std::string::npos);
    store.reset();
    CHECK(EmbeddedStore::open(folder.path(), [](const std::string&) {}));
    folder.write("file", "");
    CHECK_FALSE(EmbeddedStore::open(folder.path() + "/file/inner", [](const std::string&) {}));
    CHECK(EmbeddedStore::open(folder.path() + "/new/inner", [](const std::string&) {}));
}

TEST_CASE("a key index finds what was put in", "[store]") {
    KeyIndex index;
    constexpr std::uint32_t count = 200'000;
    for (std::uint32_t i = 0; i < count; ++i)
        REQUIRE(index.set(
            key_of(i), {i * std::uint64_t{1'000'003}, static_cast<std::uint16_t>(1 + i % 65535)}));
    CHECK_FALSE(index.set(key_of(5), {(std::uint64_t{1} << 48) - 1, 65535}));
    CHECK(index.size() == count);
    CHECK(index.find(key_of(5)) == RecordPlace{(std::uint64_t{1} << 48) - 1, 65535});
    for (std::uint32_t i = 6; i < count; ++i)
        REQUIRE(index.find(key_of(i)) == RecordPlace{i * std::uint64_t{1'000'003},
                                                     static_cast<std::uint16_t>(1 + i % 65535)});
    for (std::uint32_t i = count; i < 2 * count; ++i)
        REQUIRE_FALSE(index.find(key_of(i)));
    std::size_t keys = 0;
    for (std::size_t part = 0; part < KeyIndex::parts; ++part)
        keys += index.keys_of_part(part).size();
    CHECK(keys == count);
}

TEST_CASE("what a killed program has stored is there", "[store]") {
    const TemporaryFolder folder;
    const std::filesystem::path own = module_path();
    const std::string child =
        (own.parent_path() / ("store_child" + own.extension().string())).string();
    std::uint32_t acknowledged = 0;
    for (int round = 0; round < 5; ++round) {
        Process process =
            value_of(Process::start({child, folder.path(), std::to_string(acknowledged)}));
        std::string lines;
        for (int reads = 0; reads < 3 + round; ++reads)
            REQUIRE(process.read(lines, 20) == Process::Read::data);
        process.kill();
        while (process.read(lines, 5) == Process::Read::data) {
        }
        const std::size_t end = lines.rfind('\n');
        REQUIRE(end != std::string::npos);
        const std::size_t begin = lines.rfind('\n', end - 1) + 1;
        acknowledged = static_cast<std::uint32_t>(std::stoul(lines.substr(begin, end - begin))) + 1;
        const OpenedStore store = open_in(folder.path());
        CHECK(value_of(store->count(StoreGame::english)) >= acknowledged);
        for (std::uint32_t i = 0; i < acknowledged; ++i)
            REQUIRE(value_of(store->get(StoreGame::english, key_of(i))));
        // The child may have come one further than it could say.
        acknowledged = static_cast<std::uint32_t>(value_of(store->count(StoreGame::english)));
        const QueueSize queue = value_of(store->queue_size());
        CHECK(queue.waiting >= (acknowledged > 0 ? acknowledged - 1 : 0));
        CHECK(queue.waiting <= acknowledged + 1);
    }
    CHECK(acknowledged >= 20);
}

TEST_CASE("a store waits for the disk as it was told", "[store]") {
    const auto open = [](const TemporaryFolder& folder, Durability durability) {
        auto store = value_of(open_store(
            folder.path(), [](const std::string&) {}, durability));
        REQUIRE(dynamic_cast<EmbeddedStore*>(store.get()) != nullptr);
        return std::unique_ptr<EmbeddedStore>(static_cast<EmbeddedStore*>(store.release()));
    };
    constexpr int longer_than_a_group = 600;  // milliseconds
    {
        const TemporaryFolder folder;
        const auto store = open(folder, Durability::sync);
        for (std::uint32_t i = 0; i < 20; ++i) {
            REQUIRE(value_of(store->update(StoreGame::english, key_of(i), 0, "x")) ==
                    UpdateOutcome::stored);
            CHECK(store->changes_not_on_disk() == 0);
            REQUIRE(value_of(store->push({StoreGame::english, key_of(i), 0, {}})) ==
                    PushOutcome::queued);
            CHECK(store->changes_not_on_disk() == 0);
            REQUIRE(value_of(store->complete(value_of(store->lease(1, 60)).at(0).id)));
            CHECK(store->changes_not_on_disk() == 0);
        }
    }
    {
        const TemporaryFolder folder;
        const auto store = open(folder, Durability::os);
        REQUIRE(store->update(StoreGame::english, key_of(1), 0, "x"));
        REQUIRE(store->push({StoreGame::english, key_of(1), 0, {}}));
        sleep_milliseconds(longer_than_a_group);
        CHECK(store->changes_not_on_disk() == 2);
        CHECK_FALSE(store->commit());
        CHECK(store->changes_not_on_disk() == 0);
        REQUIRE(store->update(StoreGame::english, key_of(2), 0, "x"));
        REQUIRE(value_of(store->complete(value_of(store->lease(1, 60)).at(0).id)));
        CHECK(store->changes_not_on_disk() == 2);
    }
    const TemporaryFolder folder;
    const auto store = open(folder, Durability::group);
    // The first may come just before the end of a fifth of a second.
    int waited_on = 0;
    for (std::uint32_t i = 0; i < 10; ++i) {
        REQUIRE(store->update(StoreGame::english, key_of(i), 0, "x"));
        waited_on += store->changes_not_on_disk() == 0 ? 1 : 0;
    }
    CHECK(waited_on < 10);
    // A task is done when the disk has what was found.
    for (std::uint32_t i = 0; i < 10; ++i) {
        REQUIRE(value_of(store->push({StoreGame::english, key_of(i), 0, {}})) ==
                PushOutcome::queued);
        REQUIRE(store->update(StoreGame::czech, key_of(i), 0, "x"));
        REQUIRE(value_of(store->complete(value_of(store->lease(1, 60)).at(0).id)));
        CHECK(store->changes_not_on_disk() <= 1);
    }
    for (int i = 0; i < 1000 && store->changes_not_on_disk() != 0; ++i)
        sleep_milliseconds(20);
    CHECK(store->changes_not_on_disk() == 0);
}

#ifdef __linux__

TEST_CASE("a store tells that its disk has failed", "[store]") {
    const TemporaryFolder folder;
    const auto store = value_of(EmbeddedStore::open(
        folder.path(), [](const std::string&) {}, Durability::os));
    REQUIRE(store->update(StoreGame::english, key_of(1), 0, "x"));
    CHECK_FALSE(store->failure());
    SECTION("when it takes nothing more") {
        disable_file(EmbeddedStore::path_in(folder.path(), StoreGame::english));
        CHECK(store->commit());
    }
    SECTION("or what was written in part cannot be taken away") {
        disable_file(EmbeddedStore::path_in(folder.path(), StoreGame::english));
        CHECK_FALSE(store->update(StoreGame::english, key_of(2), 0, "x"));
    }
    SECTION("or the queue cannot be written") {
        disable_file(folder.path() + "/queue.ckdb");
        CHECK_FALSE(store->push({StoreGame::english, key_of(2), 0, {}}));
    }
    CHECK(store->failure());
    // Also by a view of it.
    const auto view = value_of(GroupedStore::open(*store, folder.path() + "/journal"));
    CHECK(view->failure());
    CHECK(value_of(store->count(StoreGame::english)) == 1);
}

#endif

TEST_CASE("threads may share a store that waits for the disk", "[store]") {
    const TemporaryFolder folder;
    const auto store = value_of(EmbeddedStore::open(
        folder.path(), [](const std::string&) {}, Durability::sync));
    check_concurrent_updates(std::vector<PositionStore*>(4, store.get()), 20);
    CHECK(store->changes_not_on_disk() == 0);
}

TEST_CASE("a compaction that is stopped leaves the file as it was", "[store]") {
    const TemporaryFolder folder;
    const std::string path = EmbeddedStore::path_in(folder.path(), StoreGame::english);
    const std::string whole = filled_file(folder.path(), 30);
    const OpenedStore store = open_in(folder.path());
    REQUIRE(store->update(StoreGame::english, key_of(3), 1, "another value"));
    const std::uint64_t size = store->file_size(StoreGame::english);
    const auto stopped =
        store->compact(StoreGame::english, [](std::uint64_t done) { return done < 20; });
    REQUIRE(stopped);
    CHECK(stopped->text == "stopped");
    CHECK(store->file_size(StoreGame::english) == size);
    CHECK_FALSE(file_exists(path + ".new"));
    CHECK(value_of(store->get(StoreGame::english, key_of(3)))->bytes == "another value");
    CHECK_FALSE(store->compact(StoreGame::english, [](std::uint64_t) { return true; }));
    CHECK(store->file_size(StoreGame::english) < size);
    CHECK(value_of(store->get(StoreGame::english, key_of(3)))->bytes == "another value");
}

TEST_CASE("a compaction that cannot replace the file leaves nothing beside it", "[store]") {
    constexpr std::uint32_t positions = 30;
    const TemporaryFolder folder;
    const std::string path = EmbeddedStore::path_in(folder.path(), StoreGame::english);
    filled_file(folder.path(), positions);
    const OpenedStore store = open_in(folder.path());
    // Windows replaces no file that is open, and other systems replace none by a folder.
    const std::ifstream reader(path, std::ios::binary);
    const auto error = store->compact(StoreGame::english, [&](std::uint64_t written) {
        std::error_code ignored;
        if (written + 1 < positions) return true;
        std::filesystem::remove(path + ".new", ignored);
        std::filesystem::create_directory(path + ".new", ignored);
        return true;
    });
    REQUIRE(error);
    CHECK(error->text.starts_with(
        "the file of this game is not safely replaced by a smaller one: the file '" + path));
    CHECK_FALSE(std::filesystem::exists(path + ".new"));
    CHECK(value_of(store->get(StoreGame::english, key_of(3)))->bytes == "value of 3");
}

TEST_CASE("what a killed compaction has left goes when the store is opened", "[store]") {
    const TemporaryFolder folder;
    const std::string path = EmbeddedStore::path_in(folder.path(), StoreGame::english);
    const std::string empty = EmbeddedStore::path_in(folder.path(), StoreGame::czech);
    const std::string whole = filled_file(folder.path(), 3);
    const auto open_with_parts = [&](const std::string& content) {
        set_content(path, content);
        set_content(path + ".new", "part");
        set_content(empty + ".new", "part");
        const OpenedStore store = open_in(folder.path());
        CHECK(value_of(store->count(StoreGame::english)) > 0);
    };
    open_with_parts(whole);
    CHECK_FALSE(file_exists(path + ".new"));
    // Where the file has lost something, this may be all there is.
    CHECK(file_exists(empty + ".new"));
    open_with_parts(whole.substr(0, whole.size() - 1));
    CHECK(file_exists(path + ".new"));
}
