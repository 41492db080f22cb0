#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/generator.hpp>

namespace defiance::gui {

/// Finds out whether a win in the databases is also one under the draw law, which ends the game
/// after too many king moves and which the databases do not know. Searches all defences and counts
/// those moves. Repetitions need no rule of their own: the count goes on rising through them.
template <class Rules>
class LawSearch {
public:
    enum class Answer { yes, no, unknown };
    /// The moves by which the winner may try.
    enum class Attack { any, shortest };

    LawSearch(const Endgames<Rules>& endgames, Attack attack)
        : endgames_(endgames), attack_(attack) {}

    /// Whether the side to move wins. It must win but for the law.
    [[nodiscard]] Answer wins(const Position& p) {
        positions_ = 0;
        if (attacker_wins(p, 0)) return Answer::yes;
        return gives_up() ? Answer::unknown : Answer::no;
    }

private:
    /// What is known about a position: a win with some count is a win with every lower count.
    struct Finding {
        int won_up_to = -1;
        int spoiled_from = 1 << 20;
    };

    [[nodiscard]] bool gives_up() const { return positions_ >= max_positions; }

    [[nodiscard]] std::optional<EgdbResult> egdb_result_of(const Position& p) {
        constexpr std::size_t positions_of_one = 4000;
        const auto [entry, is_new] = results_.try_emplace(key_of(p));
        if (is_new) entry->second = endgames_.resolve(p, positions_of_one);
        return entry->second;
    }

    /// True when the shortest win is over before any limit.
    [[nodiscard]] bool is_quick(const Position& p, int reversible) {
        const auto result = egdb_result_of(p);
        return result && result->dtw && reversible + *result->dtw <= min_reversible_limit<Rules>;
    }

    template <class Look>
    bool remembered(const Position& p, int reversible, Look look) {
        const Finding before = findings_[key_of(p)];
        if (reversible <= before.won_up_to) return true;
        if (reversible >= before.spoiled_from) return false;
        if (gives_up()) return false;
        ++positions_;
        const bool wins = look();
        Finding& finding = findings_[key_of(p)];
        if (wins)
            finding.won_up_to = std::max(finding.won_up_to, reversible);
        else if (!gives_up())
            finding.spoiled_from = std::min(finding.spoiled_from, reversible);
        return wins;
    }

    [[nodiscard]] static int counted(const Position& p, const Move& move, int reversible) {
        return is_reversible(p, move) ? reversible + 1 : 0;
    }

    /// The winner is to move.
    bool attacker_wins(const Position& p, int reversible) {
        if (count_moves<Rules>(p) == 0 || reversible >= reversible_limit<Rules>(p)) return false;
        if (is_quick(p, reversible)) return true;
        return remembered(p, reversible, [&] {
            for (const Move& move : attacks(p))
                if (defender_loses(after<Rules>(p, move), counted(p, move, reversible)))
                    return true;
            return false;
        });
    }

    /// The loser is to move.
    bool defender_loses(const Position& p, int reversible) {
        MoveList moves;
        generate_moves<Rules>(p, moves);
        if (moves.empty()) return true;
        if (reversible >= reversible_limit<Rules>(p)) return false;
        if (is_quick(p, reversible)) return true;
        return remembered(p, reversible, [&] {
            return std::all_of(moves.begin(), moves.end(), [&](const Move& move) {
                return attacker_wins(after<Rules>(p, move), counted(p, move, reversible));
            });
        });
    }

    /// The moves that keep the win, the shortest first; where the distance is unknown the count
    /// begins anew sooner with a capture or a man's move.
    std::vector<Move> attacks(const Position& p) {
        constexpr int unknown = 1000;
        MoveList moves;
        generate_moves<Rules>(p, moves);
        std::vector<std::pair<int, Move>> ranked;
        for (const Move& move : moves) {
            const auto result = egdb_result_of(after<Rules>(p, move));
            if (!result || result->wld != Wld::loss) continue;
            ranked.emplace_back(result->dtw.value_or(unknown + (is_reversible(p, move) ? 1 : 0)),
                                move);
        }
        std::stable_sort(ranked.begin(), ranked.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<Move> result;
        for (const auto& [rank, move] : ranked)
            if (attack_ == Attack::any || rank == ranked.front().first) result.push_back(move);
        return result;
    }

    static constexpr std::uint64_t max_positions = 30000;

    const Endgames<Rules>& endgames_;
    Attack attack_;
    std::uint64_t positions_ = 0;
    std::unordered_map<std::uint64_t, std::optional<EgdbResult>> results_;
    std::unordered_map<std::uint64_t, Finding> findings_;
};

}  // namespace defiance::gui
