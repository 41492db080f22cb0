#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace defiance {

/// Two players and their games against each other. In each pair of games an opening is played with
/// both colours: the first player has the first side in the even ones.
struct Pairing {
    std::size_t first = 0;  ///< index of a player
    std::size_t second = 0;
    std::size_t games = 2;
    std::size_t opening_pair = 0;  ///< number of the first pair's opening in the order of openings
};

/// The result of a pairing so far, in half points.
struct PairingResult {
    Pairing pairing;
    std::int64_t first_halves = 0;
    std::int64_t second_halves = 0;
};

/// In what order players meet.
class Schedule {
public:
    virtual ~Schedule() = default;
    /// The pairings that can be played now, given the results of all pairings before, in
    /// their order; nothing when the competition is over. Depends on nothing else.
    [[nodiscard]] virtual std::vector<Pairing> next_round(
        const std::vector<PairingResult>& results) = 0;
    /// The players from the first place to the last, where that is not a matter of points; known
    /// when there is no next round. Else empty.
    [[nodiscard]] virtual std::vector<std::size_t> places() const { return {}; }
};

enum class Format { round_robin, gauntlet, knockout, swiss };

struct ScheduleSettings {
    Format format = Format::round_robin;
    std::size_t players = 2;
    std::size_t games = 2;  ///< of a pairing
    /// Of a Swiss tournament; 0: one more than a knockout would take.
    std::size_t rounds = 0;
};

/// - round_robin: everybody meets everybody. With two players it is a match.
/// - gauntlet: the first player meets each of the others.
/// - knockout: the loser of a pairing is out. A tied pairing gets up to five more pairs of games;
///   if it is still tied, the player named first goes on. So does, of an odd number, one of those
///   who have done so without an opponent least often.
/// - swiss: in each round players with similar points meet, if possible such as have not met yet;
///   a player without an opponent gets a point a game.
[[nodiscard]] std::unique_ptr<Schedule> make_schedule(const ScheduleSettings& settings);

/// True for two players who meet once.
[[nodiscard]] bool is_single_pairing(const ScheduleSettings& settings);

/// How many openings are played one after the other before the first comes again, if there are so
/// many.
[[nodiscard]] std::size_t openings_in_row(const ScheduleSettings& settings);

/// Half points of each player in a Swiss tournament, what it got without playing included; in the
/// others what was played.
[[nodiscard]] std::vector<std::int64_t> half_points(const ScheduleSettings& settings,
                                                    const std::vector<PairingResult>& results);

}  // namespace defiance
