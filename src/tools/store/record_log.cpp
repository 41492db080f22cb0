#include <tools/store/record_log.hpp>

#include <algorithm>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>
#include <defiance/base/random_access_file.hpp>
#include <defiance/base/text.hpp>
#include <tools/store/byte_codec.hpp>

namespace defiance {
namespace {

constexpr std::string_view file_mark = "DFNSTORE";
constexpr std::size_t file_header = 16;
constexpr std::size_t record_header = 8;
constexpr std::uint64_t record_mark = 0x5244;
/// Bytes whose checksums are computed in vain before a file is given up as rubbish.
constexpr std::uint64_t max_vain_bytes = std::uint64_t{1} << 30;

std::string header_of(std::string_view kind) {
    DEFIANCE_ASSERT(kind.size() == RecordLog::kind_size);
    std::string header(file_mark);
    header += kind;
    append_little_endian(header, checksum_castagnoli(bytes_of(header)), 4);
    return header;
}

std::string record_of(std::string_view payload) {
    DEFIANCE_ASSERT(!payload.empty() && payload.size() <= RecordLog::max_payload);
    std::string record;
    record.reserve(record_header + payload.size());
    append_little_endian(record, record_mark, 2);
    append_little_endian(record, payload.size(), 2);
    const std::uint32_t sum =
        checksum_castagnoli(bytes_of(payload), checksum_castagnoli(bytes_of(record)));
    append_little_endian(record, sum, 4);
    record += payload;
    return record;
}

/// The size of the payload when a record may begin here; 0 when not.
std::size_t payload_size_at(std::string_view text) {
    if (text.size() < record_header || little_endian_at(text, 0, 2) != record_mark) return 0;
    const auto size = static_cast<std::size_t>(little_endian_at(text, 2, 2));
    return size <= RecordLog::max_payload ? size : 0;
}

bool is_sound_record(std::string_view record) {
    const std::uint32_t sum = checksum_castagnoli(
        bytes_of(record.substr(record_header)), checksum_castagnoli(bytes_of(record.substr(0, 4))));
    return little_endian_at(record, 4, 4) == sum;
}

/// Reads a file of records from its beginning to its end.
template <class File>
class LogScanner {
public:
    LogScanner(const File& file, std::uint64_t size, const RecordLog::Visit& visit)
        : file_(file), size_(size), visit_(visit) {}

    /// Error: a text to follow the name of the file.
    [[nodiscard]] std::optional<Error> scan(LogReport& report) {
        at_ = report.bytes = file_header;
        while (at_ < size_) {
            if (!fill()) return Error{"cannot be read"};
            const std::size_t payload = payload_size_at(rest());
            if (payload > 0 && take(payload, report)) continue;
            // Somewhere after this a record may begin.
            const std::size_t mark = rest().find(static_cast<char>(record_mark & 0xFF), 1);
            at_ += std::min(mark, rest().size());
            if (vain_bytes_ > max_vain_bytes) return Error{"is damaged in too many places"};
        }
        report.torn_bytes = size_ - report.bytes;
        return std::nullopt;
    }

private:
    /// What is in memory from the present place on.
    [[nodiscard]] std::string_view rest() const {
        return std::string_view(buffer_).substr(static_cast<std::size_t>(at_ - begin_));
    }

    /// Has a whole record of any size in memory, or all to the end of the file.
    [[nodiscard]] bool fill() {
        constexpr std::size_t enough = record_header + RecordLog::max_payload;
        DEFIANCE_ASSERT(at_ >= begin_);
        const std::uint64_t end = begin_ + buffer_.size();
        if (at_ <= end && (end - at_ >= enough || end == size_) && !buffer_.empty()) return true;
        constexpr std::uint64_t piece = std::uint64_t{1} << 20;
        begin_ = at_;
        buffer_.resize(static_cast<std::size_t>(std::min(piece, size_ - at_)));
        auto* const into = reinterpret_cast<std::uint8_t*>(buffer_.data());
        return file_.read_at(begin_, {into, buffer_.size()});
    }

    bool take(std::size_t payload, LogReport& report) {
        const std::size_t size = record_header + payload;
        if (rest().size() < size) return false;
        if (!is_sound_record(rest().substr(0, size))) {
            vain_bytes_ += size;
            return false;
        }
        report.damaged_bytes += at_ - report.bytes;
        visit_(at_, rest().substr(record_header, payload));
        ++report.records;
        at_ += size;
        report.bytes = at_;
        return true;
    }

