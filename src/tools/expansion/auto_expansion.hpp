#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <tools/expansion/queue_expansion.hpp>

namespace defiance {

/// A thread that keeps the queue of a store filled by drop-out expansion, so that workers go on
/// when nobody wants anything. It warns and ends when there is too little memory for it.
class AutoExpansion {
public:
    struct Options {
        std::vector<ExpansionRoot> roots;
        QueueExpansion::Settings settings;
        double idle_seconds = 0.2;                     ///< before it looks at the queue again
        double seconds_after_error = 10;               ///< the same when the store did not answer
        std::function<void(const std::string&)> warn;  ///< about an error, once; from its thread
    };

    /// Keeps references, see QueueExpansion.
    AutoExpansion(PositionDatabase& database, PositionStore& store, Options options);
    AutoExpansion(const AutoExpansion&) = delete;
    AutoExpansion& operator=(const AutoExpansion&) = delete;
    ~AutoExpansion();

    /// Returns when the thread has ended. What it has queued stays there.
    void stop();

    [[nodiscard]] std::uint64_t queued() const { return queued_; }
    /// Known positions that the roots lead to.
    [[nodiscard]] std::uint64_t known() const { return known_; }
    /// True when nothing is left to do.
    [[nodiscard]] bool is_over() const { return is_over_; }

private:
    void run();
    void expand();
    /// Waits so long, or until stop().
    void rest(double seconds);

    PositionDatabase& database_;
    PositionStore& store_;
    const Options options_;
    std::atomic<std::uint64_t> queued_ = 0;
    std::atomic<std::uint64_t> known_ = 0;
    std::atomic<bool> is_over_ = false;
    std::atomic<bool> is_stopping_ = false;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::thread thread_;  // last, because it uses the members above
};

}  // namespace defiance
