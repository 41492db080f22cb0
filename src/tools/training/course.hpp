#pragma once

#include <optional>
#include <vector>

#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/position.hpp>
#include <defiance/search/search.hpp>
#include <tools/training/selfplay_file.hpp>

namespace defiance {

/// A game of self-play with its records.
struct SelfplayGame {
    SelfplaySummary summary;
    std::vector<TrainingRecord> records;
};

/// A game has no more plies than this.
inline constexpr int max_selfplay_plies = 200;
static_assert(max_selfplay_plies < max_records_of_game);

/// The course of one game of self-play after its opening: which positions become records, and when
/// it ends by scores or databases. The results within it are counted for black: 1, 0 or -1.
class SelfplayCourse {
public:
    explicit SelfplayCourse(const GameRules& rules) : rules_(rules) {}

    /// Takes note of a position in which the game is open, and of its search, after so many plies.
    /// True when the game goes on: also for some plies after a database has told its result, in
    /// which each position has the result that is known of itself.
    [[nodiscard]] bool add(const Position& p, const SearchResult& search, int ply);

    /// Whether the next move may be a random one.
    [[nodiscard]] bool may_move_at_random() const { return !is_over_ && !has_moved_at_random_; }

    /// Takes note that the move from the last position is a random one. When the next position
    /// shows it to be a mistake, the records up to here are dropped: the result of the game is not
    /// theirs.
    void move_at_random(Score score_before);

    /// Takes note that the game ends in this position; the value is for the side to move.
    void end(const Position& p, SelfplayEnd end, int value);

    /// The game, once it is over.
    [[nodiscard]] SelfplayGame finish(int plies) const;

private:
    struct Entry {
        TrainingRecord record;
        Side side;
        std::optional<int> known;  // result of the position itself
    };

    void conclude(int result, SelfplayEnd end);
    void adjudicate(Side side, Score score, int ply);
    void settle_random_move(Score score_after);
    void add_record(const Position& p, Score score, std::optional<int> known);

    const GameRules& rules_;
    std::vector<Entry> entries_;
    bool has_moved_at_random_ = false;
    std::optional<Score> score_before_random_;  // until the next position
    int level_plies_ = 0;                       // in a row up to now
    int decided_plies_ = 0;
    int likely_winner_ = 0;
    bool is_over_ = false;
    int plies_after_end_ = 0;
    int result_ = 0;
    SelfplayEnd end_ = SelfplayEnd::no_move;
};

}  // namespace defiance
