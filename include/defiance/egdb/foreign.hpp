#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <defiance/egdb/probe.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// An endgame database made by others for one game. Once open it does not change; any number of
/// threads may probe it at the same time.
class ForeignDatabase {
public:
    ForeignDatabase() = default;
    virtual ~ForeignDatabase() = default;
    ForeignDatabase(const ForeignDatabase&) = delete;
    ForeignDatabase& operator=(const ForeignDatabase&) = delete;

    /// The most pieces in a position that probe() may know: 2 or more, or 0 when there are
    /// distances alone.
    [[nodiscard]] virtual int pieces() const = 0;

    /// One line for the user: what it is and where, such as "Cake, 4 pieces, in C:\db".
    [[nodiscard]] virtual const std::string& description() const = 0;

    /// What the position is worth to the side to move; nothing when it is not known, whatever the
    /// reason. May read from disk. Only for positions in which neither side, were it to move, could
    /// capture: for others the answer means nothing.
    [[nodiscard]] virtual std::optional<Wld> probe(const Position& position) const = 0;

    /// Plies to the end of the game in a position for which probe() or a database of ours has told
    /// `wld`, a win or a loss; nothing when that is not known. As for probe().
    [[nodiscard]] virtual std::optional<int> dtw(const Position& position, Wld wld) const = 0;

    /// Plies to the next capture or move of a man on the way to the end, in a position that is won
    /// or lost. Databases know them as an even number, and below ten not at all: they are then
    /// `dtc_below_ten`. Otherwise as for dtw().
    [[nodiscard]] virtual std::optional<int> dtc(const Position& position) const = 0;
    static constexpr int dtc_below_ten = 9;

    /// True when dtw() may know something and so may read from disk.
    [[nodiscard]] virtual bool has_dtw() const = 0;
};

/// Where databases made by others are, and how much of them to use.
struct ForeignSearch {
    int game_type = 0;                  ///< CheckerBoard's number of the game
    std::string folder;                 ///< of those that tell who wins; empty for none
    std::string distance_folder;        ///< of those that tell how far it is; empty for none
    std::vector<std::string> drivers;   ///< full paths; the first one that can do it does
    int max_pieces = 10;                ///< positions of more are not asked for
    std::uint64_t memory = 64U << 20U;  ///< bytes for the data that is kept at hand
};

struct ForeignFound {
    std::unique_ptr<ForeignDatabase> database;  ///< null when there is none that can be used
    std::vector<std::string> faults;            ///< what is there and cannot be used, one line each
    std::vector<std::string> missing;           ///< what is not there, one line each
};

/// Full paths of the driver, under the name it has for programs such as this one, in those of the
/// folders that have it; each once. To be searched are the folders of the host program and of this
/// module, never those of databases: a driver is code.
[[nodiscard]] std::vector<std::string> find_drivers(const std::vector<std::string>& folders);

/// Opens the databases of the folder: with a driver, or else Cake's for English directly. Empty in
/// games for which nobody makes databases. Distances that were asked for and are not there count as
/// a fault. To be called by one thread at a time; it may take seconds.
[[nodiscard]] ForeignFound open_foreign(const ForeignSearch& where);

/// Opens the databases of the distance folder alone, for values that are known otherwise; `folder`
/// is not looked into. Faults, and nothing missing, only where none can be opened. Otherwise as
/// open_foreign.
[[nodiscard]] ForeignFound open_foreign_distances(const ForeignSearch& where);

/// Lines for the user: the distance databases in `distance_folder`, or why none can be used;
/// nothing in games for which nobody makes databases. `folder` is not looked into. Threads and time
/// as for open_foreign.
[[nodiscard]] std::vector<std::string> describe_distances(const ForeignSearch& where);

}  // namespace defiance
