#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <defiance/base/result.hpp>

namespace defiance {

/// A whole file mapped into memory for reading. It takes address space only: plenty in a 64-bit
/// process, at most 2 GiB in a 32-bit one. Not copyable, movable; any number of threads may read.
///
/// When its medium goes away or another program truncates the file, the next access ends the
/// process. So code inside a GUI uses FileBytes, which maps only files on internal disks.
class MappedFile {
public:
    /// Paths as in read_file(). Error, naming the file, when there is no such file or it cannot be
    /// mapped; folders and devices are no files. No other program may write or truncate the file
    /// while the object lives; Windows enforces that.
    static Result<MappedFile> open(const std::string& path);

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    /// The content, valid until the object is moved or destroyed; empty for an empty file.
    [[nodiscard]] std::span<const std::uint8_t> bytes() const {
        return {static_cast<const std::uint8_t*>(data_), size_};
    }

private:
    MappedFile(void* data, std::size_t size) : data_(data), size_(size) {}

    void* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace defiance
