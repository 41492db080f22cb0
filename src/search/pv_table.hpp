#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include <defiance/base/assert.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/search/score.hpp>

namespace defiance {

/// Triangular table of principal variations: row `ply` is the best line found from the current node
/// at that ply.
class PvTable {
public:
    /// Empties the line at this ply, 0 to max_ply + 1.
    void clear(int ply) {
        DEFIANCE_ASSERT(ply >= 0 && ply <= max_ply + 1);
        length_[static_cast<std::size_t>(ply)] = 0;
    }

    /// The best line at `ply` becomes this move followed by the line of the node below.
    void update(int ply, const Move& move) {
        DEFIANCE_ASSERT(ply >= 0 && ply < max_ply);
        const auto p = static_cast<std::size_t>(ply);
        moves_[p][0] = move;
        const int rest = std::min(length_[p + 1], max_ply - 1);
        std::copy_n(moves_[p + 1].begin(), rest, moves_[p].begin() + 1);
        length_[p] = rest + 1;
        DEFIANCE_ASSERT(length_[p] <= max_ply);
    }

    /// The best line from the root.
    [[nodiscard]] std::span<const Move> root_line() const {
        return {moves_[0].data(), static_cast<std::size_t>(length_[0])};
    }

private:
    std::array<std::array<Move, max_ply + 1>, max_ply + 1> moves_;
    std::array<int, max_ply + 2> length_{};
};

}  // namespace defiance
