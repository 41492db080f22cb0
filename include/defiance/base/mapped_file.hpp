#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <defiance/base/result.hpp>

namespace defiance {

/// A whole file as memory that can be read. The system reads a page when it is first touched and
/// may drop it again, so that only address space is taken: plenty in a 64-bit process, 2 GiB at
/// most in a 32-bit one. Not copyable, movable; any number of threads may read.
///
/// When its medium goes away, or another program cuts the file off, the next touch ends the
/// process. So this is for tools that run by themselves; what runs inside a GUI takes
/// RandomAccessFile.
class MappedFile {
public:
    /// Paths as in read_file(). Error, naming the file, when there is no such file or it cannot be
    /// mapped; folders and devices are no files. Nothing else may write the file or cut it off
    /// while the object lives: Windows sees to that.
    static Result<MappedFile> open(const std::string& path);

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    /// The content, valid while the object lives and does not move on; empty for an empty file.
    [[nodiscard]] std::span<const std::uint8_t> bytes() const {
        return {static_cast<const std::uint8_t*>(data_), size_};
    }

private:
    MappedFile(void* data, std::size_t size) : data_(data), size_(size) {}

    void* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace defiance
