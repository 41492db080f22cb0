#include <tools/match/referee.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/status_reading.hpp>

namespace defiance {
namespace {

/// For how many moves in a row a player's values have called the game drawn, won or lost.
struct AdjudicationVote {
    int draw = 0;
    int win = 0;
    int loss = 0;

    /// Counts the value of one more move. A forced move without a value changes nothing.
    void count(const StatusReading& reading, const Adjudication& adjudication) {
        const std::optional<StatusValue>& value = reading.value;
        if (!value && reading.is_only_move) return;
        const auto update = [](int& moves, bool agrees) { moves = agrees ? moves + 1 : 0; };
        if (adjudication.draw) update(draw, value && value->is_drawish(adjudication.draw->value));
        if (adjudication.resign) {
            update(win, value && value->is_winning(adjudication.resign->value));
            update(loss, value && value->is_losing(adjudication.resign->value));
        }
    }
};

/// A game while it is played.
class RefereedGame {
public:
    RefereedGame(CbGame& game, Contestant first, Contestant second, const TimeSettings& time,
                 const Adjudication& adjudication)
        : game_(game),
          adjudication_(adjudication),
          players_{PlayerState(first, time), PlayerState(second, time)} {}

    GameRecord play() {
        while (!ended_) {
            apply_rules();
            if (!ended_) move();
        }
        record_.plies = game_.plies();
        DEFIANCE_ASSERT(record_.comments.size() <= record_.plies);
        record_.first = players_[0].figures;
        record_.second = players_[1].figures;
        return std::move(record_);
    }

private:
    struct PlayerState {
        PlayerState(const Contestant& contestant, const TimeSettings& time)
            : player(contestant.player), clock(time, contestant.time_factor) {}
        Player& player;
        PlayerClock clock;
        PlayerFigures figures;
        AdjudicationVote vote;
    };

    [[nodiscard]] std::size_t index_of_mover() const {
        return game_.position().side == game_.rules().first_side ? 0 : 1;
    }

    void end_drawn(Ending ending, std::string detail = {}) { end(1, ending, std::move(detail)); }
    void end_lost_by(std::size_t loser, Ending ending, std::string detail = {}) {
        end(loser == 0 ? 0 : 2, ending, std::move(detail));
    }
    void end(int first_halves, Ending ending, std::string detail) {
        DEFIANCE_ASSERT(!ended_ && first_halves >= 0 && first_halves <= 2);
        ended_ = true;
        record_.first_halves = first_halves;
        record_.ending = ending;
        record_.detail = std::move(detail);
    }

    /// Ends the game when the rules do.
    void apply_rules() {
        DEFIANCE_ASSERT(!ended_);
        if (!game_.has_move()) return end_lost_by(index_of_mover(), Ending::no_move);
        if (adjudication_.draw_repetitions > 0 &&
            game_.occurrences() >= adjudication_.draw_repetitions)
            return end_drawn(Ending::repetition);
        const auto law = game_.limit_by_law();
        if (law && game_.reversible_plies() >= *law) return end_drawn(Ending::law);
        if (adjudication_.draw_quiet > 0 && game_.reversible_plies() >= adjudication_.draw_quiet)
            return end_drawn(Ending::no_progress);
        if (game_.plies() >= adjudication_.max_plies) return end_drawn(Ending::too_long);
        adjudicate();
    }

    void adjudicate() {
        const AdjudicationVote& first = players_[0].vote;
        const AdjudicationVote& second = players_[1].vote;
        const auto agree = [&](const std::optional<ValueAgreement>& rule, int a, int b) {
            return rule && game_.plies() >= rule->after && std::min(a, b) >= rule->moves;
        };
        if (agree(adjudication_.draw, first.draw, second.draw))
            return end_drawn(Ending::adjudicated, "both players' values say draw");
        const std::string_view detail = "both players' values say won";
        if (agree(adjudication_.resign, first.win, second.loss))
            return end_lost_by(1, Ending::adjudicated, std::string(detail));
        if (agree(adjudication_.resign, first.loss, second.win))
            return end_lost_by(0, Ending::adjudicated, std::string(detail));
    }

