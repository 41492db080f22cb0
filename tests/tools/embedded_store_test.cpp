#include "store_contract.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/base/process.hpp>
#include <defiance/base/random.hpp>
#include <defiance/base/system.hpp>
#include <tools/store/byte_codec.hpp>
#include <tools/store/embedded_store.hpp>
#include <tools/store/key_index.hpp>
#include <tools/store/record_log.hpp>

#include "../base/temporary.hpp"

using namespace defiance;

namespace {

/// A store in a folder, and what it warned of when it was opened.
struct OpenedStore {
    std::unique_ptr<EmbeddedStore> store;
    std::vector<std::string> warnings;

    EmbeddedStore* operator->() const { return store.get(); }
};

OpenedStore open_in(const std::string& folder) {
    OpenedStore opened;
    opened.store = value_of(EmbeddedStore::open(
        folder, [&](const std::string& line) { opened.warnings.push_back(line); }));
    return opened;
}

std::string stored_bytes(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void set_content(const std::string& path, const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

/// A store with some positions and what is in its file of the English game.
std::string filled_file(const std::string& folder, std::uint32_t positions) {
    {
        const OpenedStore store = open_in(folder);
        for (std::uint32_t i = 0; i < positions; ++i)
            REQUIRE(value_of(store->update(StoreGame::english, key_of(i), 0,
                                           "value of " + std::to_string(i))) ==
                    UpdateOutcome::stored);
    }
    return stored_bytes(EmbeddedStore::path_in(folder, StoreGame::english));
}

}  // namespace

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
    CHECK_FALSE(EmbeddedStore::open(folder.path() + "/no/such/parent", [](const std::string&) {}));
}

TEST_CASE("a write that was not finished is cut off", "[store]") {
    const TemporaryFolder folder;
    const std::string path = EmbeddedStore::path_in(folder.path(), StoreGame::english);
    const std::string whole = filled_file(folder.path(), 3);
    const std::size_t record = 8 + 16 + 10;
    REQUIRE(whole.size() == 16 + 3 * record);
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        set_content(path, whole.substr(0, size));
        const OpenedStore store = open_in(folder.path());
        const std::size_t records = size < 16 ? 0 : (size - 16) / record;
        const std::size_t torn = size < 16 ? 0 : (size - 16) % record;
        REQUIRE(value_of(store->count(StoreGame::english)) == records);
        REQUIRE(store.warnings.size() == (torn > 0 ? 1 : 0));
        if (torn > 0)
            CHECK(store.warnings[0] == "the file '" + path + "' ends in " + std::to_string(torn) +
                                           " bytes of an unfinished write");
        REQUIRE(std::filesystem::file_size(path) == 16 + records * record);
        REQUIRE(value_of(store->update(StoreGame::english, key_of(9), 0, "new")) ==
                UpdateOutcome::stored);
        REQUIRE(value_of(store->get(StoreGame::english, key_of(9)))->bytes == "new");
    }
}

TEST_CASE("damage in the middle loses what is damaged only", "[store]") {
    const TemporaryFolder folder;
    const std::string path = EmbeddedStore::path_in(folder.path(), StoreGame::english);
    const std::string whole = filled_file(folder.path(), 3);
    const std::size_t record = 8 + 16 + 10;
    for (std::size_t at = 16 + record; at < 16 + 2 * record; ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        set_content(path, damaged);
        const auto found = value_of(verify_positions(folder.path(), StoreGame::english));
        REQUIRE(found);
        CHECK(found->positions == 2);
        CHECK(found->report.damaged_bytes == record);
        CHECK(stored_bytes(path) == damaged);
        const OpenedStore store = open_in(folder.path());
        REQUIRE(store.warnings.size() == 1);
        CHECK(store.warnings[0] == "the file '" + path + "' is damaged; 34 bytes were passed over");
        CHECK(value_of(store->count(StoreGame::english)) == 2);
        CHECK(value_of(store->get(StoreGame::english, key_of(2)))->bytes == "value of 2");
        CHECK_FALSE(value_of(store->get(StoreGame::english, key_of(1))));
        CHECK_FALSE(store->compact(StoreGame::english));
        CHECK(store->file_size(StoreGame::english) == 16 + 2 * record);
    }
}

TEST_CASE("a file of something else is refused", "[store]") {
    const TemporaryFolder folder;
    const std::string path = EmbeddedStore::path_in(folder.path(), StoreGame::english);
    const std::string whole = filled_file(folder.path(), 1);
    const auto refusal = [&](const std::string& content) {
        set_content(path, content);
        const auto store = EmbeddedStore::open(folder.path(), [](const std::string&) {});
        CHECK(stored_bytes(path) == content);
        return store ? "" : store.error();
    };
    CHECK(refusal("[Event \"a\"] 1. 11-15 *") == "the file '" + path + "' is no file of a store");
    CHECK(refusal("x") == "the file '" + path + "' is no file of a store");
    const std::string wrong =
        "the file '" + path + "' is of another game or version, or its beginning is damaged";
    std::string other = whole;
    other[9] = '3';
    CHECK(refusal(other) == wrong);
    CHECK(refusal(stored_bytes(EmbeddedStore::path_in(folder.path(), StoreGame::czech))) == wrong);
    CHECK_FALSE(verify_positions(folder.path(), StoreGame::english));
}

