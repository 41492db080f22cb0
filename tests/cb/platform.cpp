#include "platform.hpp"

#include <cstdlib>

#ifdef _WIN32
#include <windows.h>
// After windows.h, which they need.
#include <psapi.h>
#include <tlhelp32.h>
#else
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <iterator>
#endif

namespace defiance::test {

std::string engine_file_name() {
    return DEFIANCE_ENGINE_FILE;
}

#ifdef _WIN32

int thread_count() {
    const HANDLE snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
    if (snapshot == INVALID_HANDLE_VALUE) return -1;
    int count = 0;
    THREADENTRY32 entry{};
    entry.dwSize = sizeof entry;
    for (BOOL more = Thread32First(snapshot, &entry); more; more = Thread32Next(snapshot, &entry))
        if (entry.th32OwnerProcessID == GetCurrentProcessId()) ++count;
    CloseHandle(snapshot);
    return count;
}

int handle_count() {
    DWORD count = 0;
    return GetProcessHandleCount(GetCurrentProcess(), &count) != 0 ? static_cast<int>(count) : -1;
}

std::size_t private_bytes() {
    PROCESS_MEMORY_COUNTERS counters{};
    counters.cb = sizeof counters;
    K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters);
    return counters.PagefileUsage;
}

GuardedMemory::GuardedMemory(std::size_t size) {
    constexpr std::size_t page = 4096;
    const std::size_t used = (size + page - 1) / page * page;
    length_ = used + page;
    pages_ = VirtualAlloc(nullptr, length_, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    char* const guard = static_cast<char*>(pages_) + used;
    DWORD before = 0;
    if (pages_ == nullptr || VirtualProtect(guard, page, PAGE_NOACCESS, &before) == 0) std::abort();
    begin_ = guard - size;
}

GuardedMemory::~GuardedMemory() {
    VirtualFree(pages_, 0, MEM_RELEASE);
}

namespace {

std::string key_of_engine(const std::string& engine) {
    return "Software\\Defiance\\" + engine;
}

void store(const std::string& engine, const std::string& name, DWORD type, const void* value,
           std::size_t size) {
    RegSetKeyValueA(HKEY_CURRENT_USER, key_of_engine(engine).c_str(), name.c_str(), type, value,
                    static_cast<DWORD>(size));
}

}  // namespace

bool has_registry() {
    return true;
}

std::optional<std::string> stored_option(const std::string& engine, const std::string& name) {
    char text[256] = {};
    DWORD size = sizeof text - 1;
    if (RegGetValueA(HKEY_CURRENT_USER, key_of_engine(engine).c_str(), name.c_str(), RRF_RT_REG_SZ,
                     nullptr, text, &size) != ERROR_SUCCESS)
        return std::nullopt;
    return text;
}

void store_option(const std::string& engine, const std::string& name, const std::string& value) {
    store(engine, name, REG_SZ, value.c_str(), value.size() + 1);
}

void store_number(const std::string& engine, const std::string& name, std::uint32_t value) {
    store(engine, name, REG_DWORD, &value, sizeof value);
}

void forget_options(const std::string& engine) {
    RegDeleteKeyA(HKEY_CURRENT_USER, key_of_engine(engine).c_str());
}

#else

namespace {

int entries_of(const char* folder) {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder),
                                          std::filesystem::directory_iterator()));
}

}  // namespace

int thread_count() {
    return entries_of("/proc/self/task");
}

int handle_count() {
    return entries_of("/proc/self/fd");
}

std::size_t private_bytes() {
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    unsigned long total = 0;
    unsigned long resident = 0;
    unsigned long shared = 0;
    const bool read =
        file != nullptr && std::fscanf(file, "%lu %lu %lu", &total, &resident, &shared) == 3;
    if (file != nullptr) std::fclose(file);
    return read ? (resident - shared) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

GuardedMemory::GuardedMemory(std::size_t size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t used = (size + page - 1) / page * page;
    length_ = used + page;
    pages_ = mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char* const guard = static_cast<char*>(pages_) + used;
    if (pages_ == MAP_FAILED || mprotect(guard, page, PROT_NONE) != 0) std::abort();
    begin_ = guard - size;
}

GuardedMemory::~GuardedMemory() {
    munmap(pages_, length_);
}

bool has_registry() {
    return false;
}

std::optional<std::string> stored_option(const std::string&, const std::string&) {
    return std::nullopt;
}

void store_option(const std::string&, const std::string&, const std::string&) {}

void store_number(const std::string&, const std::string&, std::uint32_t) {}

void forget_options(const std::string&) {}

#endif

#if defined(__i386__) && defined(_WIN32)

int call_with_stack_offset(const void* function, const std::uint32_t* words, std::uint32_t count,
                           std::uint32_t offset) {
    int result = 0;
    // The function takes its arguments off the stack; the saved pointer undoes the rest.
    asm volatile(
        "movl %%esp, %%esi\n\t"
        "andl $-16, %%esp\n\t"
        "subl %%edx, %%esp\n"
        "1:\n\t"
        "testl %%ecx, %%ecx\n\t"
        "jz 2f\n\t"
        "decl %%ecx\n\t"
        "pushl (%%ebx,%%ecx,4)\n\t"
        "jmp 1b\n"
        "2:\n\t"
        "call *%%edi\n\t"
        "movl %%esi, %%esp"
        : "=a"(result), "+c"(count), "+d"(offset)
        : "b"(words), "D"(function)
        : "esi", "memory", "cc");
    return result;
}

#else

int call_with_stack_offset(const void*, const std::uint32_t*, std::uint32_t, std::uint32_t) {
    return -1;
}

#endif

}  // namespace defiance::test
