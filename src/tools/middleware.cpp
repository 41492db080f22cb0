#include <algorithm>
#include <cstdlib>
#include <string>

#include <defiance/base/assert.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/process.hpp>
#include <defiance/base/text.hpp>
#include <defiance/engine/engine.hpp>
#include <tools/posdb/remote_database.hpp>
#include <tools/support/engine_dll.hpp>
#include <tools/support/games.hpp>
#include <tools/support/middleware.hpp>
#include <tools/support/move_players.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

constexpr std::size_t longest_answer = 256;
constexpr double default_seconds = 1;
constexpr std::int64_t default_mebibytes = 64;

/// Asks a position database before another player, who moves where the database knows nothing or
/// would repeat a position of the game.
class DatabaseMovePlayer : public MovePlayer {
public:
    DatabaseMovePlayer(MovePlayer& player, const RemoteDatabaseOptions& options)
        : player_(player), database_(options) {}

    void begin_game() override { player_.begin_game(); }
    [[nodiscard]] std::optional<Move> choose(const CbGame& game) override {
        const auto move = database_.choose(game.rules(), game.position());
        if (const std::string problem = database_.take_problem(); !problem.empty())
            print_note("defiance: middleware: " + problem);
        if (!move || game.game().would_repeat(*move)) return player_.choose(game);
        return move;
    }

private:
    MovePlayer& player_;
    RemoteDatabase database_;
};

/// Reads and answers until the other side is gone or the game is given up.
ExitCode converse(const GameRules& rules, MovePlayer& player, const Arguments& arguments,
                  PrivateOutput& output) {
    const auto database = read_database_options(arguments);
    if (!database) return fail("middleware: " + database.error());
    std::optional<DatabaseMovePlayer> with_database;
    if (*database) with_database.emplace(player, **database);
    MiddlewareSide side(rules, with_database ? *with_database : player,
                        {arguments.text("on-illegal") == "ignore", arguments.has("multi-game"),
                         arguments.has("setup")});
    LineReader lines(stdin, longest_answer);
    for (;;) {
        std::string line;
        const LineReader::Outcome outcome = lines.read(line);
        if (outcome == LineReader::Outcome::end) return exit_done;
        if (outcome == LineReader::Outcome::too_long) line = "(a line of more than 256 bytes)";
        const auto answer = side.answer(line);
        if (!answer.problem.empty()) print_note("defiance: middleware: " + answer.problem);
        if (answer.line && !output.send(*answer.line)) return exit_done;
        if (answer.is_over) return answer.problem.empty() ? exit_done : exit_wrong_input;
    }
}

/// What --resign VALUE,MOVES says. Error: something else stands there.
Result<std::optional<Resignation>> read_resignation(const Arguments& arguments) {
    const auto text = arguments.text("resign");
    if (!text) return std::optional<Resignation>();
    constexpr std::int64_t largest = 30'000;
    const std::size_t comma = std::min(text->find(','), text->size());
    const auto value = parse_integer(text->substr(0, comma), -largest, largest);
    const auto moves = parse_integer(text->substr(std::min(comma + 1, text->size())), 1, 1000);
    if (!value || *value == 0 || !moves)
        return Error{"--resign takes VALUE,MOVES, as in 500,3, not '" + shown(*text) + "'"};
    const auto loss = static_cast<int>(-std::abs(*value));
    return std::optional(Resignation{from_centimen(loss), static_cast<int>(*moves)});
}

ExitCode play_engine(const GameCore& core, const Arguments& arguments, PrivateOutput& output) {
    const auto resignation = read_resignation(arguments);
    if (!resignation) return fail("middleware: " + resignation.error());
    const auto hash = arguments.integer("hash").value_or(default_mebibytes);
    EngineMovePlayer player(core, arguments.decimal("time").value_or(default_seconds),
                            static_cast<std::uint32_t>(hash), *resignation);
    if (!player)
        return fail("middleware: out of memory: no " + std::to_string(hash) +
                    " MB for the hash table");
    return converse(core.rules, player, arguments, output);
}

ExitCode play_random(const GameRules& rules, const Arguments& arguments, PrivateOutput& output) {
    RandomMovePlayer player(static_cast<std::uint64_t>(arguments.integer("seed").value_or(1)));
    return converse(rules, player, arguments, output);
}

ExitCode play_human(const GameRules& rules, const Arguments& arguments, PrivateOutput& output) {
    const Terminal terminal;
    if (!terminal) return fail("middleware: --human needs a terminal, and there is none");
    HumanMovePlayer player(terminal.in(), terminal.out());
    return converse(rules, player, arguments, output);
}

