#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/report.hpp>

#include "player.hpp"
#include "verbs.hpp"

namespace defiance::gui {
namespace {

constexpr int exact_bit = 2;

std::string milliseconds(double seconds) {
    return fixed(seconds * 1000, 1) + " ms";
}

EnglishGame new_game() {
    return EnglishGame(start_position(English::first_side));
}

/// Seconds from playnow to the return of getmove in an endless search.
double obey_once(const EngineDll& engine) {
    const EnglishGame game = new_game();
    CbBoard board = to_cb_board(game.position());
    StatusLine status;
    int play_now = 0;
    std::atomic<double> returned_at{0};
    const Stopwatch stopwatch;
    std::thread thinker([&] {
        constexpr double until_told = 8600000;
        engine.get_move(board, cb_black, {until_told, 0, 0, status.data(), &play_now, nullptr});
        returned_at.store(stopwatch.seconds());
    });
    sleep_milliseconds(50);
    const double told_at = stopwatch.seconds();
    std::atomic_ref<int>(play_now).store(1);
    thinker.join();
    return returned_at.load() - told_at;
}

void report_obedience(const EngineDll& engine) {
    constexpr int rounds = 50;
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i)
        times.push_back(obey_once(engine));
    std::sort(times.begin(), times.end());
    print_line("playnow to return: median " + milliseconds(times[rounds / 2]) + ", longest " +
               milliseconds(times.back()));
}

void report_exactness(const EngineDll& engine) {
    constexpr double asked = 0.1;
    double least = std::numeric_limits<double>::max();
    double most = std::numeric_limits<double>::lowest();
    for (int i = 0; i < 20; ++i) {
        const double error = ask(engine, new_game(), asked, exact_bit).seconds - asked;
        least = std::min(least, error);
        most = std::max(most, error);
    }
    print_line("exact time of 100 ms: used minus asked from " + milliseconds(least) + " to " +
               milliseconds(most));
}

bool report_mean(const EngineDll& engine) {
    constexpr double asked = 0.1;
    EnglishGame game = new_game();
    double sum = 0;
    double most = 0;
    while (game.state() == GameState::open) {
        const Answer answer = ask(engine, game, asked);
        sum += answer.seconds;
        most = std::max(most, answer.seconds);
        if (game.play_board(answer.board)) continue;
        print_line("a board that no legal move leads to was returned");
        return false;
    }
    const auto plies = static_cast<double>(game.moves().size());
    print_line("average mode, 100 ms: mean " + milliseconds(sum / plies) + ", longest " +
               milliseconds(most) + " in a game of " + fixed(plies, 0) + " plies");
    return true;
}

}  // namespace

ExitCode latency(const Arguments& arguments) {
    const Stopwatch stopwatch;
    const EngineDll engine = load_engine(std::string(arguments.positionals()[0]));
    if (!engine) return exit_no;
    const double loaded = stopwatch.seconds();
    const Answer first = ask(engine, new_game(), 0.01);
    print_line("load " + milliseconds(loaded) + ", to the first move of a 10 ms search " +
               milliseconds(stopwatch.seconds()) + " (getmove " + milliseconds(first.seconds) +
               ")");
    report_obedience(engine);
    report_exactness(engine);
    return report_mean(engine) ? exit_done : exit_no;
}

}  // namespace defiance::gui
