#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <defiance/base/file.hpp>
#include <defiance/base/result.hpp>

namespace defiance {

/// What was found in a file of records.
struct LogReport {
    std::uint64_t records = 0;
    std::uint64_t bytes = 0;       ///< of the file as far as it is used
    std::uint64_t torn_bytes = 0;  ///< after the last sound record: a write that was not finished
    std::uint64_t damaged_bytes = 0;  ///< between sound records: passed over

    /// One line on what is not right with the file; nothing when all is.
    [[nodiscard]] std::optional<std::string> warning(const std::string& path) const;
};

/// A file of records that is only appended to. Each record has its length and a CRC-32C, so that
/// damage is found and what follows it is not lost. One thread may append; any may read meanwhile.
///
/// The file begins with "DFNSTORE", four bytes that the user chooses and the CRC-32C of these
/// twelve. A record is 0x5244 as two bytes, the length of its payload as two bytes, the CRC-32C of
/// these four and the payload, and the payload. Numbers have their lowest byte first.
class RecordLog {
public:
    /// visit(offset, payload) is called for each sound record, in order.
    using Visit = std::function<void(std::uint64_t, std::string_view)>;

    /// Opens the file, or creates it, and cuts off a write that was not finished. Error, naming the
    /// file: it is of another kind, or damaged in too many places, or cannot be read.
    static Result<RecordLog> open(const std::string& path, std::string_view kind,
                                  const Visit& visit, LogReport& report);

    /// Reads a file in the same way without changing it. Nobody may have it open for appending: a
    /// record that is half written looks like damage, and on Windows the one who comes second
    /// cannot open the file.
    static Result<LogReport> examine(const std::string& path, std::string_view kind,
                                     const Visit& visit);

    /// Appends a record of 1 to max_payload bytes and returns its offset. Error: nothing was
    /// appended, or, when not even this can be made sure, all further calls fail.
    Result<std::uint64_t> append(std::string_view payload);

    /// Why nothing can be appended any more; nothing while it is worth while to try.
    [[nodiscard]] std::optional<Error> failure() const;

    /// Takes all records away. False when the file cannot be cut.
    [[nodiscard]] bool clear();

    /// The payload of the record at `offset`, of `size` bytes. Error: it is damaged or cannot be
    /// read.
    [[nodiscard]] Result<std::string> read(std::uint64_t offset, std::size_t size) const;

    /// The file, for sync().
    [[nodiscard]] const std::shared_ptr<AppendFile>& file() const { return file_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    /// Bytes of the file.
    [[nodiscard]] std::uint64_t size() const { return size_; }

    static constexpr std::size_t max_payload = 32768;
    static constexpr std::size_t kind_size = 4;

private:
    RecordLog(std::string path, std::shared_ptr<AppendFile> file, std::uint64_t size)
        : path_(std::move(path)), file_(std::move(file)), size_(size) {}

    std::string path_;
    std::shared_ptr<AppendFile> file_;
    std::uint64_t size_;
    bool has_failed_ = false;
};

}  // namespace defiance
