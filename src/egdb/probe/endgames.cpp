#include <defiance/egdb/endgames.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/egdb/foreign.hpp>
#include <defiance/egdb/slice_index.hpp>

#include "database.hpp"
#include "resolver.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// The end of a line about databases of so many pieces.
std::string limit_of(int pieces, const EndgameSettings& settings) {
    if (pieces <= settings.max_pieces) return {};
    if (settings.max_pieces < 2) return ", not looked up";
    return ", looked up to " + std::to_string(settings.max_pieces) + " pieces";
}

}  // namespace

template <class Rules>
std::vector<std::string> database_file_names() {
    std::vector<std::string> names;
    for (int pieces = max_pieces_in_one_file; pieces >= 2; --pieces)
        names.push_back(database_file_name<Rules>(pieces));
    for (int pieces = max_pieces_in_one_file; pieces >= 2; --pieces)
        names.push_back(dtw_file_name<Rules>(pieces));
    for (int pieces = max_pieces_in_one_file + 1; pieces <= SliceIndex::max_pieces; ++pieces)
        for (const Material& material : materials_of(pieces))
            if (!(material < material.swapped()))
                names.push_back(database_file_name<Rules>(material));
    return names;
}

template <class Rules>
Endgames<Rules>::Endgames(const EndgameSettings& settings)
    : database_(std::make_unique<Database<Rules>>()) {
    if (settings.built_in) open_built_in(settings);
    // The user is told when the folder he named holds nothing; our own files there are enough.
    if (!settings.folder.empty()) {
        const bool has_own = open_own(settings.folder, settings);
        open_foreign_in(settings.folder, settings, !has_own);
    }
    for (const std::string& folder : settings.default_folders) {
        if (folder == settings.folder || !folder_exists(folder)) continue;
        static_cast<void>(open_own(folder, settings));
        if (foreign_ == nullptr) open_foreign_in(folder, settings, false);
    }
    const int known = std::max(database_->pieces(), foreign_ == nullptr ? 0 : foreign_->pieces());
    pieces_ = std::min(settings.max_pieces, known);
    DEFIANCE_ASSERT(pieces_ >= 0 && pieces_ <= max_pieces_on_board);
    const bool has_only_own = foreign_ == nullptr && pieces_ >= 2;
    if (has_only_own && !settings.distance_folder.empty()) open_distances(settings);
}

template <class Rules>
void Endgames<Rules>::open_built_in(const EndgameSettings& settings) {
    int max_pieces = 0;
    for (const auto bytes : embedded_databases<Rules>()) {
        const Result<int> pieces = database_->add_bytes(bytes, "the built-in endgame database");
        if (pieces)
            max_pieces = std::max(max_pieces, *pieces);
        else
            note_refused(pieces.error());
    }
    if (max_pieces != 0)
        found_.push_back(std::to_string(max_pieces) + " pieces, built in" +
                         limit_of(max_pieces, settings));
}

/// True when there is a file of ours, whether it can be used or not.
template <class Rules>
bool Endgames<Rules>::open_own(const std::string& folder, const EndgameSettings& settings) {
    if (!folder_exists(folder)) return false;  // and none of many files
    bool is_there = false;
    std::map<int, std::vector<std::string>> added;  // names of files by their pieces
    for (const std::string& name : database_file_names<Rules>()) {
        if (!file_exists(folder + name)) continue;
        is_there = true;
        const int before = database_->complete_pieces();
        const Result<int> pieces = database_->add_file(folder + name);
        if (!pieces)
            note_refused(pieces.error());
        else if (*pieces > before)
            added[*pieces].push_back(name);
    }
    // Of 7 pieces there are many files.
    for (const auto& [pieces, names] : added)
        found_.push_back(std::to_string(pieces) + " pieces, " +
                         (names.size() == 1
                              ? folder + names.front()
                              : std::to_string(names.size()) + " files in " + folder) +
                         limit_of(pieces, settings));
    return is_there;
}

