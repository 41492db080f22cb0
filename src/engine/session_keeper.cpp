#include "session_keeper.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/background.hpp>
#include <defiance/base/clock.hpp>

namespace defiance {
namespace {

/// Size of the table of a concurrent second think().
constexpr std::uint32_t spare_mebibytes = 4;

// An opponent thinks about as long as we do. After several times that without a think() the game is
// over or the engine dropped; if not, losing the table costs little strength.
constexpr double patience_factor = 4;
constexpr double max_patience = 900;
// Databases are kept for longer, because opening those of others takes seconds of the next move.
constexpr double database_factor = 10;

}  // namespace

void SessionKeeper::drop_stale() {
    std::unique_ptr<SearchSession> dropped;  // freed after the lock, which may take a while
    has_waited_in_vain_ = false;             // for other databases than those that come now
    const std::lock_guard lock(mutex_);
    if (idle_ != nullptr && !endgames_->is_current(idle_->endgames)) dropped = std::move(idle_);
}

std::unique_ptr<SearchSession> SessionKeeper::take_idle() {
    const std::lock_guard lock(mutex_);
    return std::move(idle_);
}

std::uint32_t SessionKeeper::table_mebibytes() const {
    const std::lock_guard lock(mutex_);
    if (is_lent_) return lent_mebibytes_;
    return idle_ == nullptr ? 0 : idle_->table->size_mebibytes();
}

std::uint32_t SessionKeeper::lent_mebibytes() const {
    const std::lock_guard lock(mutex_);
    return lent_mebibytes_;
}

void SessionKeeper::give_back(std::unique_ptr<SearchSession> session, double seconds_used) {
    DEFIANCE_ASSERT(seconds_used >= 0);
    std::unique_ptr<SearchSession> dropped;
    const std::lock_guard lock(mutex_);
    DEFIANCE_ASSERT(is_lent_ && idle_ == nullptr);
    is_lent_ = false;
    lent_mebibytes_ = 0;
    if (session == nullptr || !endgames_->is_current(session->endgames)) {
        dropped = std::move(session);
        wait_for_next();
        return;
    }
    idle_ = std::move(session);
    patience_ = std::min(seconds_used * patience_factor, max_patience);
    wait_for_next();
}

void SessionKeeper::note_opening() {
    const std::lock_guard lock(mutex_);
    if (!is_lent_) wait_for_next();
}

/// Begins to wait for the next use. The lock is held.
void SessionKeeper::wait_for_next() {
    since_return_ = Stopwatch();
    patience_ = std::max(patience_, idle_seconds_);
    release_later(patience_);
}

/// Sets a timer if none is set that ends by then. The lock is held.
void SessionKeeper::release_later(double seconds) {
    const double due = clock_.seconds() + std::max(seconds, 0.0);
    if (timer_due_ && *timer_due_ <= due) return;
    try {
        const auto weak = weak_from_this();
        const bool is_set = run_in_background(
            [weak] {
                if (const auto self = weak.lock()) self->release_if_idle();
            },
            std::max(seconds, 0.0), [weak] { return !weak.expired(); });
        if (is_set) timer_due_ = due;
    } catch (const std::bad_alloc&) {
        // The end of the next think() tries again. A destructor calls this.
    }
}

void SessionKeeper::release_if_idle() {
    // Freed and closed after the lock, which may take a while.
    std::shared_ptr<const EndgameDatabases> closed;
    std::unique_ptr<SearchSession> dropped;
    const std::lock_guard lock(mutex_);
    // A later timer that an earlier one has overtaken may be the one that has ended.
    constexpr double tolerance = 0.05;
    if (timer_due_ && clock_.seconds() >= *timer_due_ - tolerance) timer_due_.reset();
    // During a think() nothing is idle; its end sets the timer again.
    if (is_lent_) return;
    const double idle_for = since_return_.seconds();
    if (idle_for >= patience_) dropped = std::move(idle_);
    const double left = patience_ * (idle_ != nullptr ? 1 : database_factor) - idle_for;
    if (left > 0)
        release_later(left);
    else
        closed = endgames_->release();
}

SessionLoan::SessionLoan(std::shared_ptr<SessionKeeper> keeper, std::uint32_t mebibytes)
    : keeper_(std::move(keeper)), mebibytes_(mebibytes) {
    DEFIANCE_ASSERT(mebibytes_ >= 1);
    const std::lock_guard lock(keeper_->mutex_);
    is_spare_ = keeper_->is_lent_;
    if (is_spare_) {
        mebibytes_ = spare_mebibytes;
        return;
    }
    keeper_->is_lent_ = true;
    session_ = std::move(keeper_->idle_);
}

SessionLoan::~SessionLoan() {
    if (!is_spare_) keeper_->give_back(std::move(session_), stopwatch_.seconds());
}

GameSearch& SessionLoan::search(const FileWait& wait) {
    auto network = keeper_->networks_->network(wait);
    // The old session is freed first, because two together could exceed the memory options.
    if (session_ != nullptr &&
        (session_->wanted_mebibytes != mebibytes_ ||
         !keeper_->endgames_->is_current(session_->endgames) || network != session_->network))
        session_.reset();
    if (session_ == nullptr) session_ = make_session(std::move(network), wait);
    DEFIANCE_ASSERT(session_->search != nullptr && session_->table != nullptr);
    if (!is_spare_) {
        const std::lock_guard lock(keeper_->mutex_);
        keeper_->lent_mebibytes_ = session_->table->size_mebibytes();
    }
    return *session_->search;
}

std::unique_ptr<SearchSession> SessionLoan::make_session(std::shared_ptr<const Network> network,
                                                         const FileWait& wait) const {
    // Without databases the session is not the one that the options ask for, so it is not kept.
    // What one move has waited for in vain does not cost the next one as much.
    constexpr double short_patience = 0.05;
    const double patience = keeper_->has_waited_in_vain_
                                ? std::min(short_patience, wait.endgame_patience)
                                : wait.endgame_patience;
    const Stopwatch stopwatch;
    bool is_in_vain = false;
    const auto is_interrupted = [&] {
        is_in_vain = stopwatch.seconds() >= patience;
        return is_in_vain || wait.is_interrupted("opening endgame databases");
    };
    auto endgames = keeper_->endgames_->endgames_unless(is_interrupted).value_or(nullptr);
    keeper_->has_waited_in_vain_ = is_in_vain;
    std::unique_ptr<TranspositionTable> table;
    std::unique_ptr<GameSearch> search;
    // The stored size may be more than this machine has memory for, or leave none for the search.
    for (std::uint32_t size = mebibytes_; search == nullptr; size /= 2) {
        table.reset();
        table = std::make_unique<TranspositionTable>(size);
        if (!*table && size > 1) continue;
        try {
            search = keeper_->core_.make_search(*table);
        } catch (const std::bad_alloc&) {
            if (size <= 1) throw;
        }
    }
    DEFIANCE_ASSERT(table->size_mebibytes() <= mebibytes_);
    search->use(endgames.get());
    search->use(*network);
    return std::make_unique<SearchSession>(SearchSession{
        mebibytes_, std::move(table), std::move(endgames), std::move(network), std::move(search)});
}

}  // namespace defiance
