#pragma once

#include <memory>
#include <mutex>
#include <string>

#include <defiance/base/result.hpp>
#include <defiance/engine/game_core.hpp>
#include <defiance/eval/network.hpp>

namespace defiance {

/// The evaluation network of an engine: the embedded one, or that of the option evalfile.
///
/// Safe from several threads. A network file is small: no function takes longer than a moment
/// unless the disk does.
class NetworkKeeper {
public:
    /// Starts with the file of this path, which is read when the network is first asked for; empty:
    /// the embedded network.
    NetworkKeeper(const GameCore& core, std::string path) : core_(core), path_(std::move(path)) {}

    /// Takes the network of a file, or the embedded one when the path is empty. A path that does
    /// not begin at a root is looked for beside the module. Error: the file is no network of this
    /// game, and everything stays as it was.
    Result<std::string> set(const std::string& path);

    /// The path as it was set.
    [[nodiscard]] std::string path() const;

    /// The network to evaluate with: the embedded one also when the stored file cannot be read.
    [[nodiscard]] std::shared_ptr<const Network> network();

    /// Which network it is, for the user: one line.
    [[nodiscard]] std::string report();

private:
    void open();

    const GameCore& core_;
    mutable std::mutex mutex_;  // guards the rest
    std::string path_;
    std::string fault_;  // why the stored file is not used
    std::shared_ptr<const Network> network_;
    bool is_open_ = false;
};

}  // namespace defiance