    void move() {
        const std::size_t index = index_of_mover();
        DEFIANCE_ASSERT(index < 2 && game_.has_move());
        PlayerState& mover = players_[index];
        // A copy, so that the clock stays as it was if the player is not asked.
        PlayerClock clock = mover.clock;
        const Allowance allowance = clock.allow();
        const Turn turn = mover.player.take_turn(game_, allowance);
        if (turn.fault == Ending::aborted) return end(1, Ending::aborted, {});
        DEFIANCE_ASSERT(turn.seconds >= 0);
        const bool is_in_time = !turn.was_asked || clock.spend(turn.seconds);
        if (turn.was_asked) mover.clock = clock;
        if (turn.fault) return end_lost_by(index, *turn.fault, turn.detail);
        record(mover, turn, allowance);
        if (!is_in_time) return end_lost_by(index, Ending::too_late, "its move came too late");
        if (game_.has_move()) judge_claim(index, turn.claim);
    }

    void judge_claim(std::size_t index, int claim) {
        DEFIANCE_ASSERT(index < 2);
        if (adjudication_.claims == BelievedClaims::none) return;
        if (claim == cb_draw) return end_drawn(Ending::adjudicated, "a draw was claimed");
        if (adjudication_.claims == BelievedClaims::draws) return;
        if (claim == cb_win) end_lost_by(1 - index, Ending::adjudicated, "a win was claimed");
        if (claim == cb_loss) end_lost_by(index, Ending::adjudicated, "a loss was claimed");
    }

    void record(PlayerState& mover, const Turn& turn, const Allowance& allowance) {
        DEFIANCE_ASSERT(turn.seconds >= 0 && !turn.fault);
        const StatusReading reading = read_status(turn.status);
        if (turn.was_asked) add_figures(mover.figures, turn, reading, allowance);
        mover.vote.count(reading, adjudication_);
        std::string comment;
        if (reading.value) comment += reading.value->text();
        if (reading.depth) comment += '/' + fixed(*reading.depth, 0);
        if (turn.was_asked) {
            if (!comment.empty()) comment += ' ';
            comment += fixed(turn.seconds, 3) + 's';
        }
        record_.comments.push_back(std::move(comment));
    }

    static void add_figures(PlayerFigures& figures, const Turn& turn, const StatusReading& reading,
                            const Allowance& allowance) {
        DEFIANCE_ASSERT(turn.was_asked);
        ++figures.moves;
        figures.seconds += turn.seconds;
        figures.longest = std::max(figures.longest, turn.seconds);
        figures.overrun = std::max(figures.overrun, turn.seconds - allowance.seconds);
        if (turn.own_seconds) {
            figures.overhead += std::max(0.0, turn.seconds - *turn.own_seconds);
            ++figures.measured_moves;
        }
        if (reading.depth) {
            figures.sum_of_depths += *reading.depth;
            ++figures.moves_with_depth;
        }
        if (reading.nodes_per_second) {
            figures.sum_of_speeds += *reading.nodes_per_second;
            ++figures.moves_with_speed;
        }
    }

    CbGame& game_;
    const Adjudication& adjudication_;
    PlayerState players_[2];
    GameRecord record_;
    bool ended_ = false;
};

}  // namespace

void PlayerFigures::add(const PlayerFigures& other) {
    DEFIANCE_ASSERT(other.moves >= 0 && other.measured_moves <= other.moves);
    moves += other.moves;
    seconds += other.seconds;
    longest = std::max(longest, other.longest);
    overhead += other.overhead;
    measured_moves += other.measured_moves;
    sum_of_depths += other.sum_of_depths;
    moves_with_depth += other.moves_with_depth;
    sum_of_speeds += other.sum_of_speeds;
    moves_with_speed += other.moves_with_speed;
    overrun = std::max(overrun, other.overrun);
}

std::string_view result_of(const GameRecord& record) {
    if (record.ending == Ending::aborted) return "*";
    DEFIANCE_ASSERT(record.first_halves >= 0 && record.first_halves <= 2);
    constexpr std::string_view results[] = {"0-1", "1/2-1/2", "1-0"};
    return results[record.first_halves];
}

GameRecord referee_game(CbGame& game, Contestant first, Contestant second, const TimeSettings& time,
                        const Adjudication& adjudication) {
    return RefereedGame(game, first, second, time, adjudication).play();
}

}  // namespace defiance
