// What the embedded store makes of files that were cut, damaged or changed by others.

#include "store_contract.hpp"
#include "store_files.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/random.hpp>
#include <tools/store/embedded_store.hpp>
#include <tools/store/record_log.hpp>

#include "../base/temporary.hpp"

using namespace defiance;

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
