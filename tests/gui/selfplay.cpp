#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <defiance/base/text.hpp>
#include <tools/support/engine_dll.hpp>
#include <tools/support/games.hpp>
#include <tools/support/openings.hpp>
#include <tools/support/report.hpp>
#include <tools/support/reported_move.hpp>

#include "player.hpp"
#include "verbs.hpp"

namespace defiance::gui {
namespace {

constexpr std::size_t longest_game = 400;
/// The machine may stand still once in a game; a second move that comes so late, or one that comes
/// as if it had been forgotten, is the engine's fault.
constexpr double grace_seconds = 2;
constexpr double longest_stop = 30;

/// The games of one run and of those before it that were cut short: a file with a line for each
/// game that has begun and one for each that has ended.
class Progress {
public:
    explicit Progress(std::string path) : path_(std::move(path)) {
        std::ifstream file(path_);
        for (std::string line; std::getline(file, line);)
            read(line);
    }

    [[nodiscard]] int ended() const { return ended_; }
    [[nodiscard]] int faults() const { return faults_; }
    [[nodiscard]] int begun() const { return begun_; }

    void note(const std::string& line) {
        read(line);
        print_line(line);
        if (path_.empty()) return;
        std::ofstream file(path_, std::ios::app);
        file << line << std::endl;
    }

private:
    void read(const std::string& line) {
        if (line.starts_with("begin ")) ++begun_;
        if (line.starts_with("end ")) ++ended_;
        if (line.find(" FAULT ") != std::string::npos) ++faults_;
    }

    std::string path_;
    int begun_ = 0;
    int ended_ = 0;
    int faults_ = 0;
};

/// Plays one game; the text says how it ended, with the word FAULT when the engine broke a rule.
std::string play_one(const GameRules& rules, const EngineDll& engine, const Position& start,
                     double seconds) {
    CbGame game(rules, start);
    double longest = 0;
    int late_moves = 0;
    const auto fault = [&](const std::string& what) {
        return "FAULT " + what + " in " + cb_fen(rules, game.position());
    };
    while (game.state() == GameState::open && game.moves().size() < longest_game) {
        const CbBoard before = to_cb_board(game.position());
        const Answer answer = ask(engine, game, seconds, game.moves().empty() ? 1 : 0);
        longest = std::max(longest, answer.seconds);
        const ReportedMove described = from_description(answer.move);
        if (!find_fault(described, before).empty() ||
            !(carry_out(before, described) == answer.board))
            return fault("wrong CBmove");
        if (answer.seconds > seconds + grace_seconds) ++late_moves;
        if (late_moves > 1 || answer.seconds > seconds + longest_stop) return fault("lost on time");
        if (!game.play_board(answer.board)) return fault("illegal move");
    }
    return std::string(result_of(game)) + ", " + std::string(reason_of(game.state())) + ", " +
           std::to_string(game.moves().size()) + " plies, longest think " + fixed(longest, 3) +
           " s";
}

ExitCode play_all(const GameRules& rules, const EngineDll& engine, int games, double seconds,
                  Progress& progress) {
    const std::vector<Position> ballots = eleven_man_ballots(rules);
    while (progress.ended() < games) {
        const int number = progress.ended();
        const std::size_t ballot =
            static_cast<std::size_t>(number) * ballots.size() / static_cast<std::size_t>(games);
        progress.note("begin " + std::to_string(number + 1));
        progress.note("end " + std::to_string(number + 1) + ": " +
                      play_one(rules, engine, ballots[ballot % ballots.size()], seconds));
    }
    print_line(std::string(rules.name) + ": games " + std::to_string(progress.ended()) +
               ", faults " + std::to_string(progress.faults()) + ", cut short and begun again " +
               std::to_string(progress.begun() - progress.ended()));
    return progress.faults() == 0 ? exit_done : exit_no;
}

}  // namespace

ExitCode selfplay(const Arguments& arguments) {
    const std::string path(arguments.positionals()[0]);
    const EngineDll engine = load_engine(path);
    if (!engine) return exit_no;
    greet(engine);
    const int games = static_cast<int>(arguments.integer("games").value_or(100));
    const double seconds = arguments.decimal("seconds").value_or(0.05);
    Progress progress(std::string(arguments.text("progress").value_or("")));
    const Result<const GameCore*> core = game_of(engine);
    if (!core) return fail(core.error());
    return play_all((*core)->rules, engine, games, seconds, progress);
}

}  // namespace defiance::gui
