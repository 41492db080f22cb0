#include "store_contract.hpp"

#include <memory>
#include <string>

#include <defiance/base/file.hpp>
#include <tools/store/byte_codec.hpp>
#include <tools/store/embedded_store.hpp>
#include <tools/store/grouped_store.hpp>
#include <tools/store/record_log.hpp>

#include "../base/temporary.hpp"

using namespace defiance;

namespace {

constexpr std::uint32_t group_size = 5;

std::unique_ptr<EmbeddedStore> plain_store_in(const TemporaryFolder& folder) {
    return value_of(EmbeddedStore::open(folder.path(), [](const std::string&) {}));
}

std::unique_ptr<GroupedStore> grouped(PositionStore& store, const TemporaryFolder& folder) {
    return value_of(GroupedStore::open(store, folder.path() + "/journal"));
}

/// A store with two old values, of positions 0 and 1.
void fill(PositionStore& store) {
    for (std::uint32_t i = 0; i < 2; ++i)
        REQUIRE(value_of(store.update(StoreGame::czech, key_of(i), 0, "old")) ==
                UpdateOutcome::stored);
}

/// Updates positions 0 to 4, the first one twice, without ending the group.
void update_group(PositionStore& store) {
    for (std::uint32_t i = 0; i < group_size; ++i)
        REQUIRE(value_of(store.update(StoreGame::czech, key_of(i), i < 2 ? 1 : 0, "new")) ==
                UpdateOutcome::stored);
    REQUIRE(value_of(store.update(StoreGame::czech, key_of(0), 2, "newest")) ==
            UpdateOutcome::stored);
}

bool has_group(PositionStore& store) {
    for (std::uint32_t i = 0; i < group_size; ++i) {
        const auto value = value_of(store.get(StoreGame::czech, key_of(i)));
        if (!value || value->bytes != (i == 0 ? "newest" : "new")) return false;
    }
    return true;
}

bool has_none_of_group(PositionStore& store) {
    for (std::uint32_t i = 0; i < group_size; ++i) {
        const auto value = value_of(store.get(StoreGame::czech, key_of(i)));
        if (i < 2 ? value->bytes != "old" : value.has_value()) return false;
    }
    return true;
}

/// A store that fails after so many updates; only what a group uses of it works at all.
class FailingStore : public PositionStore {
public:
    FailingStore(PositionStore& store, std::uint32_t updates) : store_(store), left_(updates) {}

    Result<std::optional<StoredValue>> get(StoreGame game, const PositionKey& key) override {
        return store_.get(game, key);
    }
    Result<UpdateOutcome> update(StoreGame game, const PositionKey& key, std::uint32_t expected,
                                 std::string_view value) override {
        if (left_ == 0) return no_answer();
        --left_;
        return store_.update(game, key, expected, value);
    }
    Result<std::vector<std::optional<StoredValue>>> get_many(
        StoreGame, std::span<const PositionKey>) override {
        return no_answer();
    }
    Result<std::uint64_t> count(StoreGame) override { return no_answer(); }
    std::optional<Error> for_each(StoreGame, const Visit&) override { return no_answer(); }
    std::optional<Error> commit() override { return no_answer(); }
    Result<PushOutcome> push(const StoreTask&) override { return no_answer(); }
    Result<std::vector<TaskLease>> lease(int, double) override { return no_answer(); }
    Result<bool> complete(std::uint64_t) override { return no_answer(); }
    Result<bool> release(std::uint64_t) override { return no_answer(); }
    Result<QueueSize> queue_size() override { return no_answer(); }
    Result<TasksByGame> tasks_by_game() override { return no_answer(); }

private:
    static Error no_answer() { return Error{"the store has failed"}; }

    PositionStore& store_;
    std::uint32_t left_;
};

/// Ends a group that the store takes only so many updates of, as if the program had been killed
/// there; its journal stays.
void end_group_in_vain(PositionStore& store, const TemporaryFolder& folder, std::uint32_t updates) {
    FailingStore failing(store, updates);
    const auto group = grouped(failing, folder);
    update_group(*group);
    REQUIRE_FALSE(group->end_group());
}

}  // namespace

TEST_CASE("a group of updates is seen at once and made at its end", "[store][group]") {
    const TemporaryFolder folder;
    const auto store = plain_store_in(folder);
    fill(*store);
    const auto group = grouped(*store, folder);
    update_group(*group);
    CHECK(has_group(*group));
    CHECK(has_none_of_group(*store));
    const std::vector<PositionKey> keys = {key_of(7), key_of(0), key_of(4)};
    const auto values = value_of(group->get_many(StoreGame::czech, keys));
    CHECK_FALSE(values[0]);
    CHECK(values[1]->bytes == "newest");
    CHECK(values[1]->version == 3);
    CHECK(values[2]->bytes == "new");
    CHECK(value_of(group->update(StoreGame::czech, key_of(0), 1, "late")) ==
          UpdateOutcome::conflict);
    CHECK(value_of(group->end_group()));
    CHECK(has_group(*store));
    CHECK(value_of(store->get(StoreGame::czech, key_of(0)))->version == 2);
    CHECK(value_of(group->end_group()));
}

