#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/egdb/database_file.hpp>
#include <defiance/egdb/solved_slice.hpp>

// What endgame databases are made with: solve, prove, pack, and keep what was solved.
namespace defiance {

/// How slices are solved.
struct SolverSettings {
    int threads = 1;        ///< that share the work, 1 at least
    bool with_dtw = false;  ///< the slices before must then have plies too
    /// Counts the positions done, each twice without plies and once with them; may be null.
    std::atomic<std::uint64_t>* progress = nullptr;
};

/// Solves the slice of a material and the swapped one by retrograde analysis and adds both. All
/// slices that captures and promotions lead to must be there. With plies both together have less
/// than 2^32 positions. Throws std::bad_alloc or std::length_error when memory is short.
///
/// Every position is looked at once: captures and promotions are judged by the slices they lead to,
/// the other moves are counted. Then, from each position whose value has become known, moves are
/// taken back: before a loss lies a win, before the last of all wins a loss. What is left is drawn.
template <class Rules>
void solve_slices(const Material& material, SolvedSlices& slices, const SolverSettings& settings);

/// A position of a slice whose value does not follow from those of its successors, if there is
/// one: with several threads any of them. Found with the move generator of the game and nothing of
/// the solver: a win needs a move to a lost position, a loss nothing but moves to won ones, a draw
/// a move to a drawn one and none to a lost one. Where plies are known they must be one more than
/// those of the best move, which also rules out wins that only lead to each other.
///
/// All slices that moves lead to must be there, with plies if this one has them. `threads` threads
/// share the work.
template <class Rules>
[[nodiscard]] std::optional<Position> find_unproven(const SolvedSlices& slices,
                                                    const Material& material, int threads);

/// How slices are packed.
struct PackerSettings {
    int threads = 1;  ///< that share the work, 1 at least
    /// Counts the positions done, each twice; may be null.
    std::atomic<std::uint64_t>* progress = nullptr;
};

/// The values of one slice as a file keeps them.
struct PackedValues {
    const SolvedSlice* slice = nullptr;  ///< which of the two it is
    std::vector<std::uint8_t> bytes;
};

/// Packs the values of one of two slices with swapped materials, which may be the same: of that
/// which takes less room, as estimated. The same on every machine, with any number of threads.
template <class Rules>
[[nodiscard]] PackedValues pack_values(const SolvedSlice& slice, const SolvedSlice& swapped,
                                       const PackerSettings& settings);

/// Packs the plies of a slice that has them. Empty when some are more than a file can hold.
template <class Rules>
[[nodiscard]] std::vector<std::uint8_t> pack_dtw(const SolvedSlice& slice, int threads);

/// Keeps all values of a solved slice, also those that database files leave out, so that larger
/// ones can be solved later, and its plies if it has them. Error when the file cannot be written;
/// it is there as a whole or not at all.
[[nodiscard]] std::optional<Error> save_solved(const std::string& path,
                                               const database_file::Identity& identity,
                                               const SolvedSlice& slice);

/// Reads it back. The error names the file.
[[nodiscard]] Result<std::unique_ptr<SolvedSlice>> load_solved(
    const std::string& path, const database_file::Identity& identity, const Material& material);

}  // namespace defiance
