#include <cstdint>
#include <string>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/rules/pdn.hpp>
#include <tools/support/games.hpp>
#include <tools/support/text_file.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

/// Plays the games of a file by the rules and counts what it finds.
class Replayer {
public:
    explicit Replayer(const GameRules& rules) : rules_(rules) {}

    void replay(const PdnGame& game) {
        ++games_;
        const std::string fault = find_fault_of(game);
        if (fault.empty()) return;
        ++faults_;
        print_note("game " + std::to_string(games_) + ": " + fault + " (the game begins on line " +
                   std::to_string(game.line) + ")");
    }

    [[nodiscard]] bool has_games() const { return games_ != 0; }
    [[nodiscard]] bool is_clean() const { return faults_ == 0; }

    [[nodiscard]] std::string summary() const {
        DEFIANCE_ASSERT(faults_ <= games_);
        return "games " + std::to_string(games_) + " moves " + std::to_string(moves_) + " faults " +
               std::to_string(faults_);
    }

private:
    /// The first fault of the game in words, or an empty text.
    std::string find_fault_of(const PdnGame& game) {
        const auto type = game.tag("GameType");
        if (type)
            if (const auto problem = find_other_game(*type, rules_)) return problem->text;
        const auto fen = game.tag("FEN");
        const Result<Position> start = fen ? read_position(rules_, *fen) : rules_.start_position();
        if (!start) return "FEN: " + start.error();
        const std::string fault = play(*start, game);
        return fault.empty() ? std::string(game.problem) : fault;
    }

    std::string play(Position position, const PdnGame& game) {
        // A game that the second player opens has one move less in its first pair.
        std::size_t ply = position.side == rules_.first_side ? 0 : 1;
        for (const PdnMove& written : game.moves) {
            const Result<Move> move = parse_move(rules_, position, written.text);
            if (!move)
                return "move " + std::to_string(ply / 2 + 1) + " on line " +
                       std::to_string(written.line) + ": " + move.error() + " in " +
                       to_fen(rules_, position);
            position = rules_.after(position, *move);
            DEFIANCE_ASSERT((position.black & position.white) == 0);
            ++moves_;
            ++ply;
        }
        return {};
    }

    const GameRules& rules_;
    std::uint64_t games_ = 0;
    std::uint64_t moves_ = 0;
    std::uint64_t faults_ = 0;
};

ExitCode replay_file(const Arguments& arguments) {
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return fail(core.error());
    const Result<std::string> text = read_text_file(std::string(arguments.positionals().front()));
    if (!text) return fail(text.error());
    PdnReader reader(*text);
    Replayer replayer((*core)->rules);
    while (const auto game = reader.next())
        replayer.replay(*game);
    print_line(replayer.summary());
    if (!replayer.has_games()) {
        print_note("there is no game in it");
        return exit_no;
    }
    return replayer.is_clean() ? exit_done : exit_no;
}

}  // namespace

const Verb replay_verb = {
    "replay",
    "[--game G] FILE",
    "plays the games of a PDN file and names every fault",
    "The first fault of a game ends its replay. A game with a FEN tag begins there.\n"
    "Exit status 1 when there is a fault, or no game.",
    {{}, "FILE", 1, 1},
    replay_file};

}  // namespace defiance
