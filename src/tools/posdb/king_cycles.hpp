#pragma once

#include <cstddef>
#include <vector>

#include <tools/posdb/known_position.hpp>

namespace defiance {

/// A position of a cycle: of positions from which king moves lead round to each other.
struct CyclePosition {
    static constexpr std::size_t outside = static_cast<std::size_t>(-1);

    std::vector<KnownMove> moves;  ///< as KnownPosition::moves, of all legal moves
    std::vector<std::size_t> to;   ///< of each: its position in the cycle, or `outside`
};

/// Gives the moves within a cycle the scores that follow from all others, which stay as they are:
/// minimax values, where going round for ever is a draw. A score other than 0 thus always comes
/// from a move that leads out, and there is exactly one solution, whatever scores stood there.
///
/// Of the moves within with the best score, those that do not bring the winning side nearer to the
/// way out get depth 0, so that best_move() passes over them; so do those that go on with a draw.
/// Where all that is so already nothing changes, or depths would tell what was settled last.
void settle_cycle(std::vector<CyclePosition>& cycle);

}  // namespace defiance
