#include <tools/store/grouped_store.hpp>

#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <tools/store/byte_codec.hpp>

namespace defiance {
namespace {

constexpr std::string_view journal_kind = "GRP1";

/// The record that ends a group; the others are a game, a key, the version of the position that the
/// update expects, and a value.
constexpr std::string_view end_of_group = "end";
/// Set in the byte of the game where there is a version; journals of earlier programs have none.
constexpr unsigned version_mark = 0x80;
constexpr std::size_t version_offset = 1 + position_key_bytes;
constexpr std::size_t bytes_of_version = 4;

struct JournalUpdate {
    GamePosition name;
    std::uint32_t expected = 0;
    std::string value;
};

std::string record_of(const JournalUpdate& update) {
    std::string record(1,
                       static_cast<char>(static_cast<unsigned>(update.name.game) | version_mark));
    append_key(record, update.name.key);
    append_little_endian(record, update.expected, bytes_of_version);
    return record.append(update.value);
}

/// Nothing when no writer of a journal has made the record.
std::optional<JournalUpdate> read_update(std::string_view record) {
    const unsigned first = static_cast<unsigned char>(record[0]);
    const bool has_version = (first & version_mark) != 0;
    const std::size_t header = version_offset + (has_version ? bytes_of_version : 0);
    if (record.size() <= header || record.size() > header + max_stored_value) return std::nullopt;
    const unsigned game = first & ~version_mark;
    if (game >= store_game_names.size()) return std::nullopt;
    JournalUpdate update{
        {static_cast<StoreGame>(game), key_at(record, 1)}, 0, std::string(record.substr(header))};
    // Without a version it cannot be told whether the value of a position is newer than the
    // journal. Then 0 is expected, so that only positions without a value get one.
    if (has_version)
        update.expected =
            static_cast<std::uint32_t>(little_endian_at(record, version_offset, bytes_of_version));
    return update;
}

/// Makes the updates of a group whose positions have not changed since. The others are in the store
/// already, or somebody has stored something newer, which must stay.
std::optional<Error> make_up_for(PositionStore& store, const std::vector<JournalUpdate>& group) {
    for (const JournalUpdate& update : group) {
        const auto outcome =
            store.update(update.name.game, update.name.key, update.expected, update.value);
        if (!outcome) return Error{outcome.error()};
    }
    return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<GroupedStore>> GroupedStore::open(PositionStore& store,
                                                         const std::string& journal) {
    std::vector<JournalUpdate> group;
    bool is_complete = false;
    bool is_sound = true;
    LogReport report;
    Result<RecordLog> opened = RecordLog::open(
        journal, journal_kind,
        [&](std::uint64_t, std::string_view record) {
            is_complete = record == end_of_group;
            if (is_complete) return;
            if (auto update = read_update(record))
                group.push_back(*std::move(update));
            else
                is_sound = false;
        },
        report);
    if (!opened) return Error{opened.error()};
    RecordLog log = *std::move(opened);
    if (!is_sound || report.damaged_bytes > 0) return file_error(journal, "is damaged");
    if (is_complete)
        if (auto error = make_up_for(store, group)) return *std::move(error);
    if (!log.clear()) return file_error(journal, "cannot be written");
    return std::unique_ptr<GroupedStore>(new GroupedStore(store, std::move(log)));
}

std::optional<Error> GroupedStore::write_journal() {
    for (const auto& [name, pending] : pending_) {
        const auto written =
            journal_.append(record_of({name, pending.version_in_store, pending.value.bytes}));
        if (!written) return Error{written.error()};
    }
    const auto ended = journal_.append(end_of_group);
    if (!ended) return Error{ended.error()};
    return std::nullopt;
}

Result<bool> GroupedStore::end_group() {
    if (pending_.empty()) return true;
    if (auto error = write_journal()) return *std::move(error);
    bool is_alone = true;
    for (const auto& [name, pending] : pending_) {
        const auto outcome =
            store_.update(name.game, name.key, pending.version_in_store, pending.value.bytes);
        if (!outcome) return Error{outcome.error()};
        is_alone = *outcome == UpdateOutcome::stored;
        if (!is_alone) break;
    }
    pending_.clear();
    if (!journal_.clear()) return file_error(journal_.path(), "cannot be written");
    return is_alone;
}

Result<std::optional<StoredValue>> GroupedStore::get(StoreGame game, const PositionKey& key) {
    const auto found = pending_.find({game, key});
    if (found != pending_.end()) return std::optional(found->second.value);
    return store_.get(game, key);
}

Result<std::vector<std::optional<StoredValue>>> GroupedStore::get_many(
    StoreGame game, std::span<const PositionKey> keys) {
    auto stored = store_.get_many(game, keys);
    if (!stored) return stored;
    std::vector<std::optional<StoredValue>> values = *std::move(stored);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto found = pending_.find({game, keys[i]});
        if (found != pending_.end()) values[i] = found->second.value;
    }
    return values;
}

Result<UpdateOutcome> GroupedStore::update(StoreGame game, const PositionKey& key,
                                           std::uint32_t expected, std::string_view value) {
    DEFIANCE_ASSERT(!value.empty() && value.size() <= max_stored_value);
    const auto present = get(game, key);
    if (!present) return Error{present.error()};
    const std::uint32_t version = *present ? (*present)->version : 0;
    if (version != expected) return UpdateOutcome::conflict;
    const auto place = pending_.try_emplace({game, key}, Pending{{}, version}).first;
    place->second.value = {std::string(value), version + 1};
    return UpdateOutcome::stored;
}

Result<std::uint64_t> GroupedStore::count(StoreGame game) {
    return store_.count(game);
}

std::optional<Error> GroupedStore::for_each(StoreGame game, const Visit& visit) {
    return store_.for_each(game, visit);
}

std::optional<Error> GroupedStore::commit() {
    return store_.commit();
}

std::optional<Error> GroupedStore::failure() {
    return store_.failure();
}

Result<PushOutcome> GroupedStore::push(const StoreTask& task) {
    return store_.push(task);
}

Result<std::vector<TaskLease>> GroupedStore::lease(int count, double seconds) {
    return store_.lease(count, seconds);
}

Result<bool> GroupedStore::complete(std::uint64_t lease) {
    return store_.complete(lease);
}

Result<bool> GroupedStore::release(std::uint64_t lease) {
    return store_.release(lease);
}

Result<QueueSize> GroupedStore::queue_size() {
    return store_.queue_size();
}

Result<TasksByGame> GroupedStore::tasks_by_game() {
    return store_.tasks_by_game();
}

std::optional<Error> make_up_for_journals(PositionStore& store, const std::string& folder) {
    for (const std::string_view game : store_game_names) {
        const std::string journal = folder + path_separator + std::string(game) + ".journal";
        if (!file_exists(journal)) continue;
        const auto grouped = GroupedStore::open(store, journal);
        if (!grouped) return Error{grouped.error()};
    }
    return std::nullopt;
}

}  // namespace defiance
