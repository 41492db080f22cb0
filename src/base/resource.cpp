#include <defiance/base/resource.hpp>

#ifdef _WIN32
#include <windows.h>
#endif

namespace defiance {

#ifdef _WIN32
std::string_view find_resource(const char* name) {
    HMODULE module = nullptr;
    static const char anchor = 0;
    if (GetModuleHandleExA(
            GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
            &anchor, &module) == 0)
        return {};
    // The number 10 stands for RT_RCDATA, whose macro has the wrong character type here.
    const HRSRC resource = FindResourceA(module, name, MAKEINTRESOURCEA(10));
    if (resource == nullptr) return {};
    const HGLOBAL loaded = LoadResource(module, resource);
    const void* bytes = loaded == nullptr ? nullptr : LockResource(loaded);
    if (bytes == nullptr) return {};
    return {static_cast<const char*>(bytes), SizeofResource(module, resource)};
}
#else
std::string_view find_resource(const char*) {
    return {};
}
#endif

}  // namespace defiance
