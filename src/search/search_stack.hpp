#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <defiance/base/assert.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/position.hpp>
#include <defiance/search/score.hpp>

namespace defiance {

/// The path from the last positions of the game to the current node: keys for repetitions, and
/// plies without progress for the draw law.
template <class Rules>
class SearchStack {
public:
    /// Starts at the last position of `history`, which is not empty: the positions since the last
    /// irreversible move.
    void start(std::span<const Position> history) {
        DEFIANCE_ASSERT(!history.empty());
        const std::size_t kept = std::min(history.size() - 1, max_history);
        const auto recent = history.subspan(history.size() - 1 - kept);
        for (std::size_t i = 0; i < recent.size(); ++i)
            keys_[i] = key_of(recent[i]);
        root_index_ = kept;
        reversible_[0] = static_cast<int>(kept);
    }

    /// Adds the position with this key, reached by the move from the node at `ply`.
    void push(const Position& from, const Move& move, std::uint64_t key, int ply) {
        DEFIANCE_ASSERT(ply >= 0 && ply < max_ply);
        const auto p = static_cast<std::size_t>(ply);
        keys_[root_index_ + p + 1] = key;
        reversible_[p + 1] = is_reversible(from, move) ? reversible_[p] + 1 : 0;
    }

    /// The key of the node at this ply.
    [[nodiscard]] std::uint64_t key(int ply) const {
        DEFIANCE_ASSERT(ply >= 0 && ply <= max_ply);
        return keys_[root_index_ + static_cast<std::size_t>(ply)];
    }

    /// Plies of king moves without a capture up to the node at this ply.
    [[nodiscard]] int reversible(int ply) const {
        DEFIANCE_ASSERT(ply >= 0 && ply <= max_ply);
        return reversible_[static_cast<std::size_t>(ply)];
    }

    /// True when the node at this ply counts as a draw by repetition.
    [[nodiscard]] bool is_repetition(int ply) const {
        const std::size_t here = root_index_ + static_cast<std::size_t>(ply);
        const std::uint64_t key = keys_[here];
        const auto reach = std::min(here, static_cast<std::size_t>(reversible(ply)));
        int before_root = 0;
        for (std::size_t back = 4; back <= reach; back += 2) {
            if (keys_[here - back] != key) continue;
            // Inside the search one repetition is enough: a better move on the second occurrence
            // would have been as good on the first.
            if (here - back > root_index_ || ++before_root + 1 >= Rules::repetitions_to_draw)
                return true;
        }
        return false;
    }

    /// True when a move from the root to the position with this key draws the game, because it has
    /// occurred often enough before.
    [[nodiscard]] bool is_last_repetition(std::uint64_t key) const {
        const auto root = keys_.begin() + static_cast<std::ptrdiff_t>(root_index_);
        return std::count(keys_.begin(), root, key) + 1 >= Rules::repetitions_to_draw;
    }

private:
    /// Repetitions of earlier positions are not seen. By the draw law the game is over before, but
    /// a GUI may let it go on.
    static constexpr std::size_t max_history = 128;
    static_assert(max_history >= std::size_t{Rules::reversible_plies_to_draw});

    // Entry root_index_ + ply is the key of the node at that ply.
    std::array<std::uint64_t, max_history + max_ply + 1> keys_{};
    std::array<int, max_ply + 1> reversible_{};
    std::size_t root_index_ = 0;
};

}  // namespace defiance
