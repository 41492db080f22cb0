#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/engine_dll.hpp>
#include <tools/support/games.hpp>
#include <tools/support/openings.hpp>
#include <tools/support/report.hpp>

#include "player.hpp"
#include "verbs.hpp"

namespace defiance::gui {
namespace {

/// The ballot played: men 6 and 27 are missing, both from the middle of their side.
constexpr std::size_t demonstrated_ballot = 66;
/// Longer than any game lasts that moves forward.
constexpr std::size_t max_plies = 1000;

/// Asks for a move the way CheckerBoard does: getmove runs on a thread of its own, made for this
/// move, and this one reads the status line ten times a second.
Answer ask_beside(const EngineDll& engine, const CbGame& game, double seconds) {
    Answer answer;
    answer.board = to_cb_board(game.position());
    StatusLine status;
    CBmove move{};
    int play_now = 0;
    static_cast<void>(engine.command(game.history_command()));
    std::atomic<bool> is_done{false};
    const Stopwatch stopwatch;
    const int color = color_to_move(game.position());
    std::thread thinker([&] {
        answer.result =
            engine.get_move(answer.board, color, {seconds, 0, 0, status.data(), &play_now, &move});
        answer.seconds = stopwatch.seconds();
        is_done.store(true);
    });
    double next_look = 0.1;
    while (!is_done.load()) {
        sleep_milliseconds(1);
        if (stopwatch.seconds() < next_look) continue;
        answer.status = status.text();
        next_look += 0.1;
    }
    thinker.join();
    answer.status = status.text();
    return answer;
}

void show_move(const CbGame& game, const Answer& answer) {
    const std::size_t ply = game.texts().size();
    const bool first_has_moved = game.position().side != game.rules().first_side;
    print_line(std::to_string((ply + 1) / 2) + (first_has_moved ? ". " : ". ... ") +
               game.texts().back() + "  (" + fixed(answer.seconds, 2) + " s)");
    print_line(picture_of(game.position()) + answer.status + '\n');
}

ExitCode play_game(const GameRules& rules, const EngineDll& engine, const std::string& name,
                   double seconds) {
    const std::vector<Position> ballots = eleven_man_ballots(rules);
    CbGame game(rules, ballots[std::min(demonstrated_ballot, ballots.size() - 1)]);
    print_line(name + " against itself, " + fixed(seconds, 2) + " s a move, from " +
               cb_fen(rules, game.position()) + "\n\n" + picture_of(game.position()));
    while (game.state() == GameState::open && game.moves().size() < max_plies) {
        const Answer answer = ask_beside(engine, game, seconds);
        if (!game.play_board(answer.board)) {
            print_line("The engine returned a board that no legal move leads to; status line: " +
                       answer.status);
            break;
        }
        show_move(game, answer);
    }
    print_line("Result: " + std::string(result_of(game)) + ", " +
               std::string(reason_of(game.state())) + ", after " +
               std::to_string(game.moves().size()) + " plies\n");
    print_line(game.to_pdn({"Defiance plays itself", {}, name, name, result_of(game)}));
    return game.state() == GameState::open ? exit_no : exit_done;
}

}  // namespace

ExitCode play(const Arguments& arguments) {
    const std::string path(arguments.positionals()[0]);
    const double seconds = arguments.decimal("seconds").value_or(0.2);
    const EngineDll engine = load_engine(path);
    if (!engine) return exit_no;
    greet(engine);
    const std::string name = name_of(engine, path);
    const Result<const GameCore*> core = game_of(engine);
    if (!core) return fail(core.error());
    return play_game((*core)->rules, engine, name, seconds);
}

}  // namespace defiance::gui