    const File& file_;
    std::uint64_t size_;
    const RecordLog::Visit& visit_;
    std::string buffer_;
    std::uint64_t begin_ = 0;  ///< of what is in the buffer
    std::uint64_t at_ = 0;
    std::uint64_t vain_bytes_ = 0;
};

/// Error: the file is of another kind.
template <class File>
std::optional<Error> check_header(const File& file, std::uint64_t size, std::string_view kind) {
    std::string found(static_cast<std::size_t>(std::min<std::uint64_t>(size, file_header)), '\0');
    if (!file.read_at(0, {reinterpret_cast<std::uint8_t*>(found.data()), found.size()}))
        return Error{"cannot be read"};
    const std::string expected = header_of(kind);
    if (found == expected) return std::nullopt;
    // A file whose creation was not finished.
    if (found.size() < file_header && expected.compare(0, found.size(), found) == 0)
        return std::nullopt;
    const bool is_ours = found.compare(0, file_mark.size(), file_mark) == 0;
    return Error{is_ours ? "is of another game or version, or its beginning is damaged"
                         : "is no file of a store"};
}

}  // namespace

std::optional<std::string> LogReport::warning(const std::string& path) const {
    std::string text;
    if (damaged_bytes > 0)
        text = "is damaged; " + std::to_string(damaged_bytes) + " bytes were passed over";
    if (torn_bytes > 0) {
        if (!text.empty()) text += ", and ";
        text += "ends in " + std::to_string(torn_bytes) + " bytes of an unfinished write";
    }
    if (text.empty()) return std::nullopt;
    return file_error(path, text).text;
}

Result<RecordLog> RecordLog::open(const std::string& path, std::string_view kind,
                                  const Visit& visit, LogReport& report) {
    Result<AppendFile> opened = AppendFile::open(path);
    if (!opened) return Error{opened.error()};
    const auto file = std::make_shared<AppendFile>(*std::move(opened));
    const std::optional<std::uint64_t> bytes = file->size();
    // Not taken for an empty file, which would be begun anew.
    if (!bytes) return file_error(path, "cannot be read");
    const std::uint64_t size = *bytes;
    if (const std::optional<Error> problem = check_header(*file, size, kind))
        return file_error(path, problem->text);
    report = {};
    if (size < file_header) {
        if (!file->cut(0) || !file->append(header_of(kind)) || !file->sync())
            return file_error(path, "cannot be written");
        report.bytes = file_header;
        return RecordLog(path, file, file_header);
    }
    if (const std::optional<Error> problem = LogScanner(*file, size, visit).scan(report))
        return file_error(path, problem->text);
    DEFIANCE_ASSERT(report.bytes + report.torn_bytes == size);
    if (report.torn_bytes > 0 && !file->cut(report.bytes))
        return file_error(path, "cannot be written");
    return RecordLog(path, file, report.bytes);
}

Result<LogReport> RecordLog::examine(const std::string& path, std::string_view kind,
                                     const Visit& visit) {
    const Result<RandomAccessFile> file = RandomAccessFile::open(path);
    if (!file) return Error{file.error()};
    if (const std::optional<Error> problem = check_header(*file, file->size(), kind))
        return file_error(path, problem->text);
    LogReport report;
    if (file->size() < file_header) return report;
    if (const std::optional<Error> problem = LogScanner(*file, file->size(), visit).scan(report))
        return file_error(path, problem->text);
    return report;
}

std::optional<Error> RecordLog::failure() const {
    if (!has_failed_) return std::nullopt;
    return file_error(path_, "could not be written before and is left alone");
}

Result<std::uint64_t> RecordLog::append(std::string_view payload) {
    if (const auto problem = failure()) return *problem;
    if (!file_->append(record_of(payload))) {
        has_failed_ = !file_->cut(size_);
        return file_error(path_, "cannot be written; the disk may be full");
    }
    return std::exchange(size_, size_ + record_header + payload.size());
}

bool RecordLog::clear() {
    has_failed_ = has_failed_ || !file_->cut(file_header);
    if (!has_failed_) size_ = file_header;
    return !has_failed_;
}

Result<std::string> RecordLog::read(std::uint64_t offset, std::size_t size) const {
    DEFIANCE_ASSERT(size > 0 && size <= max_payload);
    std::string record(record_header + size, '\0');
    if (!file_->read_at(offset, {reinterpret_cast<std::uint8_t*>(record.data()), record.size()}))
        return file_error(path_, "cannot be read");
    if (payload_size_at(record) != size || !is_sound_record(record))
        return file_error(path_, "is damaged at byte " + std::to_string(offset));
    record.erase(0, record_header);
    return record;
}

}  // namespace defiance
