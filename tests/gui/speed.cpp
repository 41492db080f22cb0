#include <array>
#include <string>
#include <vector>

#include <defiance/base/text.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/support/report.hpp>
#include <tools/support/status_reading.hpp>

#include "player.hpp"
#include "verbs.hpp"

namespace defiance::gui {
namespace {

/// Openings from games of Marion Tinsley that lead to middle games of 8 to 10 men a side.
constexpr std::array<std::string_view, 10> openings = {
    "10x14 24-20 7-10 22-18 11-16 20x11 8x15x22 25x18 4-8 28-24 8-11 24-19 9-13 18x9 5x14 "
    "29x25 3-7 25-22",
    "9-14 24-20 11-16 20x11 8x15 22-18 15x22 25x18x9 5x14 29x25 4-8 25-22 6-9 22-18 8-11 "
    "27-24 10x15 26-22",
    "10x14 22-18 6-10 25-22 11-15 18x11 8x15 29x25 1-6 23-18 14x23 27x18x11 7x16 22-18 "
    "3-7 25-22",
    "11-16 22-18 7-11 24-19 3-7 28-24 16-20 25-22 11-15 18x11 8x15 32-28 4-8 21-17 7-11 "
    "19-16 12x19 23x16x7 2x11 26-23",
    "11-15 23-18 15-19 24x15 10x19 21-17 9-14 17x10 7x14x23 27x18 3-7 18x15 8-11 15x8 "
    "4x11 22-18",
    "11-15 23-19 9-13 22-18 15x22 25x18 10x14 18x9 5x14 27-23 8-11 26-22 6-10 22-18 1-5 "
    "18x9 5x14 29x25 11-15 30-26",
    "9-14 22-18 11-16 18x9 5x14 24-19 8-11 25-22 11-15 29x25 15x24 27x20x11 7x16 22-18 "
    "6-9 28-24",
    "9-14 24-19 11-16 22-18 8-11 18x9 5x14 25-22 11-15 29x25 15x24 27x20x11 7x16 31-27 "
    "6-9 28-24",
    "9-13 24-19 11-16 22-18 8-11 18-14 10x17 21x14 6-9 28-24 9x18 23x14 16x23 27x18 11-16 "
    "26-23",
    "9-13 24-20 10x14 22-18 5-9 27-24 6-10 25-22 10x15 22-17 13x22 26x17x10 7x14 30-26 "
    "15x22 26x17x10 2-7 29x25 7x14 25-22"};

Result<EnglishGame> game_after(std::string_view moves) {
    EnglishGame game(start_position(English::first_side));
    while (!moves.empty()) {
        const Result<Move> move = parse_move(rules_of<English>, game.position(), take_word(moves));
        if (!move) return Error{move.error()};
        game.play(*move);
    }
    return game;
}

/// What one engine did over all positions.
struct Total {
    double nodes = 0;
    double seconds = 0;
    [[nodiscard]] double speed() const { return seconds > 0 ? nodes / seconds : 0; }
};

bool measure(const EngineDll& engine, const EnglishGame& game, double seconds, Total& total) {
    const Answer answer = ask(engine, game, seconds, 1);
    const auto nodes = number_after(answer.status, "nodes");
    if (!nodes) {
        print_note("no node count in the status line: " + answer.status);
        return false;
    }
    total.nodes += *nodes;
    total.seconds += answer.seconds;
    return true;
}

void report(const std::string& name, const Total& total) {
    print_line(name + ": nodes/s " + fixed(total.speed(), 0));
}

}  // namespace

ExitCode speed(const Arguments& arguments) {
    const double seconds = arguments.decimal("seconds").value_or(1.0);
    const int hash = static_cast<int>(arguments.integer("hash").value_or(64));
    const std::vector<std::string_view>& paths = arguments.positionals();
    const EngineDll engine = load_engine(std::string(paths[0]));
    if (!engine) return exit_no;
    const EngineDll peer = paths.size() > 1 ? load_engine(std::string(paths[1])) : EngineDll();
    if (paths.size() > 1 && !peer) return exit_no;
    const HashSize size(engine, hash);
    Total ours;
    Total theirs;
    for (const std::string_view opening : openings) {
        const Result<EnglishGame> game = game_after(opening);
        if (!game) return fail("opening: " + game.error());
        if (!measure(engine, *game, seconds, ours)) return exit_no;
        if (!peer) continue;
        const HashSize peer_size(peer, hash);
        if (!measure(peer, *game, seconds, theirs)) return exit_no;
    }
    report(name_of(engine, std::string(paths[0])), ours);
    if (!peer) return exit_done;
    report(name_of(peer, std::string(paths[1])), theirs);
    print_line("ratio " + fixed(ours.speed() / theirs.speed(), 2));
    return exit_done;
}

}  // namespace defiance::gui
