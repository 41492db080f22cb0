#include <string>

#include <defiance/base/assert.hpp>
#include <defiance/base/console.hpp>
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

ExitCode run_hub(const Arguments& arguments) {
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return fail(core.error());
    HubSession::Parameters parameters;
    parameters.variant = *core;
    if (const auto hash = arguments.integer("hash"))
        parameters.hash_mebibytes = static_cast<std::uint32_t>(*hash);
    DEFIANCE_ASSERT(parameters.hash_mebibytes >= 1);
    return serve_hub(parameters);
}

constexpr Option hub_options[] = {integer_option("hash", 1, max_hash_mebibytes_for(sizeof(void*)))};

}  // namespace

const Verb hub_verb = {
    "hub",
    "[--game G] [--hash MB]",
    "serves the engine to programs that speak the Hub protocol",
    "The Hub protocol, version 2, in which programs for draughts on a computer play each other, "
    "over\n"
    "standard input and output. The parameter 'variant' chooses the game, unless --game has; "
    "'hash',\n"
    "'egdb' (true or false) and 'egdb-path' are the others. Positions are 33 characters: the side "
    "to\n"
    "move and the squares 1 to 32 of the game, as in 'pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww'.\n"
    "A search: 'pos start', 'level move-time=1', 'go think'; it is ended by 'stop'. Ends with "
    "'quit'\n"
    "or the end of the input.",
    {hub_options, "", 0, 0},
    run_hub};

}  // namespace defiance
