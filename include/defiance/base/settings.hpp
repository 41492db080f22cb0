#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace defiance {

/// Where options live on between runs: on Windows the registry key
/// HKEY_CURRENT_USER\Software\Defiance\<section>, one text value an option; elsewhere, and
/// with an empty section, this object only. A store that cannot be read or written behaves as an
/// empty one. Safe from several threads.
class SettingsStore {
public:
    explicit SettingsStore(std::string section) : section_(std::move(section)) {}

    /// The value kept under the name; nothing when there is none or it is longer than
    /// max_characters in UTF-16. Numbers in the registry come as text.
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
