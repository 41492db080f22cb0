#include <algorithm>
#include <string>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <defiance/tools/engine_game.hpp>
#include <defiance/tools/openings.hpp>
#include <defiance/tools/report.hpp>
#include <defiance/tools/statistics.hpp>

#include "player.hpp"
#include "verbs.hpp"

namespace defiance::host {
namespace {

constexpr std::size_t most_plies = 300;

/// One of the two engines and what it did so far.
struct Player {
    std::string name;
    const EngineDll& engine;
    double seconds = 0;
    double longest = 0;
    double depths = 0;
    int moves = 0;
    int moves_with_depth = 0;
    int faults = 0;

    void note(const Answer& answer) {
        seconds += answer.seconds;
        longest = std::max(longest, answer.seconds);
        ++moves;
        const double depth = number_after(answer.status, "depth");
        if (depth < 0) return;
        depths += depth;
        ++moves_with_depth;
    }

    void report() const {
        print_line(name + ": mean time " + fixed(seconds / std::max(1, moves), 4) + " s, longest " +
                   fixed(longest, 4) + " s, mean depth " +
                   (moves_with_depth == 0 ? "unknown" : fixed(depths / moves_with_depth, 1)) +
                   ", illegal boards " + std::to_string(faults));
    }
};

/// Halves of points for black, and why the game ended.
struct Outcome {
    int black_halves = 1;
    std::string reason;
};

template <class Rules>
Outcome outcome_of(const BorderGame<Rules>& game) {
    switch (game.state()) {
        case GameState::lost:
            return {game.position().side == Side::white ? 2 : 0, "no move left"};
        case GameState::repetition:
            return {1, "repetition"};
        case GameState::no_progress:
            return {1, "no progress"};
        default:
            return {1, "300 plies"};
    }
}

template <class Rules>
Outcome play_game(const Position& start, Player& black, Player& white, double seconds) {
    constexpr int new_game_bit = 1;
    BorderGame<Rules> game(start);
    int info = new_game_bit;
    while (game.state() == GameState::open && game.moves().size() < most_plies) {
        const bool blacks_turn = game.position().side == Side::black;
        Player& mover = blacks_turn ? black : white;
        const Answer answer = ask(mover.engine, game, seconds, game.moves().size() < 2 ? info : 0);
        mover.note(answer);
        if (game.accept(answer.board)) continue;
        ++mover.faults;
        print_line("ILLEGAL BOARD from " + mover.name + " in " +
                   border_fen<Rules>(game.position()) + ", result " +
                   std::to_string(answer.result) + ", status: " + answer.status);
        return {blacks_turn ? 0 : 2, "illegal board"};
    }
    return outcome_of(game);
}

/// Plays the games and keeps the score of the first player.
template <class Rules>
class Match {
public:
    Match(Player& first, Player& second, double seconds)
        : first_(first), second_(second), seconds_(seconds) {}

    void play_pair(const Opening& opening) {
        const int as_black = play(opening, first_, second_);
        const int as_white = 2 - play(opening, second_, first_);
        score_.add_pair(as_black, as_white);
        print_line("  after " + std::to_string(score_.games()) + " games: " + score_.tally());
    }

    [[nodiscard]] const MatchScore& score() const { return score_; }

private:
    int play(const Opening& opening, Player& black, Player& white) {
        const Outcome outcome = play_game<Rules>(opening.position, black, white, seconds_);
        const std::string_view winner = outcome.black_halves == 1   ? "draw"
                                        : outcome.black_halves == 2 ? "black wins"
                                                                    : "white wins";
        print_line(std::to_string(++games_) + ". " + black.name + " - " + white.name + ": " +
                   std::string(winner) + " (" + outcome.reason + ")  " + opening.name);
        return outcome.black_halves;
    }

    Player& first_;
    Player& second_;
    double seconds_;
    int games_ = 0;
    MatchScore score_;
};

/// The openings of the file given with --openings, or the 11-man ballots.
template <class Rules>
Result<std::vector<Opening>> openings_of(const Arguments& arguments) {
    if (const auto path = arguments.text("openings")) {
        const Result<std::string> text = read_file(std::string(*path));
        if (!text) return Error{text.error()};
        return read_openings<Rules>(*text);
    }
    std::vector<Opening> openings;
    for (const Position& position : eleven_man_ballots<Rules>())
        openings.push_back({border_fen<Rules>(position), position});
    return openings;
}

template <class Rules>
ExitCode play_match(Player& first, Player& second, const Arguments& arguments) {
    const Result<std::vector<Opening>> openings = openings_of<Rules>(arguments);
    if (!openings) return fail("openings: " + openings.error());
    const auto pairs = static_cast<std::size_t>(arguments.integer("games").value_or(20) / 2);
    const auto begin = static_cast<std::size_t>(arguments.integer("first").value_or(0));
    Match<Rules> match(first, second, arguments.decimal("seconds").value_or(0.1));
    for (std::size_t i = 0; i < pairs; ++i)
        match.play_pair((*openings)[(begin + i * openings->size() / pairs) % openings->size()]);
    first.report();
    second.report();
    print_line(first.name + " against " + second.name + ": " + match.score().summary());
    return first.faults + second.faults == 0 ? exit_done : exit_no;
}

}  // namespace

ExitCode match(const Arguments& arguments) {
    const std::string paths[] = {std::string(arguments.positionals()[0]),
                                 std::string(arguments.positionals()[1])};
    const EngineDll engines[] = {load_engine(paths[0]), load_engine(paths[1])};
    if (!engines[0] || !engines[1]) return exit_no;
    if (game_type_of(engines[0]) != game_type_of(engines[1]))
        return fail("the engines play different games");
    const int hash = static_cast<int>(arguments.integer("hash").value_or(64));
    const HashSize sizes[] = {{engines[0], hash}, {engines[1], hash}};
    Player first{name_of(engines[0], paths[0]), engines[0]};
    Player second{name_of(engines[1], paths[1]), engines[1]};
    return with_rules_of(
        engines[0], [&]<class Rules>() { return play_match<Rules>(first, second, arguments); });
}

}  // namespace defiance::host
