#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tools/match/competition.hpp>

namespace defiance {

/// A game of a competition.
struct ScheduledGame {
    std::size_t number = 0;   ///< from 1, in the order of the schedule
    std::size_t pairing = 0;  ///< number of its pairing, from 0
    std::size_t leg = 0;      ///< number within the pairing
    std::size_t first = 0;    ///< the player that has the first side
    std::size_t second = 0;
    std::size_t opening = 0;
};

/// The results so far: points, figures of the players, how games ended.
class Scoreboard {
public:
    Scoreboard(const CompetitionSettings& settings, std::vector<std::string> names)
        : settings_(settings), names_(std::move(names)), figures_(names_.size()) {}

    /// Adds a pairing that will be played.
    void add_pairing(const Pairing& pairing);
    void add(const ScheduledGame& game, const GameRecord& record);

    [[nodiscard]] const std::string& name(std::size_t player) const { return names_[player]; }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] std::size_t games() const { return games_; }
    [[nodiscard]] const std::vector<PairingResult>& results() const { return results_; }
    /// Of a match: whether the sequential test is decided.
    [[nodiscard]] TestVerdict verdict() const;
    /// One line on how it stands.
    [[nodiscard]] std::string progress() const;
    /// Prints the final report of a match or tournament to standard output. `places`: the players
    /// from first to last, empty when points decide; nothing when games are missing, so that nobody
    /// has won the tournament.
    void report(const std::optional<std::vector<std::size_t>>& places) const;

private:
    /// A game of a pairing.
    struct Leg {
        int halves = 0;                // of the first player of the pairing
        std::uint64_t moves_hash = 0;  // as in GameRecord
    };
    struct Meeting {
        MatchScore score;  // of the first player of the pairing
        std::map<std::size_t, Leg> legs;
    };

    [[nodiscard]] static std::uint64_t hash_of_pair(const Leg& even, const Leg& odd);
    [[nodiscard]] bool is_match() const { return is_single_pairing(settings_.schedule); }
    [[nodiscard]] const MatchScore& match_score() const;
    void report_match() const;
    void report_table(const std::optional<std::vector<std::size_t>>& places) const;
    void report_players() const;
    void report_endings() const;

    const CompetitionSettings& settings_;
    std::vector<std::string> names_;
    std::vector<PlayerFigures> figures_;
    std::vector<PairingResult> results_;
    std::vector<Meeting> meetings_;
    std::map<Ending, std::size_t> endings_;
    std::map<std::size_t, std::map<Ending, std::size_t>> faults_;
    std::size_t games_ = 0;
};

}  // namespace defiance
