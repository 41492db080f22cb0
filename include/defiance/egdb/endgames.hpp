#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/egdb/database_file.hpp>
#include <defiance/egdb/probe.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

template <class Rules>
class Database;
class ForeignDatabase;

/// Where endgame databases are looked for, and how much of them is used. Folders end with a
/// separator.
struct EndgameSettings {
    bool built_in = true;                      ///< use the databases inside the program
    std::string folder;                        ///< named by the user; empty: none
    std::vector<std::string> default_folders;  ///< looked into after that; may be missing
    std::string distance_folder;               ///< with distances made by others; empty: none
    /// Where the driver for databases made by others may be. It is code: name the folders of the
    /// programs, never those of data.
    std::vector<std::string> driver_folders;
    int max_pieces = max_pieces_on_board;                   ///< positions of more are unknown
    std::uint64_t foreign_bytes = std::uint64_t{64} << 20;  ///< memory for those made by others
};

/// Asked before each look-up in a database made by others, which may wait for a disk, and now and
/// then: true when there is no time left. Once true it stays true. Empty: never.
using StopCondition = std::function<bool()>;

/// All endgame databases of one game: the built-in one, our files, and one made by others. Once
/// constructed it can be probed by any number of threads.
///
/// This is what code for any game can do with them; searches probe Endgames<Rules>.
class EndgameDatabases {
public:
    virtual ~EndgameDatabases() = default;

    [[nodiscard]] virtual const GameRules& rules() const = 0;

    /// The most pieces of a position that may be known; 0 when none is.
    [[nodiscard]] virtual int pieces() const = 0;

    /// What the position is worth, by looking at its successors where it is not kept itself.
    /// Nothing when that takes more than `max_positions` (1 or more) of them, or when it was told
    /// to stop.
    [[nodiscard]] virtual std::optional<EgdbResult> resolve(
        const Position& position, std::size_t max_positions,
        const StopCondition& must_stop = {}) const = 0;

    /// Plies to the next capture or move of a man on the way to the end, in a position that is
    /// won or lost, where a database made by others knows them; below ten they are
    /// ForeignDatabase::dtc_below_ten. Nothing when it was told to stop.
    [[nodiscard]] virtual std::optional<int> dtc(const Position& position,
                                                 const StopCondition& must_stop = {}) const = 0;

    /// Lines for the user: what was found, where and of how many pieces, and up to how many it is
    /// looked up if that is fewer, then what could not be used, each beginning with not_used_mark.
    /// What is missing is told of the folder that the user has named, faults are told of all
    /// folders.
    [[nodiscard]] virtual std::vector<std::string> report() const = 0;
};

inline constexpr std::string_view not_used_mark = "not used: ";

/// The same, compiled for the rules type of the game.
template <class Rules>
class Endgames final : public EndgameDatabases {
public:
    /// Opens what the settings lead to. What cannot be used is left out and named in report().
    explicit Endgames(const EndgameSettings& settings);
    ~Endgames() override;

    [[nodiscard]] const GameRules& rules() const override { return rules_of<Rules>; }

    [[nodiscard]] int pieces() const override { return pieces_; }

    /// What the position is worth, by one probe; nothing where a side can capture and for much else
    /// (see Database::probe). A database made by others is asked where ours do not go, and for the
    /// distance that ours do not keep: that may read from disk, takes up to many milliseconds and
    /// sets options.slow.
    [[nodiscard]] std::optional<EgdbResult> probe(const Position& position,
                                                  const ProbeOptions& options = {}) const;

    [[nodiscard]] std::optional<EgdbResult> resolve(
        const Position& position, std::size_t max_positions,
        const StopCondition& must_stop = {}) const override;

    [[nodiscard]] std::optional<int> dtc(const Position& position,
                                         const StopCondition& must_stop = {}) const override;

    /// Best play of both sides from a position on, at most `max_plies` moves: as far as the
    /// databases know how soon the game is won. Empty where nothing is known; ends early when it
    /// was told to stop.
    [[nodiscard]] std::vector<Move> best_line(const Position& position, std::size_t max_plies,
                                              const StopCondition& must_stop = {}) const;

    /// True when our databases keep the quiet positions of this material, rather than those of the
    /// swapped one.
    [[nodiscard]] bool keeps(const Material& material) const;

    /// True when look-ups wait for a disk as a rule: there is a database made by others.
    [[nodiscard]] bool may_wait() const { return foreign_ != nullptr; }

    /// What could not be used: lines for the user.
    [[nodiscard]] const std::vector<std::string>& refused() const { return refused_; }

    [[nodiscard]] std::vector<std::string> report() const override;

private:
    void open_built_in(const EndgameSettings& settings);
    [[nodiscard]] bool open_own(const std::string& folder, const EndgameSettings& settings);
    void open_foreign_in(const std::string& folder, const EndgameSettings& settings,
                         bool is_wanted);
    void open_distances(const EndgameSettings& settings);
    void note_refused(const std::string& line);

    [[nodiscard]] std::optional<EgdbResult> probe_own(const Position& position, bool dtw) const;
    [[nodiscard]] bool may_ask_foreign(const Position& position) const;
    [[nodiscard]] std::optional<EgdbResult> probe_foreign(const Position& position,
                                                          const ProbeOptions& options,
                                                          const StopCondition& must_stop) const;
    void add_foreign_dtw(const Position& position, const ProbeOptions& options,
                         const StopCondition& must_stop, EgdbResult& result) const;

    int pieces_ = 0;
    std::unique_ptr<Database<Rules>> database_;
    std::unique_ptr<ForeignDatabase> foreign_;
    std::vector<std::string> found_;
    std::vector<std::string> refused_;
};

/// With more pieces than these each material has a file of its own.
inline constexpr int max_pieces_in_one_file = 6;

/// The name of the file with all positions of up to so many pieces (2 to 5), or of just so many
/// (6).
template <class Rules>
[[nodiscard]] std::string database_file_name(int pieces) {
    return std::string(Rules::file_word) + std::to_string(pieces) + database_file::extension;
}

/// The name of the file with the plies of up to so many pieces.
template <class Rules>
[[nodiscard]] std::string dtw_file_name(int pieces) {
    return std::string(Rules::file_word) + std::to_string(pieces) + "_plies" +
           database_file::extension;
}

/// The name of the file with a material and the swapped one.
template <class Rules>
[[nodiscard]] std::string database_file_name(const Material& material) {
    const Material& first = material < material.swapped() ? material.swapped() : material;
    return std::string(Rules::file_word) + '_' + to_text(first) + database_file::extension;
}

/// The names of all files that may lie in a folder.
template <class Rules>
[[nodiscard]] std::vector<std::string> database_file_names();

/// The database files that are parts of this program; docs/databases.md says how they are made.
template <class Rules>
[[nodiscard]] std::vector<std::span<const std::uint8_t>> embedded_databases();

}  // namespace defiance
