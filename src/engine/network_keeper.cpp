#include <defiance/engine/network_keeper.hpp>

#include <string_view>
#include <utility>

#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/game_rules.hpp>

#include "slow_work.hpp"

namespace defiance {
namespace {

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
    const std::string shape = "network of " + std::to_string(p.hidden) + " units, checksum " +
                              std::to_string(network.checksum());
    return p.description.empty() ? shape : shape + " (" + beginning(p.description) + ")";
}

}  // namespace

Result<std::shared_ptr<const Network>> read_network(const GameRules& rules,
                                                    const std::string& path) {
    const std::string file = is_absolute(path) ? path : folder_of(module_path()) + path;
    Result<NetworkParameters> parameters = read_network_file(file, rules.name);
    if (!parameters) return Error{parameters.error()};
    return std::make_shared<const Network>(*std::move(parameters));
}

NetworkKeeper::NetworkKeeper(const GameCore& core, std::string path, NetworkReader read)
    : core_(core),
      read_(std::move(read)),
      files_(std::make_shared<SlowWork>()),
      path_(std::move(path)) {}

/// The embedded network, which lives as long as the module.
std::shared_ptr<const Network> NetworkKeeper::embedded() const {
    return {std::shared_ptr<const Network>(), &core_.embedded_network()};
}

/// Reads the stored file unless that is done. A task of files_.
void NetworkKeeper::open() {
    std::string path;
    {
        const std::lock_guard lock(mutex_);
        if (network_ != nullptr) return;
        path = path_;
    }
    std::shared_ptr<const Network> network = embedded();
    std::string fault;
    const Result<std::shared_ptr<const Network>> read = read_(core_.rules, path);
    if (read)
        network = *read;
    else
        fault = read.error();
    const std::lock_guard lock(mutex_);
    if (network_ != nullptr) return;  // the user has set another one meanwhile
    network_ = std::move(network);
    fault_ = std::move(fault);
}

Result<std::string> NetworkKeeper::set(const std::string& path) {
    std::shared_ptr<const Network> network = embedded();
    if (!path.empty()) {
        Result<std::shared_ptr<const Network>> read = read_(core_.rules, path);
        if (!read) return Error{read.error()};
        network = *read;
    }
    const std::lock_guard lock(mutex_);
    path_ = path;
    fault_.clear();
    network_ = std::move(network);
    return path;
}

std::string NetworkKeeper::path() const {
    const std::lock_guard lock(mutex_);
    return path_;
}

std::shared_ptr<const Network> NetworkKeeper::network(const FileWait& wait) {
    std::unique_lock lock(mutex_);
    if (network_ != nullptr) return network_;
    const bool has_file = !path_.empty();
    lock.unlock();
    if (has_file)
        static_cast<void>(files_->run([self = shared_from_this()] { self->open(); },
                                      "reading the evaluation", wait));
    lock.lock();
    if (network_ != nullptr) return network_;
    lock.unlock();
    return embedded();
}

std::string NetworkKeeper::report() {
    const std::shared_ptr<const Network> used = network(brief_wait());
    const std::lock_guard lock(mutex_);
    if (path_.empty()) return describe(*used);
    if (network_ == nullptr) return path_ + " is being read; ask again in a few seconds";
    if (!fault_.empty()) return describe(*network_) + "; " + fault_;
    return path_ + ", " + describe(*network_);
}

}  // namespace defiance