/// The game is the engine's own; --game may confirm it.
ExitCode play_dll(const Arguments& arguments, PrivateOutput& output) {
    DEFIANCE_ASSERT(arguments.has("dll"));
    forbid_error_dialogs();
    std::string problem;
    const EngineDll engine(std::string(*arguments.text("dll")), problem);
    if (!engine) return fail("middleware: " + problem);
    const Result<const GameCore*> core = game_of(engine);
    if (!core) return fail("middleware: " + core.error());
    const GameRules& rules = (*core)->rules;
    if (const auto word = arguments.text("game"); word && *word != rules.file_word)
        return fail("middleware: the engine plays " + std::string(rules.file_word) + ", not " +
                    shown(*word));
    DllMovePlayer player(engine, arguments.decimal("time").value_or(default_seconds));
    return converse(rules, player, arguments, output);
}

/// An option that the chosen player would not look at, or an empty text.
std::string find_misplaced(const Arguments& arguments) {
    const bool has_other_engine = arguments.has("dll");
    const bool has_no_engine = arguments.has("human") || arguments.has("random");
    if (static_cast<int>(arguments.has("human")) + arguments.has("random") + has_other_engine > 1)
        return "only one of --human, --random and --dll can play";
    if (arguments.has("cdb") && arguments.has("human")) return "--cdb does not go with --human";
    if (arguments.has("seed") && !arguments.has("random")) return "--seed goes with --random";
    if (arguments.has("time") && has_no_engine) return "--time is for an engine";
    for (const std::string_view option : {"resign", "hash"})
        if (arguments.has(option) && (has_no_engine || has_other_engine))
            return "--" + std::string(option) + " is for the engine of this program";
    return {};
}

ExitCode run_middleware(const Arguments& arguments) {
    const auto on_illegal = arguments.text("on-illegal").value_or("giveup");
    if (on_illegal != "giveup" && on_illegal != "ignore")
        return fail("middleware: --on-illegal takes giveup or ignore, not '" + shown(on_illegal) +
                    "'");
    if (const std::string problem = find_misplaced(arguments); !problem.empty())
        return fail("middleware: " + problem);
    // Before an engine file is loaded: what it prints is no line of the protocol.
    PrivateOutput output;
    if (arguments.has("dll")) return play_dll(arguments, output);
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return fail(core.error());
    if (arguments.has("human")) return play_human((*core)->rules, arguments, output);
    if (arguments.has("random")) return play_random((*core)->rules, arguments, output);
    return play_engine(**core, arguments, output);
}

constexpr Option middleware_options[] = {
    decimal_option("time", 1'000'000),
    integer_option("hash", 1, max_hash_mebibytes),
    flag_option("human"),
    flag_option("random"),
    integer_option("seed", 0, INT64_MAX),
    path_option("dll"),
    text_option("on-illegal"),
    flag_option("multi-game"),
    flag_option("setup"),
    text_option("resign"),
    remote_database_options[0],
    remote_database_options[1],
    remote_database_options[2],
    remote_database_options[3],
};

}  // namespace

const Verb middleware_verb = {
    "middleware",
    "[--game G] [--time S] [--hash MB] [--human | --random [--seed N] | --dll FILE] "
    "[--on-illegal giveup|ignore] [--multi-game] [--setup] [--resign VALUE,MOVES] [--cdb URL ...]",
    "plays one side of a game in the Checkers Middleware protocol",
    "Reads the other side's moves from standard input and writes its own to standard output, a "
    "line each:\n"
    "all squares the piece comes to, '24 20' or '2 11 18'. A first line '0 0' asks it to begin.\n"
    "Squares are numbers, in every game. Without a move it writes 'Give up!' and ends. When it "
    "reads\n"
    "that, or the end of the input, it ends silently.\n"
    "The engine thinks --time seconds a move (1). --human asks the person at the terminal, "
    "--random plays any move,\n"
    "--dll has a CheckerBoard engine play. A line that is no legal move is given up to, or with "
    "'ignore' passed over.\n"
    "With --multi-game another game may follow: the first line after 'Give up!' begins it, and\n"
    "'0 0' does at any time. With --setup a line 'setup FEN' before the first, which is not\n"
    "answered, begins the game from that position.\n"
    "--resign 500,3: the engine gives up when it has been five men behind (500 hundredths) for "
    "three "
    "moves.\n"
    "--cdb asks a position database first; 'defiance help hub' tells about it and what goes with "
    "it.",
    {middleware_options, "", 0, 0},
    run_middleware};

}  // namespace defiance
