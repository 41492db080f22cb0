#include <tools/store/position_file.hpp>

#include <limits>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/try_patiently.hpp>
#include <tools/store/byte_codec.hpp>

namespace defiance {
namespace {

constexpr std::size_t version_bytes = 4;
constexpr std::size_t value_offset = position_key_bytes + version_bytes;

/// What tells the file of this game from others: its number and that of the format.
std::string kind_of(StoreGame game) {
    return std::string("P") + static_cast<char>('0' + static_cast<int>(game)) + "01";
}

std::string payload_of(const PositionKey& key, std::uint32_t version, std::string_view value) {
    std::string payload;
    payload.reserve(value_offset + value.size());
    append_key(payload, key);
    append_little_endian(payload, version, version_bytes);
    payload += value;
    return payload;
}

Error file_was_lost() {
    return {"the file of this game was lost"};
}

bool is_position(std::string_view payload) {
    return payload.size() > value_offset && payload.size() <= value_offset + max_stored_value;
}

StoredValue value_in(std::string_view payload) {
    return {
        std::string(payload.substr(value_offset)),
        static_cast<std::uint32_t>(little_endian_at(payload, position_key_bytes, version_bytes))};
}

/// Puts what a file holds into an index.
RecordLog::Visit fill_index(KeyIndex& index) {
    return [&index](std::uint64_t offset, std::string_view payload) {
        if (is_position(payload))
            index.set(key_at(payload, 0), {offset, static_cast<std::uint16_t>(payload.size())});
    };
}

}  // namespace

Result<std::unique_ptr<PositionFile>> PositionFile::open(const std::string& path, StoreGame game,
                                                         LogReport& report) {
    KeyIndex index;
    Result<RecordLog> log = RecordLog::open(path, kind_of(game), fill_index(index), report);
    if (!log) return Error{log.error()};
    return std::unique_ptr<PositionFile>(new PositionFile(*std::move(log), std::move(index), game));
}

Result<LogReport> PositionFile::verify(const std::string& path, StoreGame game,
                                       std::uint64_t& positions, const Inspect& visit) {
    KeyIndex index;
    const RecordLog::Visit fill = fill_index(index);
    std::uint64_t strange_bytes = 0;
    const Result<LogReport> found = RecordLog::examine(
        path, kind_of(game), [&](std::uint64_t offset, std::string_view payload) {
            fill(offset, payload);
            if (!is_position(payload))
                strange_bytes += payload.size();
            else if (visit)
                visit(key_at(payload, 0), payload.substr(value_offset), offset + payload.size());
        });
    if (!found) return found;
    positions = index.size();
    LogReport report = *found;
    report.damaged_bytes += strange_bytes;
    return report;
}

/// The caller holds the mutex.
Result<std::optional<StoredValue>> PositionFile::read(const PositionKey& key) const {
    if (!log_) return file_was_lost();
    const std::optional<RecordPlace> place = index_.find(key);
    if (!place) return std::optional<StoredValue>();
    const Result<std::string> payload = log_->read(place->offset, place->size);
    if (!payload) return Error{payload.error()};
    if (!is_position(*payload) || key_at(*payload, 0) != key)
        return file_error(log_->path(), "was changed by another program");
    return std::optional<StoredValue>(value_in(*payload));
}

Result<std::optional<StoredValue>> PositionFile::get(const PositionKey& key) const {
    const std::shared_lock lock(mutex_);
    return read(key);
}

Result<UpdateOutcome> PositionFile::update(const PositionKey& key, std::uint32_t expected,
                                           std::string_view value) {
    DEFIANCE_ASSERT(!value.empty() && value.size() <= max_stored_value);
    if (value.empty() || value.size() > max_stored_value)
        return Error{"a value of " + std::to_string(value.size()) + " bytes cannot be stored"};
    const std::unique_lock lock(mutex_);
    const Result<std::optional<StoredValue>> before = read(key);
    if (!before) return Error{before.error()};
    const std::uint32_t version = *before ? (*before)->version : 0;
    if (version != expected) return UpdateOutcome::conflict;
    if (version == std::numeric_limits<std::uint32_t>::max())
        return Error{"a position was changed too often"};
    const std::string payload = payload_of(key, version + 1, value);
    const Result<std::uint64_t> offset = log_->append(payload);
    if (!offset) return Error{offset.error()};
    index_.set(key, {*offset, static_cast<std::uint16_t>(payload.size())});
    return UpdateOutcome::stored;
}

std::uint64_t PositionFile::count() const {
    const std::shared_lock lock(mutex_);
    return index_.size();
}

std::optional<Error> PositionFile::failure() const {
    const std::shared_lock lock(mutex_);
    return log_ ? log_->failure() : file_was_lost();
}

std::uint64_t PositionFile::size() const {
    const std::shared_lock lock(mutex_);
    return log_ ? log_->size() : 0;
}

std::optional<Error> PositionFile::for_each(const PositionStore::Visit& visit) const {
    for (std::size_t part = 0; part < KeyIndex::parts; ++part) {
        std::vector<PositionKey> keys;
        {
            const std::shared_lock lock(mutex_);
            keys = index_.keys_of_part(part);
        }
        for (const PositionKey& key : keys) {
            const Result<std::optional<StoredValue>> value = get(key);
            if (!value) return Error{value.error()};
            DEFIANCE_ASSERT(*value);  // nothing is ever removed
            if (!visit(key, **value)) return std::nullopt;
        }
    }
    return std::nullopt;
}

std::optional<Error> PositionFile::sync() {
    const std::lock_guard sync_lock(sync_mutex_);
    std::shared_ptr<AppendFile> file;
    std::string path;
    {
        const std::shared_lock lock(mutex_);
        if (!log_) return file_was_lost();
        file = log_->file();
        path = log_->path();
    }
    if (file->sync()) return std::nullopt;
    return file_error(path, "cannot be written to the disk");
}

/// The caller holds the mutex.
std::optional<Error> PositionFile::write_compacted(const std::string& path,
                                                   const GoOn& go_on) const {
    remove_file(path);
    LogReport report;
    Result<RecordLog> log = RecordLog::open(
        path, kind_of(game_), [](std::uint64_t, std::string_view) {}, report);
    if (!log) return Error{log.error()};
    RecordLog compacted = *std::move(log);
    std::uint64_t written = 0;
    for (std::size_t part = 0; part < KeyIndex::parts; ++part)
        for (const PositionKey& key : index_.keys_of_part(part)) {
            if (go_on && !go_on(written++)) return Error{"stopped"};
            const std::optional<RecordPlace> place = index_.find(key);
            DEFIANCE_ASSERT(place);
            const Result<std::string> payload = log_->read(place->offset, place->size);
            if (!payload) return Error{payload.error()};
            if (const auto offset = compacted.append(*payload); !offset)
                return Error{offset.error()};
        }
    if (!compacted.file()->sync()) return file_error(path, "cannot be written to the disk");
    return std::nullopt;
}

std::optional<Error> PositionFile::compact(const GoOn& go_on) {
    // While another thread waits for the disk it holds the file open.
    const std::lock_guard sync_lock(sync_mutex_);
    const std::unique_lock lock(mutex_);
    if (!log_) return file_was_lost();
    const std::string path = log_->path();
    const std::string part = path + ".new";
    if (std::optional<Error> problem = write_compacted(part, go_on)) {
        remove_file(part);
        return problem;
    }
    const std::size_t positions = index_.size();
    // Windows renames no file that is open.
    log_.reset();
    const std::optional<Error> problem = move_into_place(part, path);
    KeyIndex index;
    Result<RecordLog> log = Error{"it cannot be opened"};
    const bool is_open = try_patiently([&] {
        index = KeyIndex();
        LogReport report;
        log = RecordLog::open(path, kind_of(game_), fill_index(index), report);
        return static_cast<bool>(log);
    });
    if (!is_open || index.size() != positions)
        return Error{"the file of this game was lost while it was compacted: " +
                     (is_open ? path : log.error())};
    log_.emplace(*std::move(log));
    index_ = std::move(index);
    if (!problem) return std::nullopt;
    // Not before the old file is known to be whole: the new one has all of it, too.
    remove_file(part);
    return Error{"the file of this game is not safely replaced by a smaller one: " + problem->text};
}

}  // namespace defiance
