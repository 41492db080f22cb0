#include <defiance/base/system.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace defiance {
namespace {

/// Something whose address lies in this module.
const char anchor = 0;

bool rename_over(const std::string& from, const std::string& to) {
#ifdef _WIN32
    return MoveFileExA(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING) != 0;
#else
    return std::rename(from.c_str(), to.c_str()) == 0;
#endif
}

unsigned long process_number() {
#ifdef _WIN32
    return GetCurrentProcessId();
#else
    return static_cast<unsigned long>(getpid());
#endif
}

}  // namespace

std::string module_path() {
#ifdef _WIN32
    HMODULE module = nullptr;
    if (GetModuleHandleExA(
            GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
            &anchor, &module) == 0)
        return {};
    char path[1024];
    const DWORD length = GetModuleFileNameA(module, path, sizeof path);
    return length < sizeof path ? std::string(path, length) : std::string();
#else
    Dl_info info{};
    if (dladdr(&anchor, &info) == 0 || info.dli_fname == nullptr) return {};
    char* full = realpath(info.dli_fname, nullptr);
    std::string path = full != nullptr ? full : info.dli_fname;
    std::free(full);
    return path;
#endif
}

std::string program_path() {
#ifdef _WIN32
    char path[1024];
    const DWORD length = GetModuleFileNameA(nullptr, path, sizeof path);
    return length < sizeof path ? std::string(path, length) : std::string();
#else
    char* full = realpath("/proc/self/exe", nullptr);
    const std::string path = full != nullptr ? full : "";
    std::free(full);
    return path;
#endif
}

void pin_module() {
#ifdef _WIN32
    HMODULE module = nullptr;
    GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                       &anchor, &module);
#else
    // The handle is kept on purpose: it is what holds the module.
    dlopen(module_path().c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
#endif
}

std::string temporary_folder() {
#ifdef _WIN32
    char path[MAX_PATH + 2];
    const DWORD length = GetTempPathA(sizeof path, path);
    return length < sizeof path ? std::string(path, length) : std::string();
#else
    const char* folder = std::getenv("TMPDIR");
    return std::string(folder != nullptr && *folder != 0 ? folder : "/tmp") + '/';
#endif
}

std::string folder_of(std::string_view path) {
    const std::size_t end = path.find_last_of("/\\");
    return end == std::string_view::npos ? std::string() : std::string(path.substr(0, end + 1));
}

bool is_absolute(std::string_view path) {
    const auto is_separator = [](char c) { return c == '/' || c == path_separator; };
#ifdef _WIN32
    // A drive and a folder on it, or a computer of the network.
    if (path.size() >= 3 && path[1] == ':') return is_separator(path[2]);
    return path.size() >= 2 && is_separator(path[0]) && is_separator(path[1]);
#else
    return !path.empty() && is_separator(path[0]);
#endif
}

std::string base_name_of(std::string_view path) {
    const std::string_view name = path.substr(folder_of(path).size());
    return std::string(name.substr(0, name.find_last_of('.')));
}

bool file_exists(const std::string& path) {
#ifdef _WIN32
    const DWORD attributes = GetFileAttributesA(path.c_str());
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
#else
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
#endif
}

bool make_folder(const std::string& path) {
#ifdef _WIN32
    CreateDirectoryA(path.c_str(), nullptr);
    const DWORD attributes = GetFileAttributesA(path.c_str());
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
#else
    mkdir(path.c_str(), 0777);
    struct stat found {};
    return stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
#endif
}

bool write_file(const std::string& path, std::string_view content) {
    const std::string part = path + '.' + std::to_string(process_number());
    std::FILE* file = std::fopen(part.c_str(), "wb");
    if (file == nullptr) return false;
    const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
    if (std::fclose(file) == 0 && written && rename_over(part, path)) return true;
    std::remove(part.c_str());
    return false;
}

int processor_count() {
    const unsigned number = std::thread::hardware_concurrency();
    return number == 0 ? 1 : static_cast<int>(number);
}

std::uint64_t physical_memory_mebibytes() {
#ifdef _WIN32
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys >> 20 : 0;
#else
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0) return 0;
    return (static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)) >> 20;
#endif
}

void sleep_milliseconds(int milliseconds) {
    if (milliseconds <= 0)
        std::this_thread::yield();
    else
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

}  // namespace defiance
