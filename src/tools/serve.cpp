#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <tools/egdb/tasks.hpp>
#include <tools/expansion/auto_expansion.hpp>
#include <tools/posdb/scoring_pool.hpp>
#include <tools/posdb/serve_options.hpp>
#include <tools/posdb/service.hpp>
#include <tools/store/grouped_store.hpp>
#include <tools/support/games.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

/// All that a running server consists of, in the order in which it is made.
struct Running {
    std::unique_ptr<PositionStore> store;
    GameEndgames endgames;
    std::unique_ptr<PositionService> service;
    std::unique_ptr<HttpServer> http;
    std::unique_ptr<ScoringPool> workers;
    std::unique_ptr<AutoExpansion> expansion;  ///< null without --expand
};

void print_problem(const std::string& problem) {
    print_note("defiance: serve: " + problem);
}

/// What --expand and its companions say; no roots when it was left out.
Result<AutoExpansion::Options> expansion_given(const Arguments& arguments, const GameRules& rules) {
    AutoExpansion::Options options;
    const auto ballots = arguments.text("expand");
    for (const std::string_view name : {"alpha", "expand-positions"})
        if (!ballots && arguments.has(name))
            return Error{"--" + std::string(name) + " needs --expand"};
    if (!ballots) return options;
    auto roots = expansion_roots(rules, *ballots == "start" ? "none" : std::string(*ballots));
    if (!roots) return Error{"--expand: " + roots.error()};
    options.roots = *std::move(roots);
    options.settings.costs = ExpansionCosts::of_alpha(
        arguments.decimal("alpha").value_or(ExpansionCosts::default_alpha));
    if (const auto positions = arguments.integer("expand-positions"))
        options.settings.positions = static_cast<std::size_t>(*positions);
    options.warn = print_problem;
    return options;
}

void start_workers(Running& running, const Arguments& arguments, const ScoringEffort& effort) {
    const int threads = workers_given(arguments, processor_count());
    if (threads == 0) return;
    ScoringPool::Options options;
    options.threads = threads;
    options.effort = effort;
    options.make_source = [&running] {
        return std::make_unique<StoreJobSource>(*running.store,
                                                [&running](StoreGame game) -> PositionDatabase& {
                                                    return running.service->database(game);
                                                });
    };
    options.endgames = [&running](StoreGame game) {
        return running.endgames[static_cast<std::size_t>(game)].get();
    };
    options.warn = print_problem;
    running.workers = std::make_unique<ScoringPool>(std::move(options));
}

/// Waits for Ctrl-C, then ends everything in order.
ExitCode wait_for_end(Running& running) {
    constexpr int step_milliseconds = 100;
    while (!is_interrupted()) {
        sleep_milliseconds(step_milliseconds);
        if (running.workers)
            running.service->set_scored(running.workers->scored(), running.workers->failures());
        if (running.expansion)
            running.service->set_expansion(running.expansion->queued(), running.expansion->known());
    }
    running.http->stop();
    if (running.expansion) running.expansion->stop();
    if (running.workers) running.workers->stop();
    if (const auto error = running.store->commit()) return fail("serve: " + error->text);
    return exit_done;
}

