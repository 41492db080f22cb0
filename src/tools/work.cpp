#include <memory>
#include <string>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <tools/posdb/http_job_source.hpp>
#include <tools/posdb/serve_options.hpp>
#include <tools/posdb/write_token.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

ExitCode work(const Arguments& arguments) {
    const Result<HttpUrl> url = read_url(*arguments.text("server"));
    if (!url) return fail("work: " + url.error());
    const std::string secret_path(*arguments.text("secret"));
    if (!file_exists(secret_path)) return fail("work: there is no file " + shown(secret_path));
    const Result<WriteSecret> secret = WriteSecret::open(secret_path);
    if (!secret) return fail("work: " + secret.error());
    const GameEndgames endgames =
        open_game_endgames(std::string(arguments.text("egdb").value_or("")));
    ScoringPool::Options options;
    options.threads = static_cast<int>(arguments.integer("threads").value_or(processor_count()));
    options.effort = effort_given(arguments);
    options.idle_seconds = 1;
    options.make_source = [&] { return std::make_unique<HttpJobSource>(*url, *secret); };
    options.endgames = [&](StoreGame game) {
        return endgames[static_cast<std::size_t>(game)].get();
    };
    options.warn = [](const std::string& problem) { print_note("defiance: work: " + problem); };
    catch_interrupts();
    ScoringPool pool(std::move(options));
    constexpr int step_milliseconds = 100;
    const auto wanted = arguments.integer("count");
    while (!is_interrupted() && !(wanted && pool.scored() >= static_cast<std::uint64_t>(*wanted)))
        sleep_milliseconds(step_milliseconds);
    pool.stop();
    print_line("scored " + std::to_string(pool.scored()));
    return exit_done;
}

constexpr Option work_options[] = {
    required(text_option("server")),       required(text_option("secret")),
    integer_option("threads", 1, 1024),    integer_option("nodes", 1, 1'000'000'000),
    integer_option("count", 1, INT64_MAX), text_option("egdb")};

}  // namespace

const Verb work_verb = {
    "work",
    "--server URL --secret FILE [--threads N] [--nodes N] [--count N] [--egdb DIR]",
    "scores positions that a server of positions has in its queue",
    "The server is 'defiance serve' on this or another machine, such as http://127.0.0.1:8032/.\n"
    "FILE has the secret of the server. --nodes: so long each move is searched, 100000 when left\n"
    "out. Ends with Ctrl-C, or after --count positions. What a worker has taken and not sent back\n"
    "goes to others after ten minutes.",
    {work_options, "", 0, 0},
    work};

}  // namespace defiance
