#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/engine/game_core.hpp>

namespace defiance {

inline constexpr std::int64_t max_database_mebibytes = 65536;
inline constexpr std::int64_t max_database_pieces = 24;

/// What the user can set about endgame databases.
struct EndgameOptions {
    std::string folder;            ///< dbpath: with databases; relative: to the host's folder
    std::string distance_folder;   ///< mtcpath: with distances made by others
    std::uint32_t mebibytes = 64;  ///< dbmbytes: memory for them, to max_database_mebibytes
    int max_pieces = 24;           ///< max_dbpieces: to max_database_pieces
    bool is_on = true;             ///< enable_wld: use any of them
    bool use_distances = true;     ///< enable_mtc: use those of distance_folder

    [[nodiscard]] bool operator==(const EndgameOptions&) const = default;
};

/// Opens the databases of one game when they are first wanted, and again when the options have
/// changed. Safe from several threads; who uses the old ones while new ones are opened keeps them.
class EndgameKeeper {
public:
    explicit EndgameKeeper(const GameCore& core) : core_(core) {}

    [[nodiscard]] EndgameOptions options() const;
    void set(const EndgameOptions& options);

    /// The databases by the options of now; null when they are switched off. Opening takes
    /// milliseconds, with databases made by others longer.
    [[nodiscard]] std::shared_ptr<const EndgameDatabases> endgames();

    /// What is there, for the user, one line each.
    [[nodiscard]] std::vector<std::string> report();

private:
    const GameCore& core_;
    mutable std::mutex mutex_;  // guards options_; held for moments only
    EndgameOptions options_;
    std::mutex opening_;  // guards the rest, also while databases are opened
    EndgameOptions opened_for_;
    bool is_open_ = false;
    std::shared_ptr<const EndgameDatabases> endgames_;
};

/// What a folder holds that this game can use, for the user.
[[nodiscard]] std::string describe_database_folder(const GameCore& core, std::string_view folder);

/// The same for distances made by others.
[[nodiscard]] std::string describe_distance_folder(const GameRules& rules, std::string_view folder);

}  // namespace defiance
