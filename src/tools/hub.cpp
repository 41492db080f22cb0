#include <memory>
#include <string>

#include <defiance/base/assert.hpp>
#include <defiance/base/console.hpp>
#include <tools/posdb/remote_database.hpp>
#include <tools/support/games.hpp>
#include <tools/support/hub_session.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

/// Reads and answers until `quit` or the other side is gone.
ExitCode serve_hub(const HubSession::Parameters& parameters) {
    PrivateOutput output;
    HubSession session(parameters, [&](std::string_view line) { return output.send(line); });
    LineReader lines(stdin, longest_hub_line);
    for (;;) {
        std::string line;
        const LineReader::Outcome outcome = lines.read(line);
        if (outcome == LineReader::Outcome::end) return exit_done;
        const bool goes_on =
            outcome == LineReader::Outcome::too_long ? session.take_too_long() : session.take(line);
        if (!goes_on) return exit_done;
    }
}

/// Asks the database, on the thread of a search. A problem is told once, on standard error.
HubSession::Adviser adviser_of(const RemoteDatabaseOptions& options) {
    return [database = std::make_shared<RemoteDatabase>(options)](
               const GameRules& rules, const Position& position, double most_seconds) {
        const auto move = database->choose(rules, position, most_seconds);
        if (const std::string problem = database->take_problem(); !problem.empty())
            print_note("defiance: hub: " + problem);
        return move;
    };
}

ExitCode run_hub(const Arguments& arguments) {
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return fail(core.error());
    HubSession::Parameters parameters;
    parameters.variant = *core;
    if (const auto hash = arguments.integer("hash"))
        parameters.hash_mebibytes = static_cast<std::uint32_t>(*hash);
    DEFIANCE_ASSERT(parameters.hash_mebibytes >= 1);
    const auto database = read_database_options(arguments);
    if (!database) return fail("hub: " + database.error());
    if (*database) parameters.adviser = adviser_of(**database);
    return serve_hub(parameters);
}

constexpr Option hub_options[] = {
    integer_option("hash", 1, max_hash_mebibytes_for(sizeof(void*))),
    remote_database_options[0],
    remote_database_options[1],
    remote_database_options[2],
    remote_database_options[3],
};

const std::string hub_details =
    "The Hub protocol, version 2, in which programs for draughts on a computer play each other, "
    "over\n"
    "standard input and output. Its parameters, which a line 'set-param name=N value=V' sets:\n"
    "  variant      the game; at first that of --game, or English\n"
    "  hash         size of the hash table in MB\n"
    "  threads      how many threads search\n"
    "  egdb         whether endgame databases are used: true or false\n"
    "  egdb-path    the folder with endgame databases besides those that are built in\n"
    "  book         0: no opening book, 1: any sound move of it, 2: a good one, 3: the best; the "
    "book\n"
    "               is english.book, or that of the game, beside the program, or in a folder\n"
    "               defiance or books there\n"
    "  hintpolicy   what moves that are hinted are worth: trust, verify or ignore\n"
    "Positions are 33 characters: the side to move and the squares 1 to 32 of the game, as in\n"
    "'pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww'. Moves have the numbers of squares, too.\n"
    "A search: 'pos start', 'level move-time=1', 'go think'; it is ended by 'stop'. Ends with\n"
    "'quit' or the end of the input.\n" +
    std::string(remote_database_help) +
    "It is not asked in analysis, on 'level infinite', while pondering, with searchmoves, and\n"
    "where bookmove or egtbmove hints a move that counts. It is never asked for more than a "
    "quarter of the\n"
    "time of the move, or of what is left on the clock. Where its move would repeat a position\n"
    "of the game, the engine finds one.";

}  // namespace

const Verb hub_verb = {"hub",
                       "[--game G] [--hash MB] [--cdb URL ...]",
                       "serves the engine to programs that speak the Hub protocol",
                       hub_details,
                       {hub_options, "", 0, 0},
                       run_hub};

}  // namespace defiance