TEST_CASE("a file that others change is an error, not a wrong value", "[store]") {
    const TemporaryFolder folder;
    const std::string path = EmbeddedStore::path_in(folder.path(), StoreGame::english);
    filled_file(folder.path(), 2);
    const OpenedStore store = open_in(folder.path());
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    if (!file) return;  // Windows lets nobody write
    file.seekp(16 + 30);
    file.put('X');
    file.close();
    const auto value = store->get(StoreGame::english, key_of(0));
    REQUIRE_FALSE(value);
    CHECK(value.error() == "the file '" + path + "' is damaged at byte 16");
    CHECK_FALSE(store->update(StoreGame::english, key_of(0), 1, "x"));
    CHECK(store->get(StoreGame::english, key_of(1)));
    CHECK(store->compact(StoreGame::english));
    CHECK(store->get(StoreGame::english, key_of(1)));
}

TEST_CASE("mutated files are refused or cut, and what is left is sound", "[store]") {
    const TemporaryFolder folder;
    const std::string path = EmbeddedStore::path_in(folder.path(), StoreGame::english);
    const std::string whole = filled_file(folder.path(), 40);
    Random random(11);
    int opened = 0;
    for (int i = 0; i < 150; ++i) {
        std::string content = whole;
        for (std::uint64_t changes = 1 + random.below(6U); changes > 0; --changes) {
            if (content.empty()) content = whole;
            const std::size_t at = random.below(content.size());
            switch (random.below(4)) {
                case 0:
                    content[at] = static_cast<char>(random.below(256));
                    break;
                case 1:
                    content.erase(at, 1 + random.below(60U));
                    break;
                case 2:
                    content.insert(at, content.substr(random.below(content.size()), 50));
                    break;
                default:
                    content.resize(at + 1);
                    break;
            }
        }
        set_content(path, content);
        std::vector<std::string> warnings;
        auto store = EmbeddedStore::open(
            folder.path(), [&](const std::string& line) { warnings.push_back(line); });
        REQUIRE(warnings.size() <= 1);
        if (!store) continue;
        ++opened;
        CHECK_FALSE((*store)->for_each(
            StoreGame::english, [](const PositionKey& key, const StoredValue& value) {
                const auto number = static_cast<std::uint32_t>(std::stoul(value.bytes.substr(9)));
                CHECK(key == key_of(number));
                return true;
            }));
    }
    CHECK(opened > 75);
}

TEST_CASE("a file full of records that are none is given up", "[store]") {
    const TemporaryFolder folder;
    const std::string path = EmbeddedStore::path_in(folder.path(), StoreGame::english);
    const std::string whole = filled_file(folder.path(), 1);
    std::string content = whole;
    while (content.size() < (1 << 18))
        content += std::string("DR\xFF\x7F", 4);
    set_content(path, content);
    const auto store = EmbeddedStore::open(folder.path(), [](const std::string&) {});
    REQUIRE_FALSE(store);
    CHECK(store.error() == "the file '" + path + "' is damaged in too many places");
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
    for (int i = 0; i < 1000 && store->changes_not_on_disk() != 0; ++i)
        sleep_milliseconds(20);
    CHECK(store->changes_not_on_disk() == 0);
}

TEST_CASE("threads may share a store that waits for the disk", "[store]") {
    const TemporaryFolder folder;
    const auto store = value_of(EmbeddedStore::open(
        folder.path(), [](const std::string&) {}, Durability::sync));
    check_concurrent_updates(std::vector<PositionStore*>(4, store.get()), 20);
    CHECK(store->changes_not_on_disk() == 0);
}

TEST_CASE("every value and every task of a file is looked at", "[store]") {
    const TemporaryFolder folder;
    CHECK_FALSE(value_of(verify_positions(folder.path(), StoreGame::english)));
    CHECK_FALSE(value_of(verify_queue(folder.path())));
    {
        const OpenedStore store = open_in(folder.path());
        for (const std::string value : {"one", "two"})
            REQUIRE(store->update(StoreGame::english, key_of(1), value == "one" ? 0 : 1, value));
        REQUIRE(store->update(StoreGame::english, key_of(2), 0, "three"));
        REQUIRE(store->push({StoreGame::czech, key_of(1), 0, "a"}));
        REQUIRE(store->push({StoreGame::czech, key_of(2), 0, "b"}));
        REQUIRE(value_of(store->complete(value_of(store->lease(1, 60)).at(0).id)));
    }
    std::vector<std::string> values;
    std::uint64_t last = 0;
    const auto visit = [&](const PositionKey& key, std::string_view value, std::uint64_t bytes) {
        CHECK(key == key_of(value == "three" ? 2 : 1));
        CHECK(bytes > last);
        last = bytes;
        values.emplace_back(value);
    };
    const auto found = value_of(verify_positions(folder.path(), StoreGame::english, visit));
    REQUIRE(found);
    CHECK(values == std::vector<std::string>{"one", "two", "three"});
    CHECK(found->positions == 2);
    CHECK(found->report.records == 3);
    CHECK(found->report.damaged_bytes == 0);
    const auto queue = value_of(verify_queue(folder.path()));
    REQUIRE(queue);
    CHECK(queue->positions == 1);
    CHECK(queue->report.records == 3);
    CHECK(queue->report.damaged_bytes == 0);

    // A record that is sound, but of nothing that such a file has.
    LogReport report;
    for (const auto& [name, kind] :
         {std::pair("english.ckdb", "P001"), std::pair("queue.ckdb", "Q001")}) {
        auto log = RecordLog::open(
            folder.path() + "/" + name, kind, [](std::uint64_t, std::string_view) {}, report);
        REQUIRE(log);
        RecordLog opened = *std::move(log);
        REQUIRE(opened.append("strange"));
    }
    CHECK(value_of(verify_positions(folder.path(), StoreGame::english))->report.damaged_bytes == 7);
    CHECK(value_of(verify_queue(folder.path()))->report.damaged_bytes == 7);
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
