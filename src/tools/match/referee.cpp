#include <tools/match/referee.hpp>

#include <algorithm>
#include <cmath>

#include <defiance/base/text.hpp>
#include <tools/support/status_reading.hpp>

namespace defiance {
namespace {

/// How many moves in a row a player's values have agreed with a draw, its win or its loss.
struct AdjudicationVote {
    int draw = 0;
    int win = 0;
    int loss = 0;

    void hear(const std::optional<double>& value, const Adjudication& rules) {
        const auto count = [&](int& moves, bool agrees) {
            moves = value && agrees ? moves + 1 : 0;
        };
        if (rules.draw) count(draw, std::abs(value.value_or(0)) <= rules.draw->value);
        if (rules.resign) {
            count(win, value.value_or(0) >= rules.resign->value);
            count(loss, value.value_or(0) <= -rules.resign->value);
        }
    }
};

class Refereed {
public:
    Refereed(MatchGame& game, Side first_side, Contestant first, Contestant second,
             const TimeSettings& time, const Adjudication& rules)
        : game_(game),
          first_side_(first_side),
          rules_(rules),
          seats_{PlayerState(first, time), PlayerState(second, time)} {}

    GameRecord play() {
        while (!ended_) {
            rule();
            if (!ended_) move();
        }
        record_.plies = game_.plies();
        record_.first = seats_[0].figures;
        record_.second = seats_[1].figures;
        return std::move(record_);
    }

private:
    struct PlayerState {
        PlayerState(const Contestant& contestant, const TimeSettings& time)
            : player(contestant.player), clock(time, contestant.time_factor) {}
        Player& player;
        PlayerClock clock;
        PlayerFigures figures;
        AdjudicationVote opinion;
    };

    [[nodiscard]] std::size_t mover() const { return game_.position().side == first_side_ ? 0 : 1; }

    void end_drawn(Ending ending, std::string detail = {}) { end(1, ending, std::move(detail)); }
    void end_lost_by(std::size_t seat, Ending ending, std::string detail = {}) {
        end(seat == 0 ? 0 : 2, ending, std::move(detail));
    }
    void end(int first_halves, Ending ending, std::string detail) {
        ended_ = true;
        record_.first_halves = first_halves;
        record_.ending = ending;
        record_.detail = std::move(detail);
    }

    /// Ends the game when the rules do.
    void rule() {
        if (!game_.has_move()) return end_lost_by(mover(), Ending::no_move);
        if (rules_.draw_repetitions > 0 && game_.occurrences() >= rules_.draw_repetitions)
            return end_drawn(Ending::repetition);
        const auto law = game_.limit_by_law();
        if (law && game_.quiet_plies() >= *law) return end_drawn(Ending::law);
        if (rules_.draw_quiet > 0 && game_.quiet_plies() >= rules_.draw_quiet)
            return end_drawn(Ending::no_progress);
        if (game_.plies() >= rules_.max_plies) return end_drawn(Ending::too_long);
        adjudicate();
    }

    void adjudicate() {
        const AdjudicationVote& first = seats_[0].opinion;
        const AdjudicationVote& second = seats_[1].opinion;
        const auto agree = [&](const std::optional<ValueAgreement>& rule, int a, int b) {
            return rule && game_.plies() >= rule->after && std::min(a, b) >= rule->moves;
        };
        if (agree(rules_.draw, first.draw, second.draw))
            return end_drawn(Ending::adjudicated, "both players' values say draw");
        const std::string_view detail = "both players' values say won";
        if (agree(rules_.resign, first.win, second.loss))
            return end_lost_by(1, Ending::adjudicated, std::string(detail));
        if (agree(rules_.resign, first.loss, second.win))
            return end_lost_by(0, Ending::adjudicated, std::string(detail));
    }

    void move() {
        const std::size_t index = mover();
        PlayerState& seat = seats_[index];
        const Allowance allowance = seat.clock.allow();
        const Turn turn = seat.player.take_turn(game_, allowance);
        if (turn.fault == Ending::aborted) return end(1, Ending::aborted, {});
        const bool is_in_time = seat.clock.spend(turn.seconds);
        if (turn.fault) return end_lost_by(index, *turn.fault, turn.detail);
        note(seat, turn);
        seat.figures.overrun = std::max(seat.figures.overrun, turn.seconds - allowance.seconds);
        if (!is_in_time) return end_lost_by(index, Ending::too_late, "its move came too late");
        if (rules_.honours_claims && game_.has_move()) honour(index, turn.claim);
    }

    void honour(std::size_t index, int claim) {
        if (claim == cb_draw) end_drawn(Ending::adjudicated, "a draw was claimed");
        if (claim == cb_win) end_lost_by(1 - index, Ending::adjudicated, "a win was claimed");
        if (claim == cb_loss) end_lost_by(index, Ending::adjudicated, "a loss was claimed");
    }

    void note(PlayerState& seat, const Turn& turn) {
        const StatusReading reading = read_status(turn.status);
        PlayerFigures& figures = seat.figures;
        ++figures.moves;
        figures.seconds += turn.seconds;
        figures.longest = std::max(figures.longest, turn.seconds);
        if (turn.own_seconds) {
            figures.overhead += std::max(0.0, turn.seconds - *turn.own_seconds);
            ++figures.measured_moves;
        }
        if (reading.depth) {
            figures.depth += *reading.depth;
            ++figures.moves_with_depth;
        }
        if (reading.nodes_per_second) {
            figures.speed += *reading.nodes_per_second;
            ++figures.moves_with_speed;
        }
        seat.opinion.hear(reading.value, rules_);
        std::string comment;
        if (reading.value) comment += (*reading.value < 0 ? "" : "+") + fixed(*reading.value, 0);
        if (reading.depth) comment += '/' + fixed(*reading.depth, 0);
        if (!comment.empty()) comment += ' ';
        record_.comments.push_back(comment + fixed(turn.seconds, 3) + 's');
    }

    MatchGame& game_;
    Side first_side_;
    const Adjudication& rules_;
    PlayerState seats_[2];
    GameRecord record_;
    bool ended_ = false;
};

}  // namespace

void PlayerFigures::add(const PlayerFigures& other) {
    moves += other.moves;
    seconds += other.seconds;
    longest = std::max(longest, other.longest);
    overhead += other.overhead;
    measured_moves += other.measured_moves;
    depth += other.depth;
    moves_with_depth += other.moves_with_depth;
    speed += other.speed;
    moves_with_speed += other.moves_with_speed;
    overrun = std::max(overrun, other.overrun);
}

std::string_view result_of(const GameRecord& record) {
    if (record.ending == Ending::aborted) return "*";
    constexpr std::string_view results[] = {"0-1", "1/2-1/2", "1-0"};
    return results[record.first_halves];
}

GameRecord referee_game(MatchGame& game, Side first_side, Contestant first, Contestant second,
                        const TimeSettings& time, const Adjudication& rules) {
    return Refereed(game, first_side, first, second, time, rules).play();
}

}  // namespace defiance
