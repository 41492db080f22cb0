#include <defiance/base/settings.hpp>

#include <defiance/base/assert.hpp>

#ifdef _WIN32
#include <windows.h>

#include <array>
#include <cstring>

#include "windows_text.hpp"
#endif

namespace defiance {

#ifdef _WIN32
namespace {

/// An open registry key, closed at the end of the scope; null when it could not be opened.
class RegistryKey {
public:
    RegistryKey(const std::string& path, bool create) {
        const std::wstring name = to_utf16(path);
        if (create)
            RegCreateKeyExW(HKEY_CURRENT_USER, name.c_str(), 0, nullptr, 0, KEY_SET_VALUE, nullptr,
                            &key_, nullptr);
        else
            RegOpenKeyExW(HKEY_CURRENT_USER, name.c_str(), 0, KEY_QUERY_VALUE, &key_);
    }
    ~RegistryKey() {
        if (key_ != nullptr) RegCloseKey(key_);
    }
    RegistryKey(const RegistryKey&) = delete;
    RegistryKey& operator=(const RegistryKey&) = delete;
    [[nodiscard]] HKEY get() const { return key_; }

private:
    HKEY key_ = nullptr;
};

std::string key_path(const std::string& section) {
    return "Software\\Defiance\\" + section;
}

}  // namespace

std::optional<std::string> SettingsStore::load(const std::string& name) {
    if (section_.empty()) return load_kept(name);
    const RegistryKey key(key_path(section_), false);
    if (key.get() == nullptr) return std::nullopt;
    // One character more than is asked for, because the value may lack its terminating zero.
    std::array<wchar_t, max_characters + 1> value{};
    DWORD type = 0;
    DWORD size = max_characters * sizeof(wchar_t);
    if (RegQueryValueExW(key.get(), to_utf16(name).c_str(), nullptr, &type,
                         reinterpret_cast<BYTE*>(value.data()), &size) != ERROR_SUCCESS)
        return std::nullopt;
    DEFIANCE_ASSERT(size <= max_characters * sizeof(wchar_t));
    if (type == REG_SZ) return to_utf8(value.data());
    DWORD number = 0;
    if (type != REG_DWORD || size != sizeof number) return std::nullopt;
    std::memcpy(&number, value.data(), sizeof number);
    return std::to_string(number);
}

void SettingsStore::save(const std::string& name, const std::string& value) {
    if (section_.empty()) return save_kept(name, value);
    DEFIANCE_ASSERT(!name.empty());
    const RegistryKey key(key_path(section_), true);
    if (key.get() == nullptr) return;
    const std::wstring text = to_utf16(value);
    RegSetValueExW(key.get(), to_utf16(name).c_str(), 0, REG_SZ,
                   reinterpret_cast<const BYTE*>(text.c_str()),
                   static_cast<DWORD>((text.size() + 1) * sizeof(wchar_t)));
}

#else

std::optional<std::string> SettingsStore::load(const std::string& name) {
    return load_kept(name);
}

void SettingsStore::save(const std::string& name, const std::string& value) {
    save_kept(name, value);
}

#endif

std::optional<std::string> SettingsStore::load_kept(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = kept_.find(name);
    return found == kept_.end() ? std::nullopt : std::optional(found->second);
}

void SettingsStore::save_kept(const std::string& name, const std::string& value) {
    DEFIANCE_ASSERT(!name.empty());
    const std::lock_guard lock(mutex_);
    kept_[name] = value;
}

}  // namespace defiance
