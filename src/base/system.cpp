#include <defiance/base/system.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>
#include <thread>

#include <defiance/base/assert.hpp>

#ifdef _WIN32
#include <windows.h>

#include "windows_text.hpp"
#else
#include <dlfcn.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

#if defined(_WIN32) && defined(__GLIBCXX__)
namespace __gnu_cxx {
void __freeres();
}  // namespace __gnu_cxx
#endif

namespace defiance {
namespace {

#if defined(_WIN32) && defined(__GLIBCXX__)
/// GCC's library, of which each module has a copy, reserves 72 KB to throw exceptions when memory
/// is out, and frees them only when told. Otherwise every load of an engine would leave them
/// behind.
const struct ExceptionReserve {
    ~ExceptionReserve() { __gnu_cxx::__freeres(); }
} exception_reserve;
#endif

/// An object whose address identifies this module.
const char anchor = 0;

std::atomic<bool>& is_pinned() {
    static std::atomic<bool> flag = false;
    return flag;
}

#ifdef _WIN32

HMODULE this_module(DWORD flags) {
    HMODULE module = nullptr;
    if (GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | flags,
                           reinterpret_cast<const wchar_t*>(&anchor), &module) == 0)
        return nullptr;
    return module;
}

std::string path_of(HMODULE module) {
    constexpr DWORD max_path = 32768;  // UTF-16 units of the longest path, with its zero
    std::wstring path(max_path, L'\0');
    const DWORD length = GetModuleFileNameW(module, path.data(), max_path);
    DEFIANCE_ASSERT(length <= max_path);
    return length < max_path ? to_utf8({path.data(), length}) : std::string();
}

#else

std::string resolved(const char* path) {
    struct Free {
        void operator()(char* text) const { std::free(text); }
    };
    // Freed also when there is no memory for the text.
    const std::unique_ptr<char, Free> full(realpath(path, nullptr));
    return full != nullptr ? full.get() : "";
}

#endif

}  // namespace

#ifdef _WIN32

std::string module_path() {
    const HMODULE module = this_module(GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT);
    return module == nullptr ? std::string() : path_of(module);
}

std::string program_path() {
    return path_of(nullptr);
}

void pin_module() {
    is_pinned() = true;
    static_cast<void>(this_module(GET_MODULE_HANDLE_EX_FLAG_PIN));
}

std::string_view find_resource(const char* name) {
    DEFIANCE_ASSERT(name != nullptr);
    const HMODULE module = this_module(GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT);
    if (module == nullptr) return {};
    const HRSRC resource = FindResourceW(module, to_utf16(name).c_str(), RT_RCDATA);
    if (resource == nullptr) return {};
    const HGLOBAL loaded = LoadResource(module, resource);
    const void* bytes = loaded == nullptr ? nullptr : LockResource(loaded);
    if (bytes == nullptr) return {};
    return {static_cast<const char*>(bytes), SizeofResource(module, resource)};
}

std::string temporary_folder() {
    wchar_t path[MAX_PATH + 2];
    const DWORD length = GetTempPathW(MAX_PATH + 2, path);
    return length < MAX_PATH + 2 ? to_utf8({path, length}) : std::string();
}

std::uint64_t physical_memory_mebibytes() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys >> 20 : 0;
}

std::uint64_t available_memory_bytes() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    if (GlobalMemoryStatusEx(&status) == 0) return std::numeric_limits<std::uint64_t>::max();
    return std::min(status.ullAvailPhys, status.ullAvailVirtual);
}

void allow_open_files(int) {}

#else

std::string module_path() {
    Dl_info info{};
    if (dladdr(&anchor, &info) == 0 || info.dli_fname == nullptr) return {};
    std::string path = resolved(info.dli_fname);
    return path.empty() ? info.dli_fname : path;
}

std::string program_path() {
    return resolved("/proc/self/exe");
}

void pin_module() {
    is_pinned() = true;
    // The handle is never closed, which keeps the module loaded.
    dlopen(module_path().c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

std::string_view find_resource(const char*) {
    return {};
}

std::string temporary_folder() {
    const char* folder = std::getenv("TMPDIR");
    return std::string(folder != nullptr && *folder != 0 ? folder : "/tmp") + '/';
}

std::uint64_t physical_memory_mebibytes() {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0) return 0;
    return (static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)) >> 20;
}

std::uint64_t available_memory_bytes() {
    // "Free" memory leaves out cached files, which the system can drop, so half of all memory is a
    // better estimate.
    const std::uint64_t half = physical_memory_mebibytes() << 19;
    return half != 0 ? half : std::numeric_limits<std::uint64_t>::max();
}

void allow_open_files(int count) {
    DEFIANCE_ASSERT(count >= 0);
    const auto wanted = static_cast<rlim_t>(count);
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = std::min(wanted, limit.rlim_max);
    static_cast<void>(setrlimit(RLIMIT_NOFILE, &limit));
}

#endif

bool is_module_pinned() {
    return is_pinned();
}

int processor_count() {
#ifdef __linux__
    // Job systems and containers may give only some of them.
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) == 0) return std::max(1, CPU_COUNT(&usable));
#endif
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

#ifdef _WIN32

int thread_priority() {
    const int priority = GetThreadPriority(GetCurrentThread());
    return priority == THREAD_PRIORITY_ERROR_RETURN ? THREAD_PRIORITY_NORMAL : priority;
}

void set_thread_priority(int priority) {
    SetThreadPriority(GetCurrentThread(), priority);
}

NoSystemDialogs::NoSystemDialogs() {
    SetThreadErrorMode(GetThreadErrorMode() | SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX,
                       &mode_before_);
}

NoSystemDialogs::~NoSystemDialogs() {
    SetThreadErrorMode(mode_before_, nullptr);
}

#else

int thread_priority() {
    return 0;
}

void set_thread_priority(int) {}

NoSystemDialogs::NoSystemDialogs() = default;
NoSystemDialogs::~NoSystemDialogs() = default;

#endif

void sleep_milliseconds(int milliseconds) {
    DEFIANCE_ASSERT(milliseconds >= 0);
    if (milliseconds <= 0)
        std::this_thread::yield();
    else
#ifdef _WIN32
        // Some versions of the standard library wait for a time of day instead, and too long when
        // the clock is set back.
        ::Sleep(static_cast<DWORD>(milliseconds));
#else
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
#endif
}

}  // namespace defiance
