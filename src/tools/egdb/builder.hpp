#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/egdb/build.hpp>
#include <defiance/egdb/database_file.hpp>
#include <defiance/egdb/material.hpp>
#include <defiance/egdb/solved_slice.hpp>

namespace defiance {

/// What to build, and where.
struct BuildSettings {
    std::string folder;            ///< where the files go, with a final separator
    int pieces = 5;                ///< positions of 2 to so many, at most max_pieces_built
    std::optional<Material> only;  ///< nothing but this material and the swapped one
    /// With `only`: as a part of a plan for many machines. Solves nothing else, keeps the slices of
    /// few pieces too, and leaves joined files to join_database().
    bool is_part = false;
    int threads = 1;
};

/// Receives the progress of a long computation. Called from the thread that computes.
class BuildMonitor {
public:
    virtual ~BuildMonitor() = default;
    /// Told before the work begins how much of it there is: positions, each counted as often as the
    /// work goes through it.
    virtual void begin(std::uint64_t work) = 0;
    /// Told of work that an earlier call has done: it counts as done, and took no time.
    virtual void skip(std::uint64_t work) = 0;
    /// Where the work counts itself, also from other threads.
    [[nodiscard]] virtual std::atomic<std::uint64_t>& done() = 0;
    /// A line for the user.
    virtual void note(const std::string& line) = 0;
    /// True when the user wants it to stop; what is finished stays.
    [[nodiscard]] virtual bool is_stopped() const = 0;
};

/// Most pieces for which the plies of every material are kept.
inline constexpr int max_pieces_with_all_dtw = 4;

/// True when the DTW of a material is stored: with few pieces, and with three against two where a
/// search alone does not always win before the draw law ends the game. With flying kings that is
/// where the side with two pieces has a king, with kings that move one square where there are only
/// kings. If true for a material, it is true for all materials that its moves lead to.
template <class Rules>
[[nodiscard]] constexpr bool has_dtw_kept(const Material& m) {
    if (m.total() <= max_pieces_with_all_dtw) return true;
    const bool are_three_against_two = m.total() == 5 && m.own() >= 2 && m.theirs() >= 2;
    if (!are_three_against_two) return false;
    const int kings_of_two = m.own() == 2 ? m.own_kings : m.their_kings;
    return Rules::flying_kings ? kings_of_two != 0 : m.men() == 0;
}

/// Reads the slice of a material that a build has left in the folder. The error names the file; a
/// slice with plies where none are kept, or the other way round, is one.
template <class Rules>
[[nodiscard]] Result<std::unique_ptr<SolvedSlice>> load_built(
    const std::string& folder, const database_file::Identity& identity, const Material& material) {
    const std::string path = solved_file_path<Rules>(folder, material);
    auto slice = load_solved(path, identity, material);
    if (slice && (*slice)->has_dtw() != has_dtw_kept<Rules>(material))
        return Error{path + ": it is of another version"};
    return slice;
}

/// Most pieces that the computation can deal with; beyond six the memory decides.
inline constexpr int max_pieces_built = 7;

/// Solves all positions of 2 to `pieces` pieces and writes the database files of the game: one for
/// up to five pieces, one for six, one for each material beyond, and one for the plies that are
/// kept. Each slice is kept in a folder "work" as soon as it is done, and what is there and
/// undamaged is not computed again. The files do not depend on threads or interruptions.
///
/// With `only` it writes the part of that material alone; the slices its moves lead to must be in
/// the folder "work".
///
/// False when it was stopped. Error: what is missing, cannot be written or has not enough memory.
template <class Rules>
[[nodiscard]] Result<bool> build_database(const BuildSettings& settings, BuildMonitor& monitor);

/// Makes the files of up to five and of six pieces out of the parts of all materials, as
/// build_database() does; the parts of seven pieces are files as they are. Error: a part is missing
/// or damaged, or a file cannot be written.
template <class Rules>
[[nodiscard]] Result<bool> join_database(const BuildSettings& settings, BuildMonitor& monitor);

/// The pairs of a material and the swapped one of this many pieces, each by the one that comes
/// first; after those that they can turn into.
[[nodiscard]] std::vector<Material> pairs_of(int pieces);

/// Where a part is when it is complete, in the folder of the build, which has a final separator.
template <class Rules>
[[nodiscard]] std::string part_path(const std::string& folder, const Material& material);

/// The file of the folder "work" with all values of a material, and its plies if they are kept.
template <class Rules>
[[nodiscard]] std::string solved_file_path(const std::string& folder, const Material& material) {
    return folder + "work/" + std::string(Rules::file_word) + '_' + to_text(material) + ".full";
}

}  // namespace defiance
