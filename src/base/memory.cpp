#include <defiance/base/memory.hpp>

#include <limits>
#include <utility>

#include <defiance/base/assert.hpp>

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/mman.h>
#endif

namespace defiance {

#ifdef _WIN32

namespace {

/// The right to lock pages in memory, switched on while the object lives. Only users whom an
/// administrator has given it have it.
class LockMemoryRight {
public:
    LockMemoryRight() {
        if (OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY, &token_) ==
            0)
            return;
        TOKEN_PRIVILEGES wanted{};
        wanted.PrivilegeCount = 1;
        wanted.Privileges[0].Attributes = SE_PRIVILEGE_ENABLED;
        DWORD size = sizeof before_;
        // Not to have the right is no failure of the call, so it tells by the last error.
        is_held_ =
            LookupPrivilegeValueW(nullptr, L"SeLockMemoryPrivilege", &wanted.Privileges[0].Luid) !=
                0 &&
            AdjustTokenPrivileges(token_, FALSE, &wanted, sizeof before_, &before_, &size) != 0 &&
            GetLastError() == ERROR_SUCCESS;
    }
    ~LockMemoryRight() {
        if (is_held_) AdjustTokenPrivileges(token_, FALSE, &before_, 0, nullptr, nullptr);
        if (token_ != nullptr) CloseHandle(token_);
    }
    LockMemoryRight(const LockMemoryRight&) = delete;
    LockMemoryRight& operator=(const LockMemoryRight&) = delete;

    [[nodiscard]] bool is_held() const { return is_held_; }

private:
    HANDLE token_ = nullptr;
    TOKEN_PRIVILEGES before_{};
    bool is_held_ = false;
};

/// Null where there are no large pages for this user or not enough of them, and for a block that
/// would fill none, or so many that the system takes too long to zero them.
void* allocate_large_pages(std::size_t bytes) {
    constexpr std::size_t most = std::size_t{1} << 30;
    const std::size_t page = GetLargePageMinimum();
    if (page == 0 || bytes < page || bytes > most) return nullptr;
    const LockMemoryRight right;
    if (!right.is_held()) return nullptr;
    return VirtualAlloc(nullptr, (bytes + page - 1) / page * page,
                        MEM_RESERVE | MEM_COMMIT | MEM_LARGE_PAGES, PAGE_READWRITE);
}

}  // namespace

#endif

ZeroedMemory::ZeroedMemory(std::uint64_t bytes, Pages pages) {
    if (bytes == 0 || bytes > std::numeric_limits<std::size_t>::max() / 2) return;
    bytes_ = static_cast<std::size_t>(bytes);
#ifdef _WIN32
    if (pages == Pages::large_where_possible) data_ = allocate_large_pages(bytes_);
    if (data_ == nullptr)
        data_ = VirtualAlloc(nullptr, bytes_, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
#else
    data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data_ == MAP_FAILED) data_ = nullptr;
    // The system may refuse them.
    if (data_ != nullptr && pages == Pages::large_where_possible)
        madvise(data_, bytes_, MADV_HUGEPAGE);
#endif
    DEFIANCE_ASSERT(reinterpret_cast<std::uintptr_t>(data_) % 4096 == 0);
}

ZeroedMemory::~ZeroedMemory() {
    if (data_ == nullptr) return;
#ifdef _WIN32
    VirtualFree(data_, 0, MEM_RELEASE);
#else
    munmap(data_, bytes_);
#endif
}

ZeroedMemory::ZeroedMemory(ZeroedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

ZeroedMemory& ZeroedMemory::operator=(ZeroedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

}  // namespace defiance
