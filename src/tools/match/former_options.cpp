#include <tools/match/former_options.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

bool has_option(const std::vector<FormerOptions::NamedValue>& noted, const std::string& name) {
    return std::any_of(noted.begin(), noted.end(),
                       [&](const auto& option) { return option.first == name; });
}

}  // namespace

bool FormerOptions::has(const std::string& engine, const std::string& option) const {
    return has_option(of(engine), option);
}

void FormerOptions::note(const std::string& engine, const std::string& option,
                         const std::string& value) {
    DEFIANCE_ASSERT(!engine.empty() && !option.empty());
    const std::lock_guard lock(mutex_);
    std::vector<NamedValue>& noted = options_[engine];
    if (!has_option(noted, option)) noted.emplace_back(option, value);
}

std::vector<FormerOptions::NamedValue> FormerOptions::of(const std::string& engine) const {
    const std::lock_guard lock(mutex_);
    const auto found = options_.find(engine);
    return found == options_.end() ? std::vector<NamedValue>() : found->second;
}

}  // namespace defiance
