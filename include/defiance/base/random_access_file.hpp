#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>

namespace defiance {

/// A file open for reading at any place. When its medium goes away, a stick or a drive of the
/// network, reads fail and nothing worse happens. Not copyable, movable.
class RandomAccessFile {
public:
    /// Paths as in read_file(). Error, naming the file, when there is no such file or it cannot be
    /// opened; folders and devices are no files. Nothing else may write the file while it is open:
    /// Windows sees to that.
    static Result<RandomAccessFile> open(const std::string& path);

    RandomAccessFile(RandomAccessFile&& other) noexcept;
    RandomAccessFile& operator=(RandomAccessFile&& other) noexcept;
    RandomAccessFile(const RandomAccessFile&) = delete;
    RandomAccessFile& operator=(const RandomAccessFile&) = delete;
    ~RandomAccessFile();

    /// Bytes in the file when it was opened.
    [[nodiscard]] std::uint64_t size() const { return size_; }

    /// Fills `into` with the bytes from the place `offset` on. False when the file ends before or
    /// cannot be read; part of `into` may then be written. Any number of threads may call it at the
    /// same time.
    [[nodiscard]] bool read_at(std::uint64_t offset, std::span<std::uint8_t> into) const;

    /// The `size` bytes from the place `offset` on, in memory of their own. The error does not name
    /// the file: "it cannot be read" as with read_at(), or "there is too little memory for it". May
    /// be called as read_at().
    [[nodiscard]] Result<std::vector<std::uint8_t>> read_part(std::uint64_t offset,
                                                              std::uint64_t size) const;

private:
    friend class MappedFile;

    /// What the system calls the file: a descriptor or a HANDLE. Both have -1 for none.
    using Handle = std::intptr_t;
    static constexpr Handle none = -1;

    RandomAccessFile(Handle handle, std::uint64_t size) : handle_(handle), size_(size) {}

    Handle handle_ = none;
    std::uint64_t size_ = 0;
};

}  // namespace defiance
