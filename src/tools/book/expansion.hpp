#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/book/book_move.hpp>
#include <defiance/engine/game_core.hpp>
#include <tools/expansion/drop_out_graph.hpp>
#include <tools/expansion/expansion_roots.hpp>
#include <tools/posdb/move_scorer.hpp>
#include <tools/posdb/position_database.hpp>
#include <tools/store/grouped_store.hpp>

namespace defiance {

/// How a book grows.
struct ExpansionSettings {
    std::size_t positions = 0;  ///< how many are to be known
    ScoringEffort effort;
    ExpansionCosts costs;
    int threads = 1;
    /// A file that names the positions which are being searched, so that a run that was cut off
    /// goes on where it was.
    std::string batch_file;
};

/// Told how many positions are known, at first of those that were there and then after some more;
/// false stops the run.
using ExpansionMonitor = std::function<bool(std::size_t known)>;

/// `database` must use `store`. Searches positions until so many are known that lead from the
/// roots, best ones first (DropOutGraph). From an empty database on, the same settings give the
/// same values, whatever the number of threads and however often it was cut off; where kings of
/// both sides can move round a run that was cut off may take other positions. `must_stop` is asked
/// all the time, from several threads.
///
/// True: all are known, or there is none left. False: it was stopped. Error: of the store, or the
/// batch file cannot be used.
[[nodiscard]] Result<bool> expand_book(PositionDatabase& database, GroupedStore& store,
                                       const GameCore& core, const EndgameDatabases* endgames,
                                       const std::vector<ExpansionRoot>& roots,
                                       const ExpansionSettings& settings,
                                       const std::function<bool()>& must_stop,
                                       const ExpansionMonitor& monitor);

/// The positions of the database that its known moves lead to from the roots. Moves that lose a
/// man or more against the best one are left out; the support of the others counts only positions
/// that are not behind those, several times where several lines lead to them.
[[nodiscard]] Result<std::vector<BookPosition>> collect_book(
    PositionDatabase& database, const std::vector<ExpansionRoot>& roots);

}  // namespace defiance