/// `is_wanted`: the user is told when there is nothing.
template <class Rules>
void Endgames<Rules>::open_foreign_in(const std::string& folder, const EndgameSettings& settings,
                                      bool is_wanted) {
    ForeignFound found = open_foreign({Rules::game_type, folder, settings.distance_folder,
                                       find_drivers(settings.driver_folders), settings.max_pieces,
                                       settings.foreign_bytes});
    foreign_ = std::move(found.database);
    if (foreign_ != nullptr) found_.push_back(foreign_->description());
    // What else is missing, such as a driver, does not matter then.
    if (foreign_ == nullptr && is_wanted && !folder_exists(folder)) {
        note_refused("folder not found: " + folder);
        return;
    }
    for (const std::string& line : found.faults)
        note_refused(line);
    if (foreign_ == nullptr && !is_wanted) return;
    for (const std::string& line : found.missing)
        note_refused(line);
    if (foreign_ == nullptr && found.faults.empty() && found.missing.empty())
        note_refused("there is no database for this game in '" + folder + "'");
}

/// Distances made by others, for positions whose value only ours tell. The user named the folder,
/// so he is told whatever is wrong with it.
template <class Rules>
void Endgames<Rules>::open_distances(const EndgameSettings& settings) {
    DEFIANCE_ASSERT(foreign_ == nullptr && !settings.distance_folder.empty());
    ForeignFound found = open_foreign_distances({Rules::game_type, "", settings.distance_folder,
                                                 find_drivers(settings.driver_folders),
                                                 settings.max_pieces, settings.foreign_bytes});
    foreign_ = std::move(found.database);
    if (foreign_ != nullptr) found_.push_back(foreign_->description());
    if (foreign_ == nullptr && !folder_exists(settings.distance_folder)) {
        note_refused("folder not found: " + settings.distance_folder);
        return;
    }
    for (const std::string& line : found.faults)
        note_refused(line);
    if (foreign_ == nullptr && found.faults.empty())
        note_refused("there are no distances for this game in '" + settings.distance_folder + "'");
}

/// Once: a driver that cannot be loaded is tried for each folder.
template <class Rules>
void Endgames<Rules>::note_refused(const std::string& line) {
    if (std::find(refused_.begin(), refused_.end(), line) == refused_.end())
        refused_.push_back(line);
}

template <class Rules>
Endgames<Rules>::~Endgames() = default;

template <class Rules>
std::optional<EgdbResult> Endgames<Rules>::probe(const Position& position,
                                                 const ProbeOptions& options) const {
    if (auto result = probe_own(position, options.dtw)) {
        add_foreign_dtw(position, options, {}, *result);
        return result;
    }
    if (!may_ask_foreign(position)) return std::nullopt;
    return probe_foreign(position, options, {});
}

template <class Rules>
std::optional<EgdbResult> Endgames<Rules>::probe_own(const Position& position, bool dtw) const {
    const int pieces = count(position.occupied());
    if (pieces > pieces_ || pieces > database_->pieces()) return std::nullopt;
    return database_->probe(position, dtw);
}

/// Only beyond the pieces up to which our databases are complete: below, what they do not keep
/// follows from the successors.
template <class Rules>
bool Endgames<Rules>::may_ask_foreign(const Position& position) const {
    const int pieces = count(position.occupied());
    return foreign_ != nullptr && pieces <= std::min(pieces_, foreign_->pieces()) &&
           pieces > database_->complete_pieces() && is_quiet<Rules>(with_black_to_move(position));
}

/// One look-up, or two where the distance is wanted and kept.
template <class Rules>
std::optional<EgdbResult> Endgames<Rules>::probe_foreign(const Position& position,
                                                         const ProbeOptions& options,
                                                         const StopCondition& must_stop) const {
    DEFIANCE_ASSERT(may_ask_foreign(position));
    if (must_stop && must_stop()) return std::nullopt;
    if (options.slow != nullptr) *options.slow = true;
    const auto wld = foreign_->probe(position);
    if (!wld) return std::nullopt;
    EgdbResult result{*wld, {}};
    add_foreign_dtw(position, options, must_stop, result);
    return result;
}