TEST_CASE("a group that was interrupted is made up for", "[store][group]") {
    for (std::uint32_t updates = 0; updates < group_size; ++updates) {
        const TemporaryFolder folder;
        const auto store = plain_store_in(folder);
        fill(*store);
        end_group_in_vain(*store, folder, updates);
        CHECK_FALSE(has_group(*store));
        const auto after = grouped(*store, folder);
        CHECK(has_group(*store));
        // It is made up for once only.
        REQUIRE(value_of(after->update(StoreGame::czech, key_of(1), 2, "next")) ==
                UpdateOutcome::stored);
        REQUIRE(value_of(after->end_group()));
        const auto last = value_of(GroupedStore::open(*store, folder.path() + "/other"));
        CHECK(value_of(last->get(StoreGame::czech, key_of(1)))->bytes == "next");
    }
}

TEST_CASE("what others have stored since a group was interrupted stays", "[store][group]") {
    for (std::uint32_t updates = 0; updates < group_size; ++updates)
        for (std::uint32_t changed = 0; changed < group_size; ++changed) {
            INFO("position " << changed << " changed after " << updates << " updates");
            const TemporaryFolder folder;
            const auto store = plain_store_in(folder);
            fill(*store);
            end_group_in_vain(*store, folder, updates);
            const auto before = value_of(store->get(StoreGame::czech, key_of(changed)));
            REQUIRE(value_of(store->update(StoreGame::czech, key_of(changed),
                                           before ? before->version : 0, "theirs")) ==
                    UpdateOutcome::stored);
            const auto after = grouped(*store, folder);
            for (std::uint32_t i = 0; i < group_size; ++i) {
                const auto value = value_of(store->get(StoreGame::czech, key_of(i)));
                REQUIRE(value);
                const std::string ours = i == 0 ? "newest" : "new";
                CHECK(value->bytes == (i == changed ? "theirs" : ours));
            }
        }
}

TEST_CASE("a journal without versions takes nothing away", "[store][group]") {
    const TemporaryFolder folder;
    const auto store = plain_store_in(folder);
    fill(*store);
    const std::string journal = folder.path() + "/journal";
    {
        LogReport report;
        RecordLog log = value_of(RecordLog::open(
            journal, "GRP1", [](std::uint64_t, std::string_view) {}, report));
        for (std::uint32_t i = 1; i < group_size; ++i) {
            std::string record(1, static_cast<char>(StoreGame::czech));
            append_key(record, key_of(i));
            REQUIRE(log.append(record + "new"));
        }
        REQUIRE(log.append("end"));
    }
    const auto group = grouped(*store, folder);
    CHECK(value_of(store->get(StoreGame::czech, key_of(1)))->bytes == "old");
    for (std::uint32_t i = 2; i < group_size; ++i)
        CHECK(value_of(store->get(StoreGame::czech, key_of(i)))->bytes == "new");
}

TEST_CASE("a journal that was not finished counts for nothing", "[store][group]") {
    std::string journal;
    {
        const TemporaryFolder folder;
        const auto store = plain_store_in(folder);
        fill(*store);
        end_group_in_vain(*store, folder, 0);
        journal = value_of(read_file(folder.path() + "/journal"));
    }
    const TemporaryFolder folder;
    const auto store = plain_store_in(folder);
    fill(*store);
    for (std::size_t bytes = 0; bytes < journal.size(); ++bytes) {
        folder.write("journal", journal.substr(0, bytes));
        const auto group = grouped(*store, folder);
        CHECK(has_none_of_group(*group));
    }
    for (std::size_t at = 0; at < journal.size(); ++at) {
        std::string damaged = journal;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        folder.write("journal", damaged);
        const auto group = GroupedStore::open(*store, folder.path() + "/journal");
        if (!group) CHECK_THAT(group.error(), Catch::Contains("journal"));
        CHECK(has_none_of_group(*store));
    }
    folder.write("journal", journal);
    const auto group = grouped(*store, folder);
    CHECK(has_group(*store));
}

TEST_CASE("a group stops where another program has changed a position", "[store][group]") {
    const TemporaryFolder folder;
    const auto store = plain_store_in(folder);
    fill(*store);
    const auto group = grouped(*store, folder);
    update_group(*group);
    REQUIRE(value_of(store->update(StoreGame::czech, key_of(1), 1, "theirs")) ==
            UpdateOutcome::stored);
    CHECK_FALSE(value_of(group->end_group()));
    CHECK(value_of(group->get(StoreGame::czech, key_of(1)))->bytes == "theirs");
    // Nothing of the group comes back.
    const auto after = value_of(GroupedStore::open(*store, folder.path() + "/other"));
    CHECK(value_of(after->get(StoreGame::czech, key_of(1)))->bytes == "theirs");
}

TEST_CASE("a grouped store passes on what is no update", "[store][group]") {
    const TemporaryFolder folder;
    const auto store = plain_store_in(folder);
    const auto group = grouped(*store, folder);
    check_queue(*group);
    fill(*store);
    CHECK(value_of(group->count(StoreGame::czech)) == 2);
    int visits = 0;
    CHECK_FALSE(group->for_each(
        StoreGame::czech, [&](const PositionKey&, const StoredValue&) { return ++visits < 10; }));
    CHECK(visits == 2);
    CHECK_FALSE(group->commit());
}
