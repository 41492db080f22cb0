#pragma once

#include <array>
#include <string>

namespace defiance::host {

/// The result of a match, in pairs of games that begin with the same opening, colours exchanged.
class MatchScore {
public:
    /// Adds a pair; each game's points are 0, 1 or 2 halves for the first player.
    void add_pair(int first_halves, int second_halves);

    [[nodiscard]] int games() const { return wins_ + draws_ + losses_; }
    /// Share of the points, 0 to 1.
    [[nodiscard]] double share() const;
    /// Half the width of the 95 % interval of the share, from the spread of the pairs.
    [[nodiscard]] double margin() const;
    /// W-D-L, points and Elo with their intervals, one line.
    [[nodiscard]] std::string summary() const;
    /// W-D-L alone.
    [[nodiscard]] std::string tally() const;

private:
    int wins_ = 0;
    int draws_ = 0;
    int losses_ = 0;
    std::array<int, 5> pairs_{};  // by halves of points
};

}  // namespace defiance::host
