#include <tools/expansion/auto_expansion.hpp>

#include <chrono>
#include <utility>

#include <defiance/base/assert.hpp>
#include <tools/posdb/try_to.hpp>

namespace defiance {

AutoExpansion::AutoExpansion(PositionDatabase& database, PositionStore& store, Options options)
    : database_(database), store_(store), options_(std::move(options)), thread_([this] { run(); }) {
    DEFIANCE_ASSERT(options_.warn && options_.idle_seconds > 0);
}

AutoExpansion::~AutoExpansion() {
    stop();
}

void AutoExpansion::stop() {
    {
        const std::lock_guard lock(mutex_);
        is_stopping_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void AutoExpansion::rest(double seconds) {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, std::chrono::duration<double>(seconds),
                   [this] { return is_stopping_.load(); });
}

void AutoExpansion::run() {
    if (try_to([this] { expand(); })) return;
    // What was put together is gone by now: others need the memory. It may not even do to warn.
    static_cast<void>(try_to([this] {
        options_.warn(
            "drop-out expansion has ended for want of memory; a smaller number in "
            "--expand-positions needs less");
    }));
}

void AutoExpansion::expand() {
    QueueExpansion expansion(database_, store_, options_.roots, options_.settings);
    std::string last_problem;
    while (!is_stopping_) {
        const auto has_more = expansion.step([this] { return is_stopping_.load(); });
        queued_ = expansion.queued();
        known_ = expansion.known();
        if (has_more) {
            last_problem.clear();
            if (!*has_more) {
                is_over_ = true;
                return;
            }
            rest(options_.idle_seconds);
        } else {
            if (last_problem != has_more.error()) options_.warn(has_more.error());
            last_problem = has_more.error();
            rest(options_.seconds_after_error);
        }
    }
}

}  // namespace defiance
