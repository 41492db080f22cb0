#include <defiance/engine/network_keeper.hpp>

#include <string_view>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/game_rules.hpp>

namespace defiance {
namespace {

Result<std::shared_ptr<const Network>> read_network(const GameRules& rules,
                                                    const std::string& path) {
    const std::string file = is_absolute(path) ? path : folder_of(module_path()) + path;
    Result<NetworkParameters> parameters = read_network_file(file, rules.name);
    if (!parameters) return Error{parameters.error()};
    return std::make_shared<const Network>(*std::move(parameters));
}

/// A pointer to a network that lives as long as the module.
std::shared_ptr<const Network> unowned(const Network* network) {
    return {std::shared_ptr<const Network>(), network};
}

/// As many of the first items of a description as users read, on one line.
std::string beginning(std::string_view description) {
    constexpr std::size_t max_characters = 60;
    std::string text = shown(description, max_characters);
    const std::size_t comma = text.rfind(", ");
    const bool is_cut = text.size() > max_characters && comma != std::string::npos;
    return is_cut ? text.substr(0, comma) : text;
}

std::string describe(const Network& network) {
    const NetworkParameters& p = network.parameters();
    const std::string shape = "network of " + std::to_string(p.hidden) + " units, number " +
                              std::to_string(network.sum());
    return p.description.empty() ? shape : shape + " (" + beginning(p.description) + ")";
}

}  // namespace

void NetworkKeeper::open() {
    if (is_open_) return;
    network_ = unowned(&core_.embedded_network());
    if (!path_.empty()) {
        Result<std::shared_ptr<const Network>> read = read_network(core_.rules, path_);
        if (read)
            network_ = *read;
        else
            fault_ = read.error();
    }
    is_open_ = true;  // not before: memory may run short on the way, and then it is done again
}

Result<std::string> NetworkKeeper::set(const std::string& path) {
    std::shared_ptr<const Network> network = unowned(&core_.embedded_network());
    if (!path.empty()) {
        Result<std::shared_ptr<const Network>> read = read_network(core_.rules, path);
        if (!read) return Error{read.error()};
        network = *read;
    }
    const std::lock_guard lock(mutex_);
    path_ = path;
    fault_.clear();
    network_ = std::move(network);
    is_open_ = true;
    return path_;
}

std::string NetworkKeeper::path() const {
    const std::lock_guard lock(mutex_);
    return path_;
}

std::shared_ptr<const Network> NetworkKeeper::network() {
    const std::lock_guard lock(mutex_);
    open();
    return network_;
}

std::string NetworkKeeper::report() {
    const std::lock_guard lock(mutex_);
    open();
    DEFIANCE_ASSERT(network_ != nullptr);
    const std::string used = describe(*network_);
    if (path_.empty()) return used;
    if (!fault_.empty()) return used + "; " + fault_;
    return path_ + ", " + used;
}

}  // namespace defiance
