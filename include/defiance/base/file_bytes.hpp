#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/mapped_file.hpp>
#include <defiance/base/random_access_file.hpp>
#include <defiance/base/result.hpp>

namespace defiance {

/// True when the file is on a disk that nobody pulls out while it runs: an internal one of Windows.
/// On other systems it is never true, since a mapped file can be cut off there by anybody.
[[nodiscard]] bool can_be_mapped_safely(const std::string& path);

/// The whole of a file in memory, for code inside a GUI: mapped if it is large and that can do no
/// harm, else read. Not copyable, movable, which leaves the bytes where they are; any number of threads may
/// read them.
class FileBytes {
public:
    /// Paths as in read_file(). Error, naming the file, when there is no such file, it cannot be
    /// read, or there is too little memory. No other program may write the file while the object
    /// lives; Windows enforces that.
    static Result<FileBytes> open(const std::string& path);

    /// The content, valid until the object is destroyed; empty for an empty file.
    [[nodiscard]] std::span<const std::uint8_t> bytes() const {
        return mapped_ ? mapped_->bytes() : std::span<const std::uint8_t>(read_);
    }

private:
    explicit FileBytes(RandomAccessFile&& file) : file_(std::move(file)) {}

    RandomAccessFile file_;  // open, so that nobody writes it
    std::optional<MappedFile> mapped_;
    std::vector<std::uint8_t> read_;
};

}  // namespace defiance
