#pragma once

#include <string>

#include <defiance/base/assert.hpp>
#include <defiance/base/result.hpp>

namespace defiance {

/// A DLL or shared object loaded at run time, unloaded with the object. Not copyable, movable.
class Library {
public:
    Library() = default;
    /// Loads the file with this path; never empty. Error: why that cannot be done.
    [[nodiscard]] static Result<Library> load(const std::string& path);
    ~Library();
    Library(Library&& other) noexcept;
    Library& operator=(Library&& other) noexcept;
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    [[nodiscard]] explicit operator bool() const { return handle_ != nullptr; }

    /// The exported function of this exact name, or null. Valid while the object lives, which must
    /// not be empty.
    template <class Function>
    [[nodiscard]] Function find(const char* name) const {
        DEFIANCE_ASSERT(handle_ != nullptr);
        return reinterpret_cast<Function>(find_address(name));
    }

private:
    using Address = void (*)();
    explicit Library(void* handle) : handle_(handle) {}
    [[nodiscard]] Address find_address(const char* name) const;

    void* handle_ = nullptr;
};

/// True while a DLL or shared object with this path is loaded in this process.
[[nodiscard]] bool is_loaded(const std::string& path);

}  // namespace defiance
