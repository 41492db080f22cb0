#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <defiance/base/result.hpp>
#include <defiance/base/shared_mutex.hpp>
#include <tools/store/key_index.hpp>
#include <tools/store/position_store.hpp>
#include <tools/store/record_log.hpp>

namespace defiance {

/// The positions of one game in a file of records. A record is the key (three numbers of four
/// bytes), the version (four bytes) and the value; the last record of a key counts. Any threads may
/// use it.
class PositionFile {
public:
    /// Opens the file, or creates it. `report` tells what was found in it.
    static Result<std::unique_ptr<PositionFile>> open(const std::string& path, StoreGame game,
                                                      LogReport& report);

    /// visit(key, value, bytes of the file that were read) for each value, in the order in which
    /// they were stored.
    using Inspect = std::function<void(const PositionKey&, std::string_view, std::uint64_t)>;

    /// Reads a file without changing it; `positions` is how many it has. A record that is none of
    /// a position counts as damaged.
    static Result<LogReport> verify(const std::string& path, StoreGame game,
                                    std::uint64_t& positions, const Inspect& visit = {});

    [[nodiscard]] Result<std::optional<StoredValue>> get(const PositionKey& key) const;
    [[nodiscard]] Result<UpdateOutcome> update(const PositionKey& key, std::uint32_t expected,
                                               std::string_view value);
    [[nodiscard]] std::uint64_t count() const;
    [[nodiscard]] std::optional<Error> failure() const;
    [[nodiscard]] std::optional<Error> for_each(const PositionStore::Visit& visit) const;

    /// Writes the file anew without the values that were replaced; other calls wait meanwhile.
    /// `go_on` is called with the number of positions that are written, and ends the work with
    /// false. Error: the old file is still there and in use, unless the error says that it is not.
    using GoOn = std::function<bool(std::uint64_t)>;
    [[nodiscard]] std::optional<Error> compact(const GoOn& go_on = {});

    /// Waits until the disk has what was stored before. Updates go on meanwhile.
    [[nodiscard]] std::optional<Error> sync();

    /// Bytes of the file.
    [[nodiscard]] std::uint64_t size() const;

private:
    PositionFile(RecordLog log, KeyIndex index, StoreGame game)
        : log_(std::move(log)), index_(std::move(index)), game_(game) {}

    [[nodiscard]] Result<std::optional<StoredValue>> read(const PositionKey& key) const;
    [[nodiscard]] std::optional<Error> write_compacted(const std::string& path,
                                                       const GoOn& go_on) const;

    std::mutex sync_mutex_;  // taken before mutex_ by what needs the file for a while
    mutable SharedMutex mutex_;
    std::optional<RecordLog> log_;  ///< none after a file was lost while it was compacted
    KeyIndex index_;
    StoreGame game_;
};

}  // namespace defiance
