#include <defiance/engine/endgame_keeper.hpp>

#include <chrono>
#include <new>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/background.hpp>

#include "endgame_settings.hpp"

namespace defiance {

/// The databases of a keeper that are being closed; shared with the threads that do that.
class EndgameKeeper::Closing {
public:
    /// The databases, which whoever drops them last begins to close.
    [[nodiscard]] static std::shared_ptr<const EndgameDatabases> shared(
        const std::shared_ptr<Closing>& closing, std::unique_ptr<EndgameDatabases> databases) {
        const auto close = [closing](const EndgameDatabases* dropped) { begin(closing, dropped); };
        return {databases.release(), close};
    }

    /// From now on they are closed where they are dropped.
    void end_background() {
        const std::lock_guard lock(mutex_);
        is_in_background_ = false;
    }

    /// Waits until all that have been dropped are closed.
    void wait() {
        std::unique_lock lock(mutex_);
        finished_.wait(lock, [&] { return open_ == 0; });
    }

private:
    static void begin(const std::shared_ptr<Closing>& closing,
                      const EndgameDatabases* dropped) noexcept {
        const auto work = [closing, dropped] {
            delete dropped;
            const std::lock_guard lock(closing->mutex_);
            --closing->open_;
            closing->finished_.notify_all();
        };
        bool is_in_background = false;
        {
            const std::lock_guard lock(closing->mutex_);
            ++closing->open_;
            is_in_background = closing->is_in_background_;
        }
        try {
            if (is_in_background && run_in_background(work)) return;
        } catch (const std::bad_alloc&) {
            // There is no memory even for the task.
        }
        work();
    }

    std::mutex mutex_;  // guards the rest; held for moments only
    std::condition_variable finished_;
    int open_ = 0;  // sets that have been dropped and are not closed yet
    bool is_in_background_ = true;
};

EndgameKeeper::EndgameKeeper(const GameCore& core)
    : core_(core), closing_(std::make_shared<Closing>()) {}

/// A program that ends unloads drivers, which must not be closing databases then.
EndgameKeeper::~EndgameKeeper() {
    closing_->end_background();
    endgames_.reset();
    closing_->wait();
}

EndgameOptions EndgameKeeper::options() const {
    const std::lock_guard lock(mutex_);
    return options_;
}

std::shared_ptr<const EndgameDatabases> EndgameKeeper::set(const EndgameOptions& options,
                                                           Reopen reopen) {
    const std::lock_guard lock(mutex_);
    if (options == options_ && reopen == Reopen::when_changed) return nullptr;
    options_ = options;
    ++times_set_;
    return release_locked();
}

std::shared_ptr<const EndgameDatabases> EndgameKeeper::release() {
    const std::lock_guard lock(mutex_);
    return release_locked();
}

/// release() for a caller that holds the lock.
std::shared_ptr<const EndgameDatabases> EndgameKeeper::release_locked() {
    is_open_ = false;
    if (endgames_ != nullptr) replaced_ = endgames_;
    return std::exchange(endgames_, nullptr);
}

std::shared_ptr<const EndgameDatabases> EndgameKeeper::endgames() {
    const std::lock_guard opening(opening_);
    EndgameOptions wanted;
    std::uint64_t times_set = 0;
    {
        const std::lock_guard lock(mutex_);
        if (is_open_) return endgames_;
        DEFIANCE_ASSERT(endgames_ == nullptr);
        wanted = options_;
        times_set = times_set_;
    }
    std::shared_ptr<const EndgameDatabases> opened;
    if (wanted.is_on) {
        // Two sets could exceed the memory option.
        closing_->wait();
        opened = Closing::shared(closing_, core_.open_endgames(settings_for(wanted)));
    }
    const std::lock_guard lock(mutex_);
    // If the options were set meanwhile, these databases are for this caller only.
    if (times_set == times_set_) {
        endgames_ = opened;
        is_open_ = true;
    }
    return opened;
}

std::optional<std::shared_ptr<const EndgameDatabases>> EndgameKeeper::endgames_unless(
    const std::function<bool()>& is_interrupted) {
    constexpr std::chrono::milliseconds interval{5};
    // Again when the options have changed while databases were being opened.
    while (open_in_background()) {
        {
            std::unique_lock lock(mutex_);
            finished_.wait_for(lock, interval, [&] { return !is_opening_in_background_; });
            if (is_open_) break;
            if (has_failed_) return std::nullopt;
        }
        if (is_interrupted()) return std::nullopt;
    }
    try {
        return endgames();  // opens them where no thread was free
    } catch (const std::bad_alloc&) {
        return std::nullopt;
    }
}

void EndgameKeeper::prepare() {
    {
        const std::lock_guard lock(mutex_);
        if (!options_.is_on) return;
    }
    static_cast<void>(open_in_background());
}

bool EndgameKeeper::is_current(const std::shared_ptr<const EndgameDatabases>& endgames) const {
    const std::lock_guard lock(mutex_);
    return is_open_ && endgames_ == endgames;
}

/// Opens them unless they are open or being opened. False when there is no task for it.
bool EndgameKeeper::open_in_background() {
    const auto work = [self = shared_from_this()] {
        bool has_failed = false;
        try {
            static_cast<void>(self->endgames());
        } catch (...) {
            // The databases stay closed; the next report() tries again.
            has_failed = true;
        }
        const std::lock_guard lock(self->mutex_);
        self->has_failed_ = has_failed;
        self->is_opening_in_background_ = false;
        self->finished_.notify_all();
    };
    {
        const std::lock_guard lock(mutex_);
        if (is_open_ || is_opening_in_background_) return true;
        is_opening_in_background_ = true;
        has_failed_ = false;
    }
    try {
        if (run_in_background(work)) return true;
    } catch (const std::bad_alloc&) {
        // There is no memory even for the task.
    }
    const std::lock_guard lock(mutex_);
    is_opening_in_background_ = false;
    has_failed_ = true;
    return false;
}

std::vector<std::string> EndgameKeeper::report() {
    {
        const std::lock_guard lock(mutex_);
        // A search still uses the old databases; two sets could exceed the memory option.
        if (options_.is_on && !replaced_.expired()) return {"opened anew with the next move"};
    }
    static_cast<void>(open_in_background());
    std::shared_ptr<const EndgameDatabases> endgames;
    {
        std::unique_lock lock(mutex_);
        if (!options_.is_on) return {"switched off"};
        finished_.wait_for(lock, user_patience, [&] { return !is_opening_in_background_; });
        DEFIANCE_ASSERT(is_open_ || endgames_ == nullptr);
        if (!is_open_ && has_failed_) return {"cannot be opened: out of memory"};
        // The options may have changed while others were being opened.
        if (!is_open_) return {"being opened; ask again in a few seconds"};
        endgames = endgames_;
    }
    return endgames == nullptr ? std::vector<std::string>{"switched off"} : endgames->report();
}

}  // namespace defiance
