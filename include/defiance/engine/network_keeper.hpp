#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include <defiance/base/result.hpp>
#include <defiance/engine/file_wait.hpp>
#include <defiance/engine/game_core.hpp>
#include <defiance/eval/network.hpp>

namespace defiance {

class SlowWork;

/// Reads the network of a path.
using NetworkReader = std::function<Result<std::shared_ptr<const Network>>(
    const GameRules& rules, const std::string& path)>;

/// Reads the network of a file. A path that does not begin at a root is looked for beside the
/// module. Error: it is no network of this game.
[[nodiscard]] Result<std::shared_ptr<const Network>> read_network(const GameRules& rules,
                                                                  const std::string& path);

/// The evaluation network of an engine: the embedded one, or that of the option evalfile. Create it
/// with std::make_shared, because background tasks share it.
///
/// Safe from several threads. The file is read on another thread, because a drive of the network
/// that is off takes long to say so; only set() waits for it as long as that takes.
class NetworkKeeper : public std::enable_shared_from_this<NetworkKeeper> {
public:
    /// Starts with the file of this path, which is read when the network is first asked for; empty:
    /// the embedded network.
    NetworkKeeper(const GameCore& core, std::string path, NetworkReader read = read_network);

    /// Takes the network of a file, or the embedded one when the path is empty. Error: the file is
    /// no network of this game, and everything stays as it was.
    Result<std::string> set(const std::string& path);

    /// The path as it was set.
    [[nodiscard]] std::string path() const;

    /// The network to evaluate with: the embedded one also when the stored file cannot be read, and
    /// as long as it has not been read within the wait.
    [[nodiscard]] std::shared_ptr<const Network> network(const FileWait& wait);

    /// Which network it is, for the user: one line. If it takes more than some milliseconds to read
    /// it, the answer says so.
    [[nodiscard]] std::string report();

private:
    [[nodiscard]] std::shared_ptr<const Network> embedded() const;
    void open();

    const GameCore& core_;
    const NetworkReader read_;
    const std::shared_ptr<SlowWork> files_;  // reads the stored file
    mutable std::mutex mutex_;               // guards the rest; held for moments only
    std::string path_;
    std::string fault_;                       // why the stored file is not used
    std::shared_ptr<const Network> network_;  // null: the stored file is still to be read
};

}  // namespace defiance
