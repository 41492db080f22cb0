#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include <defiance/base/clock.hpp>
#include <defiance/engine/endgame_keeper.hpp>
#include <defiance/engine/file_wait.hpp>
#include <defiance/engine/game_core.hpp>
#include <defiance/engine/network_keeper.hpp>

namespace defiance {

/// The resources of one search.
struct SearchSession {
    std::uint32_t wanted_mebibytes;  // requested size; the table is smaller if memory was short
    std::unique_ptr<TranspositionTable> table;
    // The content of the table depends on these.
    std::shared_ptr<const EndgameDatabases> endgames;
    std::shared_ptr<const Network> network;
    std::unique_ptr<GameSearch> search;
};

/// Owns the table and the search of an engine between thinks and frees them when the engine has
/// been idle for long, and closes the databases after ten times as long, because CheckerBoard does
/// not tell when it drops an engine and the module stays loaded. Create it with std::make_shared.
///
/// Safe from several threads. What is dropped is freed on the thread that does so, outside the
/// lock: a table within some milliseconds for each 100 MiB, while databases close on a thread of
/// their own (see EndgameKeeper). No function but SessionLoan's search() takes longer than that.
/// Lock order: this lock before those of the EndgameKeeper and the NetworkKeeper.
class SessionKeeper : public std::enable_shared_from_this<SessionKeeper> {
public:
    SessionKeeper(const GameCore& core, std::shared_ptr<EndgameKeeper> endgames,
                  std::shared_ptr<NetworkKeeper> networks, double idle_seconds)
        : core_(core),
          endgames_(std::move(endgames)),
          networks_(std::move(networks)),
          idle_seconds_(idle_seconds) {}

    /// The options of the databases have changed: frees the idle session if its databases are not
    /// those of the options of now.
    void drop_stale();
    /// Gives up the idle session, if there is one. To be dropped outside locks.
    [[nodiscard]] std::unique_ptr<SearchSession> take_idle();

    /// Tells that databases are being opened, for a think() or a report. They are closed
    /// like those of a session if nothing uses them.
    void note_opening();

    /// Size of the table that is kept, in use or idle, in MiB; 0: none.
    [[nodiscard]] std::uint32_t table_mebibytes() const;
    /// The same of one in use.
    [[nodiscard]] std::uint32_t lent_mebibytes() const;

private:
    friend class SessionLoan;

    void give_back(std::unique_ptr<SearchSession> session, double seconds_used);
    void wait_for_next();
    void release_later(double seconds);
    void release_if_idle();

    const GameCore& core_;
    const std::shared_ptr<EndgameKeeper> endgames_;
    const std::shared_ptr<NetworkKeeper> networks_;
    const double idle_seconds_;
    std::atomic<bool> has_waited_in_vain_ = false;  // for databases, in the last session made
    mutable std::mutex mutex_;                      // guards the rest; held for moments only
    std::unique_ptr<SearchSession> idle_;           // null while a think() uses it
    bool is_lent_ = false;
    std::uint32_t lent_mebibytes_ = 0;
    Stopwatch clock_;
    std::optional<double> timer_due_;  // by clock_: when the timer that was set last ends
    double patience_ = 0;              // seconds without a think after which the session is freed
    Stopwatch since_return_;           // of the idle session, or since databases were opened
};

/// Borrows the engine's session for one think(), or makes a small spare one when another think()
/// has it. The destructor gives it back.
class SessionLoan {
public:
    SessionLoan(std::shared_ptr<SessionKeeper> keeper, std::uint32_t mebibytes);
    ~SessionLoan();
    SessionLoan(const SessionLoan&) = delete;
    SessionLoan& operator=(const SessionLoan&) = delete;

    /// The search with the current databases and network and a table of the requested size, halved
    /// until there is memory for it. Opens and allocates what is missing; where the wait ends
    /// before databases are open the search does without them, and without the user's network
    /// where it has not been read.
    [[nodiscard]] GameSearch& search(const FileWait& wait);

private:
    [[nodiscard]] std::unique_ptr<SearchSession> make_session(
        std::shared_ptr<const Network> network, const FileWait& wait) const;

    std::shared_ptr<SessionKeeper> keeper_;
    std::uint32_t mebibytes_;
    bool is_spare_ = false;
    std::unique_ptr<SearchSession> session_;
    Stopwatch stopwatch_;
};

}  // namespace defiance
