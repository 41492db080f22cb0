#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>

namespace defiance {

/// A file open for reading at any offset. When its medium (a stick, a network drive) goes away,
/// reads fail and nothing worse happens. Not copyable, movable.
class RandomAccessFile {
public:
    /// Paths as in read_file(). Error, naming the file, when there is no such file or it cannot be
    /// opened; folders and devices are no files. No other program may write the file while it is
    /// open; Windows enforces that.
    static Result<RandomAccessFile> open(const std::string& path);

    RandomAccessFile(RandomAccessFile&& other) noexcept;
    RandomAccessFile& operator=(RandomAccessFile&& other) noexcept;
    RandomAccessFile(const RandomAccessFile&) = delete;
    RandomAccessFile& operator=(const RandomAccessFile&) = delete;
    ~RandomAccessFile();

    /// Bytes in the file when it was opened.
    [[nodiscard]] std::uint64_t size() const { return size_; }

    /// Fills `into` with the bytes from `offset` on. False when the file is too short or cannot be
    /// read; part of `into` may then be written. Safe from several threads.
    [[nodiscard]] bool read_at(std::uint64_t offset, std::span<std::uint8_t> into) const;

    /// The `size` bytes from `offset` on. The error does not name the file: "it cannot be read", or
    /// "there is too little memory for it". Safe from several threads.
    [[nodiscard]] Result<std::vector<std::uint8_t>> read_part(std::uint64_t offset,
                                                              std::uint64_t size) const;

private:
    friend class MappedFile;

    /// A file descriptor or a HANDLE; both are -1 for none.
    using Handle = std::intptr_t;
    static constexpr Handle none = -1;

    RandomAccessFile(Handle handle, std::uint64_t size) : handle_(handle), size_(size) {}

    Handle handle_ = none;
    std::uint64_t size_ = 0;
};

}  // namespace defiance
