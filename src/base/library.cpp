#include <defiance/base/library.hpp>

#include <utility>

#include <defiance/base/assert.hpp>

#ifdef _WIN32
#include <windows.h>

#include "windows_text.hpp"
#else
#include <dlfcn.h>
#endif

namespace defiance {

#ifdef _WIN32

Result<Library> Library::load(const std::string& path) {
    void* const handle = LoadLibraryW(to_utf16(path).c_str());
    if (handle == nullptr) return Error{path + ": Windows error " + std::to_string(GetLastError())};
    return Library(handle);
}

Library::~Library() {
    if (handle_ != nullptr) FreeLibrary(static_cast<HMODULE>(handle_));
}

Library::Address Library::find_address(const char* name) const {
    DEFIANCE_ASSERT(handle_ != nullptr);
    return reinterpret_cast<Address>(GetProcAddress(static_cast<HMODULE>(handle_), name));
}

bool is_loaded(const std::string& path) {
    return GetModuleHandleW(to_utf16(path).c_str()) != nullptr;
}

#else

Result<Library> Library::load(const std::string& path) {
    void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) return Library(handle);
    const char* reason = dlerror();
    return Error{reason != nullptr ? reason : path + ": cannot be loaded"};
}

Library::~Library() {
    if (handle_ != nullptr) dlclose(handle_);
}

Library::Address Library::find_address(const char* name) const {
    DEFIANCE_ASSERT(handle_ != nullptr);
    return reinterpret_cast<Address>(dlsym(handle_, name));
}

bool is_loaded(const std::string& path) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (handle != nullptr) dlclose(handle);
    return handle != nullptr;
}

#endif

Library::Library(Library&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

Library& Library::operator=(Library&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
}

}  // namespace defiance
