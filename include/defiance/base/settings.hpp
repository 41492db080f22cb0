#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace defiance {

/// Persistent options: on Windows in the registry key
/// HKEY_CURRENT_USER\Software\Defiance\<section>, one text value per option; elsewhere, and with an
/// empty section, only in this object. A store that cannot be read or written behaves like an empty
/// one. Safe from several threads.
class SettingsStore {
public:
    explicit SettingsStore(std::string section) : section_(std::move(section)) {}

    /// The value stored under the name; nothing when there is none or it is longer than
    /// max_characters in UTF-16. Registry numbers are converted to text.
    [[nodiscard]] std::optional<std::string> load(const std::string& name);
    void save(const std::string& name, const std::string& value);

private:
    static constexpr unsigned max_characters = 1000;

    [[nodiscard]] std::optional<std::string> load_kept(const std::string& name);
    void save_kept(const std::string& name, const std::string& value);

    std::string section_;
    std::mutex mutex_;
    std::map<std::string, std::string> kept_;
};

}  // namespace defiance
