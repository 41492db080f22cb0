#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include <defiance/base/result.hpp>
#include <defiance/engine/game_core.hpp>

namespace defiance {

/// Openings in which one side is ahead by so much that a game is about as often decided as drawn.
/// Between engines nearly all games from balanced ones are drawn, and a match tells little.
struct UnbalancedOrder {
    const GameCore* core = nullptr;
    int least = 25;  ///< the lead, in hundredths of a man
    int most = 55;
    std::uint64_t nodes = 1'000'000;  ///< of the search that says who is ahead
    std::uint64_t seed = 1;
    std::size_t count = 1;
    std::string program;  ///< tells apart programs that search otherwise
    std::string file;     ///< gets a FEN for each, see read_openings()
    int threads = 1;
};

/// Who follows the search for openings.
struct UnbalancedMonitor {
    std::function<void(const std::string&)> note;  ///< how far it is; from one thread
    std::function<bool()> is_stopped;              ///< asked often, from any thread: true ends it
};

/// After so many candidates in a row without an opening there are said to be no more.
inline constexpr std::uint64_t max_fruitless_candidates = 100'000;

/// Looks for openings among candidates: an 11-man ballot, then 2 to 8 moves drawn by lot, without a
/// capture pending. One is kept when a search without databases puts one side ahead by what the
/// order says; none is kept twice. Which they are depends on the order without file, threads and
/// count only: more of them begin with the same.
///
/// The file gets what is found now and then, and says in comments what it was made by and how many
/// candidates were seen, from which the same order, or one of more openings, goes on.
///
/// True when the file has `count` of them, false when `is_stopped` has said so before. Error: the
/// file cannot be read or written, or is not of this order; too little memory; no more openings.
[[nodiscard]] Result<bool> find_unbalanced_openings(const UnbalancedOrder& order,
                                                    const UnbalancedMonitor& monitor);

}  // namespace defiance
