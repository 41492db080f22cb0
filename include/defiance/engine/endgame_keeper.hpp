#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/engine/game_core.hpp>

namespace defiance {

inline constexpr std::int64_t max_database_mebibytes = 65536;
inline constexpr int max_database_pieces = max_pieces_on_board;

/// The options of the user for endgame databases.
struct EndgameOptions {
    std::string folder;           ///< dbpath: folder of databases; relative to the program's folder
    std::string distance_folder;  ///< mtcpath: with distances made by others
    std::uint32_t mebibytes = 64;  ///< dbmbytes: for those of others, to max_database_mebibytes
    int max_pieces = max_database_pieces;  ///< max_dbpieces: to max_database_pieces
    bool is_on = true;                     ///< enable_wld: use any of them
    bool use_distances = true;             ///< enable_mtc: use those of distance_folder

    [[nodiscard]] bool operator==(const EndgameOptions&) const = default;
};

/// The value of the option of this name, as it is stored; nothing when there is no such option.
[[nodiscard]] std::optional<std::string> option_text(const EndgameOptions& options,
                                                     std::string_view name);

/// Whether databases are opened again with the same options: there may be new files.
enum class Reopen : std::uint8_t { when_changed, always };

/// Opens the databases of one game when they are first needed and again after a change of options.
/// Holds at most one set. Create it with std::make_shared, because background tasks share it.
///
/// Databases close with the last that uses them, on a thread of their own: the driver of foreign
/// ones may be busy with a drive that does not answer. New ones are opened when that is done. The
/// destructor waits for it too.
///
/// Safe from several threads. Only endgames() and endgames_unless() wait until databases are open.
class EndgameKeeper : public std::enable_shared_from_this<EndgameKeeper> {
public:
    explicit EndgameKeeper(const GameCore& core);
    ~EndgameKeeper();
    EndgameKeeper(const EndgameKeeper&) = delete;
    EndgameKeeper& operator=(const EndgameKeeper&) = delete;

    [[nodiscard]] EndgameOptions options() const;

    /// Gives up the open databases, as release() does, and does not keep those that are being
    /// opened, if the options differ from the old ones or `reopen` says always; else null.
    [[nodiscard]] std::shared_ptr<const EndgameDatabases> set(const EndgameOptions& options,
                                                              Reopen reopen = Reopen::when_changed);

    /// The databases for the current options, opened if necessary; null when switched off. Opening
    /// takes milliseconds, for foreign databases up to seconds.
    [[nodiscard]] std::shared_ptr<const EndgameDatabases> endgames();

    /// The same, but nothing when there is no memory for them, or once `is_interrupted`, which is
    /// called every few milliseconds, is true while they are being opened; another thread then goes
    /// on opening them.
    [[nodiscard]] std::optional<std::shared_ptr<const EndgameDatabases>> endgames_unless(
        const std::function<bool()>& is_interrupted);

    /// Begins to open them on another thread, unless they are open, being opened or switched off.
    void prepare();

    /// Gives up the open databases, if there are any; the next call that needs them opens them
    /// again. The caller drops what is returned outside its locks, because it closes them itself
    /// where no thread is free. Null when none are open.
    [[nodiscard]] std::shared_ptr<const EndgameDatabases> release();

    /// True when endgames() would return just these without opening any.
    [[nodiscard]] bool is_current(const std::shared_ptr<const EndgameDatabases>& endgames) const;

    /// The available databases for the user, one line each. Opens them in the background; if that
    /// takes more than a twentieth of a second, the answer says so.
    [[nodiscard]] std::vector<std::string> report();

private:
    class Closing;

    [[nodiscard]] bool open_in_background();
    [[nodiscard]] std::shared_ptr<const EndgameDatabases> release_locked();

    const GameCore& core_;
    const std::shared_ptr<Closing> closing_;  // has a lock of its own
    std::mutex opening_;                // held while databases are opened; taken before mutex_
    mutable std::mutex mutex_;          // guards all below; held for moments only
    std::condition_variable finished_;  // work in the background has ended
    EndgameOptions options_;
    std::uint64_t times_set_ = 0;
    bool is_open_ = false;  // endgames_ belongs to the current options
    bool is_opening_in_background_ = false;
    bool has_failed_ = false;  // the last opening in the background, whatever the options are now
    std::shared_ptr<const EndgameDatabases> endgames_;
    std::weak_ptr<const EndgameDatabases> replaced_;  // of earlier options; may still be in use
};

}  // namespace defiance