/// Looks up the distance of a win or loss that is known without it, where it is wanted and kept.
/// The value stands without a distance when there is no time left for that.
template <class Rules>
void Endgames<Rules>::add_foreign_dtw(const Position& position, const ProbeOptions& options,
                                      const StopCondition& must_stop, EgdbResult& result) const {
    if (foreign_ == nullptr || !foreign_->has_dtw()) return;
    const bool is_wanted = options.dtw && options.foreign_dtw;
    if (!is_wanted || result.wld == Wld::draw || result.dtw) return;
    if (must_stop && must_stop()) return;
    if (options.slow != nullptr) *options.slow = true;
    result.dtw = foreign_->dtw(position, result.wld);
}

template <class Rules>
std::optional<int> Endgames<Rules>::dtc(const Position& position,
                                        const StopCondition& must_stop) const {
    if (foreign_ == nullptr || count(position.occupied()) > pieces_ ||
        !is_quiet<Rules>(with_black_to_move(position)) || (must_stop && must_stop()))
        return std::nullopt;
    return foreign_->dtc(position);
}

template <class Rules>
std::optional<EgdbResult> Endgames<Rules>::resolve(const Position& position,
                                                   std::size_t max_positions,
                                                   const StopCondition& must_stop) const {
    bool is_stopped = false;
    const StopCondition stop_and_remember = [&] {
        is_stopped = is_stopped || (must_stop && must_stop());
        return is_stopped;
    };
    // Our own databases take no time to wait for, but many positions do.
    constexpr unsigned positions_between_stops = 64;
    unsigned asked = 0;
    const auto probe_or_stop = [&](const Position& p) -> std::optional<EgdbResult> {
        if (++asked % positions_between_stops == 0 && stop_and_remember()) return std::nullopt;
        if (auto result = probe_own(p, true)) {
            // Not remembered when it stops this: our values are worth having without a distance.
            add_foreign_dtw(p, {}, must_stop, *result);
            return result;
        }
        if (!may_ask_foreign(p)) return std::nullopt;
        return probe_foreign(p, {}, stop_and_remember);
    };
    return detail::Resolver<Rules, decltype(probe_or_stop)>(position, pieces_, probe_or_stop,
                                                            is_stopped)
        .resolve(max_positions);
}

template <class Rules>
std::vector<Move> Endgames<Rules>::best_line(const Position& position, std::size_t max_plies,
                                             const StopCondition& must_stop) const {
    constexpr std::size_t max_positions_per_move = 400;
    std::vector<Move> line;
    Position p = position;
    auto known = resolve(p, max_positions_per_move, must_stop);
    // Each best move brings the end nearer by one ply.
    const auto is_best = [&](const EgdbResult& next) {
        return next.dtw && *next.dtw == *known->dtw - 1 && next.wld == opposite(known->wld);
    };
    while (known && known->dtw && line.size() < max_plies) {
        DEFIANCE_ASSERT(*known->dtw >= 0 && known->wld != Wld::draw);
        MoveList moves;
        generate_moves<Rules>(p, moves);
        bool is_found = false;
        for (const Move& move : moves) {
            const auto next = resolve(after<Rules>(p, move), max_positions_per_move, must_stop);
            if (!next || !is_best(*next)) continue;
            is_found = true;
            line.push_back(move);
            p = after<Rules>(p, move);
            known = next;
            break;
        }
        if (!is_found) break;
    }
    return line;
}

template <class Rules>
bool Endgames<Rules>::keeps(const Material& material) const {
    return database_->keeps(material);
}

template <class Rules>
std::vector<std::string> Endgames<Rules>::report() const {
    std::vector<std::string> lines = found_;
    for (const std::string& line : refused_)
        lines.push_back(std::string(not_used_mark) + line);
    return lines;
}

template class Endgames<DEFIANCE_GAME>;
template std::vector<std::string> database_file_names<DEFIANCE_GAME>();

}  // namespace defiance
