#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace defiance {

/// The options of engines as they were before a competition set others. Engines store what they are
/// told, by the name of their file, and each process of one begins with what another one has
/// stored, so only the first value that is seen is the user's. All functions may be called from
/// several threads.
class FormerOptions {
public:
    using NamedValue = std::pair<std::string, std::string>;

    /// True when a value of this option has been noted of the engine.
    [[nodiscard]] bool has(const std::string& engine, const std::string& option) const;
    /// Notes a value, unless there is one already. To be called before the option is set.
    void note(const std::string& engine, const std::string& option, const std::string& value);
    /// The options of the engine that were noted, in that order.
    [[nodiscard]] std::vector<NamedValue> of(const std::string& engine) const;

private:
    mutable std::mutex mutex_;
    std::map<std::string, std::vector<NamedValue>> options_;
};

}  // namespace defiance
