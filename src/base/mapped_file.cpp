#include <defiance/base/mapped_file.hpp>

#include <limits>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/random_access_file.hpp>

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/mman.h>
#endif

namespace defiance {
namespace {

/// Maps the whole file; null on failure. The mapping survives the closing of the file.
void* map(std::intptr_t file, std::size_t size) {
#ifdef _WIN32
    const HANDLE mapping =
        CreateFileMappingW(reinterpret_cast<HANDLE>(file), nullptr, PAGE_READONLY, 0, 0, nullptr);
    if (mapping == nullptr) return nullptr;
    void* data = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, size);
    CloseHandle(mapping);
    return data;
#else
    void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, static_cast<int>(file), 0);
    return data == MAP_FAILED ? nullptr : data;
#endif
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
    const Result<RandomAccessFile> file = RandomAccessFile::open(path);
    if (!file) return Error{file.error()};
    if (file->size() == 0) return MappedFile(nullptr, 0);
    if (file->size() > std::numeric_limits<std::size_t>::max() / 2)
        return file_error(path, "is too large to be mapped");
    const auto size = static_cast<std::size_t>(file->size());
    DEFIANCE_ASSERT(size > 0);
    void* data = map(file->handle_, size);
    if (data == nullptr) return file_error(path, "cannot be mapped");
    return MappedFile(data, size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

MappedFile::~MappedFile() {
    if (data_ == nullptr) return;
#ifdef _WIN32
    UnmapViewOfFile(data_);
#else
    munmap(data_, size_);
#endif
}

}  // namespace defiance
