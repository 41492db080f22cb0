#include <tools/training/course.hpp>

#include <cstdlib>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

/// Records stay when a random move costs no more than this.
constexpr Score max_random_loss = 30;

constexpr Score level_score = 12;
constexpr int first_level_ply = 80;
constexpr int plies_to_be_level = 30;

constexpr Score decided_score = 800;
constexpr int plies_to_be_decided = 6;

constexpr int plies_after_known = 8;

int for_black(Side side, int result) {
    return side == Side::black ? result : -result;
}

int value_of(const EgdbResult& result) {
    return result.wld == Wld::draw ? 0 : result.wld == Wld::win ? 1 : -1;
}

}  // namespace

bool SelfplayCourse::add(const Position& p, const SearchResult& search, int ply) {
    DEFIANCE_ASSERT(search.move && ply <= max_selfplay_plies);
    settle_random_move(search.score);
    std::optional<int> known;
    if (search.egdb) known = for_black(p.side, value_of(*search.egdb));
    if (known) conclude(*known, SelfplayEnd::database);
    // A search stopped within its first iteration has no score.
    if ((known || !is_over_) && search.depth > 0) add_record(p, search.score, known);
    if (is_over_) return plies_after_end_++ < plies_after_known;
    adjudicate(p.side, search.score, ply);
    return !is_over_;
}

void SelfplayCourse::move_at_random(Score score_before) {
    DEFIANCE_ASSERT(may_move_at_random());
    has_moved_at_random_ = true;
    score_before_random_ = score_before;
}

void SelfplayCourse::end(const Position& p, SelfplayEnd end, int value) {
    DEFIANCE_ASSERT(value >= -1 && value <= 1);
    settle_random_move(value * max_recorded_score);
    conclude(for_black(p.side, value), end);
}

SelfplayGame SelfplayCourse::finish(int plies) const {
    DEFIANCE_ASSERT(is_over_ && plies <= max_selfplay_plies);
    SelfplayGame game;
    for (const Entry& entry : entries_) {
        game.records.push_back(entry.record);
        const int result = for_black(entry.side, entry.known.value_or(result_));
        game.records.back().result = static_cast<std::int8_t>(result);
    }
    if (!game.records.empty()) game.records.front().flags = TrainingRecord::first_of_game;
    game.summary = {static_cast<std::uint16_t>(plies),
                    static_cast<std::uint16_t>(game.records.size()),
                    static_cast<std::int8_t>(for_black(rules_.first_side, result_)), end_};
    return game;
}

/// The first end counts: after a database has told the result, the moves may not keep it.
void SelfplayCourse::conclude(int result, SelfplayEnd end) {
    if (is_over_) return;
    is_over_ = true;
    result_ = result;
    end_ = end;
}

/// Ends the game when its scores have been clear for long enough.
void SelfplayCourse::adjudicate(Side side, Score score, int ply) {
    const bool is_level = ply >= first_level_ply && std::abs(score) < level_score;
    level_plies_ = is_level ? level_plies_ + 1 : 0;
    const int winner = for_black(side, score > decided_score ? 1 : score < -decided_score ? -1 : 0);
    if (winner != likely_winner_) decided_plies_ = 0;
    likely_winner_ = winner;
    if (winner != 0 && ++decided_plies_ >= plies_to_be_decided)
        conclude(winner, SelfplayEnd::decided);
    if (level_plies_ >= plies_to_be_level) conclude(0, SelfplayEnd::level);
}

void SelfplayCourse::settle_random_move(Score score_after) {
    if (score_before_random_ && *score_before_random_ + score_after > max_random_loss)
        entries_.clear();
    score_before_random_.reset();
}

/// Adds the position unless a side could capture in it.
void SelfplayCourse::add_record(const Position& p, Score score, std::optional<int> known) {
    Position other = p;
    other.side = opponent(p.side);
    if (rules_.can_capture(p) || rules_.can_capture(other)) return;
    entries_.push_back({record_of(p, score), p.side, known});
}

}  // namespace defiance
