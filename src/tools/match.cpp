#include <algorithm>
#include <string>

#include <defiance/base/assert.hpp>
#include <defiance/base/process.hpp>
#include <defiance/base/version.hpp>
#include <tools/match/match_options.hpp>
#include <tools/support/games.hpp>
#include <tools/training/game_player.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

constexpr std::size_t usual_match_games = 100;
constexpr std::size_t usual_tournament_games = 2;

/// Adds to the summary which program `self` is, so that a state is not gone on with by one that
/// plays otherwise.
void add_program(CompetitionSettings& settings) {
    const auto& players = settings.players;
    const bool plays_itself = std::any_of(players.begin(), players.end(), [](const PlayerSpec& p) {
        return p.kind == PlayerSpec::Kind::self;
    });
    if (settings.state_file.empty() || !plays_itself) return;
    const GameCore* core = find_game(settings.rules->game_type);
    DEFIANCE_ASSERT(core != nullptr);
    settings.summary +=
        " program " + std::string(version) + ' ' + std::to_string(play_fingerprint(*core));
}

ExitCode run(const Arguments& arguments, const std::string& verb, std::size_t usual_games) {
    forbid_error_dialogs();
    Result<CompetitionSettings> read = read_competition(arguments, usual_games);
    if (!read) return fail(verb + ": " + read.error());
    CompetitionSettings settings = *std::move(read);
    DEFIANCE_ASSERT(settings.players.size() >= 2);
    if (settings.test && !is_single_pairing(settings.schedule))
        return fail(verb + ": --sprt: a sequential test is of two players who meet once");
    add_program(settings);
    return run_competition(settings);
}

ExitCode run_match(const Arguments& arguments) {
    if (arguments.has("format")) return fail("match: --format is an option of tournament");
    return run(arguments, "match", usual_match_games);
}

ExitCode run_tournament(const Arguments& arguments) {
    return run(arguments, "tournament", usual_tournament_games);
}

const std::string match_usage =
    "A B " + std::string(competition_usage) + " [--sprt E0,E1[,ALPHA,BETA]]";
const std::string match_details =
    "Each opening is played twice with colours exchanged. The last line is\n"
    "'MATCH games N w W d D l L elo E +- X sprt H0|H1|open', all for the first player A.\n"
    "  --sprt ELO0,ELO1[,ALPHA,BETA]   ends the match when one of the two is accepted;\n"
    "  --elo-model logistic|normalized   is what its bounds mean\n" +
    std::string(competition_help);
const std::string tournament_usage =
    "A B C... [--format round-robin|gauntlet|knockout|swiss] " + std::string(competition_usage);
const std::string tournament_details =
    "At the end there is a cross table.\n"
    "  --format round-robin   everybody meets everybody\n"
    "  --format gauntlet      the first meets all others\n"
    "  --format knockout      who loses is out\n"
    "  --format swiss         who has like points meets; --rounds N\n" +
    std::string(competition_help);

}  // namespace

const Verb match_verb = {"match",
                         match_usage,
                         "plays games between two engines and tells who is stronger",
                         match_details,
                         {competition_options(), "A B", 2, 2},
                         run_match};

const Verb tournament_verb = {"tournament",
                              tournament_usage,
                              "plays games between several engines, with a cross table",
                              tournament_details,
                              {competition_options(), "A B C...", 2, 256},
                              run_tournament};

}  // namespace defiance