ExitCode serve(const Arguments& arguments) {
    const auto options = service_options_given(arguments);
    if (!options) return fail("serve: " + options.error());
    const auto http_options = http_options_given(arguments);
    if (!http_options) return fail("serve: " + http_options.error());
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return fail(core.error());
    const auto effort = effort_given(arguments);
    if (!effort) return fail("serve: " + effort.error());
    auto expansion_options = expansion_given(arguments, (*core)->rules);
    if (!expansion_options) return fail("serve: " + expansion_options.error());
    Running running;
    auto endgames = endgames_given(arguments, print_problem);
    if (!endgames) return fail("serve: " + endgames.error());
    running.endgames = *std::move(endgames);
    const std::string place(arguments.text("store").value_or(arguments.text("dir").value_or("")));
    const auto durability = durability_given(arguments, place);
    if (!durability) return fail("serve: " + durability.error());
    auto store = open_store(place, print_problem, *durability);
    if (!store) return fail("serve: " + store.error());
    if (!is_server(place))
        if (const auto error = make_up_for_journals(**store, place))
            return fail("serve: " + error->text);
    running.store = *std::move(store);
    running.service = std::make_unique<PositionService>(*running.store, running.endgames, *options);
    catch_interrupts();
    // Those of the store, and connections that are being refused.
    constexpr int other_files = 256;
    allow_open_files(http_options->max_connections + other_files);
    auto http = HttpServer::start(*http_options, *running.service);
    if (!http) return fail("serve: " + http.error());
    running.http = *std::move(http);
    running.service->set_http_server(*running.http);
    start_workers(running, arguments, *effort);
    if (!expansion_options->roots.empty())
        running.expansion = std::make_unique<AutoExpansion>(
            running.service->database(store_game_of((*core)->rules)), *running.store,
            *std::move(expansion_options));
    if (!send_line("listening on " + url_of_server(http_options->addresses, running.http->port())))
        return exit_done;
    return wait_for_end(running);
}

}  // namespace

const Verb serve_verb = {
    "serve",
    "--dir D [--port P] [--store redis://HOST:PORT/N] [--workers N] [--expand start] ...",
    "serves a database of positions over HTTP, and a page to look at it",
    "The positions are in the folder D, or with --store on a server that speaks the protocol of\n"
    "Redis; D then has the secret only. The page is at http://127.0.0.1:8032/ (--port: another\n"
    "port, 0 for any free one), the interface for programs at /cdb; README.md describes it.\n"
    "--workers N: threads that score positions in the queue, all processors but one, and at least\n"
    "  one, when left out, none with 0; --nodes N: so long each move is searched, 100000 when\n"
    "  left out; --leaf S: for so many seconds, or until N nodes when both are given. All moves\n"
    "  of a position together take eight minutes at most.\n"
    "--egdb DIR: endgame databases besides those that are built in. --books DIR: the opening\n"
    "  books there, english.book and so on, can be asked for by querybook.\n"
    "--expand PLACES: when nothing else waits, those who score go on by drop-out expansion, which\n"
    "  'defiance help book' describes, from PLACES: start, 3-move (the start position and the\n"
    "  three-move openings of English), 11-man, or a file of openings; of the game that --game\n"
    "  names. --alpha A: what giving away a tenth of a man costs, in plies, 3 when left out.\n"
    "  --expand-positions N: until so many are known, a million when left out, each of which\n"
    "  takes about a KB of memory.\n"
    "--listen ADDRESSES: with commas between, 127.0.0.1,::1 when left out; 0.0.0.0,:: for all.\n"
    "  --host-name NAMES: by which browsers and programs elsewhere call this machine; its number\n"
    "  need not be named. --rate R: requests a second for one address elsewhere, 5 when left out,\n"
    "  0 for any. --cors ORIGIN: whose pages may ask.\n"
    "  --connections N: at a time from one address elsewhere, 32 when left out; eight times as\n"
    "  many in all, at least 256 and at most 4096 (512 for a program of 32 bits). Each thread of\n"
    "  'defiance work' keeps one.\n"
    "--durability sync|group|os: what is stored is on the disk before it is acknowledged, a fifth\n"
    "  of a second later (when left out), or when the operating system chooses. A power failure\n"
    "  loses what is not; the end of the program does not.\n"
    "--learn, --queue, --moves (off, local or all): who may have positions learned, queued, and\n"
    "  use the action store; local when left out, which is this machine.\n"
    "--secret FILE: shared with those who may send scores (store with score, defiance work); it\n"
    "  is D/secret.txt when left out, and made when there is none.\n"
    "--compat-nul: texts end with a NUL byte where a board was given, except for defiance work.\n"
    "--http-status: 429 when there are too many requests.\n"
    "Ends with Ctrl-C.",
    {serve_syntax_options(), "", 0, 0},
    serve};

}  // namespace defiance
