#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <defiance/base/console.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/posdb/http_job_source.hpp>
#include <tools/posdb/scored_moves_text.hpp>
#include <tools/posdb/serve_options.hpp>
#include <tools/posdb/write_token.hpp>
#include <tools/support/games.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

/// Whether the path begins at a root of this machine. On Windows two separators, in any form, begin
/// the name of another machine, to which the user would be made known.
bool is_of_this_machine(std::string_view path) {
    if constexpr (path_separator == '/') return path.starts_with('/') && !path.starts_with("//");
    const std::string drive = lower_case(path.substr(0, 1));
    return path.size() > 2 && drive >= "a" && drive <= "z" && path[1] == ':' &&
           (path[2] == '/' || path[2] == path_separator);
}

/// Whether the file is one that a server on this machine has made. Another program may have its
/// port and name anything: not a file on another machine, nothing that keeps the reader waiting,
/// and no file of the user's to sign with.
bool is_made_by_server(const std::string& path) {
    if (!is_of_this_machine(path) || !file_exists(path)) return false;
    const Result<std::string> content = read_file(path, 2 * made_secret_digits);
    return content && trimmed(*content).size() == made_secret_digits && from_hex(trimmed(*content));
}

/// The secret in a file that must exist.
Result<WriteSecret> read_secret(const std::string& path) {
    if (!file_exists(path)) return Error{"there is no file " + shown(path)};
    return WriteSecret::read(path);
}

/// The secret of a server on this machine, which tells where it keeps it.
Result<WriteSecret> secret_of_local_server(const HttpUrl& url) {
    constexpr double call_seconds = 10;
    const Result<HttpReply> reply =
        HttpClient(url.host, url.port).get(secret_path_page, call_seconds);
    if (!reply) return Error{reply.error()};
    if (reply->status != 200 && reply->status != 404)
        return Error{"the server answers " + failure_text(*reply)};
    const std::string path(trimmed(reply->body));
    if (reply->status != 200 || !is_made_by_server(path))
        return Error{
            "the server does not tell where a secret is that it has made; name the file "
            "with --secret"};
    return read_secret(path);
}

Result<WriteSecret> secret_given(const Arguments& arguments, const HttpUrl& url) {
    if (const auto path = arguments.text("secret")) return read_secret(std::string(*path));
    // Only a server of this machine may name a file of it.
    if (url.host != "localhost" && url.host != "127.0.0.1" && url.host != "::1")
        return Error{"--secret is missing, which a server on another machine needs"};
    return secret_of_local_server(url);
}

void print_work_problem(const std::string& problem) {
    print_note("defiance: work: " + problem);
}

/// A position as a line of the log.
std::string text_of(const ScoringJob& job) {
    const GameRules& rules = find_game(name_of(job.game))->rules;
    return std::string(rules.file_word) + ' ' + to_fen(rules, job.position);
}

ExitCode work(const Arguments& arguments) {
    const Result<HttpUrl> url = read_url(*arguments.text("server"));
    if (!url) return fail("work: " + url.error());
    const auto effort = effort_given(arguments);
    if (!effort) return fail("work: " + effort.error());
    const Result<WriteSecret> secret = secret_given(arguments, *url);
    if (!secret) return fail("work: " + secret.error());
    const Result<GameEndgames> endgames = endgames_given(arguments, print_work_problem);
    if (!endgames) return fail("work: " + endgames.error());
    ScoringPool::Options options;
    options.threads = static_cast<int>(arguments.integer("threads").value_or(processor_count()));
    options.effort = *effort;
    options.idle_seconds = 1;
    options.make_source = [&] { return std::make_unique<HttpJobSource>(*url, *secret); };
    options.endgames = [&](StoreGame game) {
        return (*endgames)[static_cast<std::size_t>(game)].get();
    };
    options.warn = print_work_problem;
    options.scored = [](const ScoringJob& job) { print_note("scored " + text_of(job)); };
    const auto wanted = arguments.integer("count");
    if (wanted) options.count = static_cast<std::uint64_t>(*wanted);
    catch_interrupts();
    // Besides the connections: the endgame databases of six games.
    constexpr int other_files = 512;
    allow_open_files(options.threads + other_files);
    ScoringPool pool(std::move(options));
    constexpr int step_milliseconds = 100;
    while (!is_interrupted() && !(wanted && pool.scored() >= static_cast<std::uint64_t>(*wanted)))
        sleep_milliseconds(step_milliseconds);
    pool.stop();
    if (const std::uint64_t lost = pool.lost(); lost > 0)
        print_work_problem("the scores of " + std::to_string(lost) +
                           (lost == 1 ? " position" : " positions") +
                           " were not taken by the server");
    print_line("scored " + std::to_string(pool.scored()));
    return exit_done;
}

constexpr Option work_options[] = {required(path_option("server")),
                                   path_option("secret"),
                                   integer_option("threads", 1, 1024),
                                   integer_option("nodes", 1, 1'000'000'000),
                                   decimal_option("leaf", max_leaf_seconds),
                                   integer_option("count", 1, INT64_MAX),
                                   path_option("egdb")};

}  // namespace

const Verb work_verb = {
    "work",
    "--server URL [--secret FILE] [--threads N] [--nodes N] [--leaf S] [--count N] [--egdb DIR]",
    "scores positions that a server of positions has in its queue",
    "The server is 'defiance serve' on this or another machine, such as http://127.0.0.1:8032/.\n"
    "--secret FILE: the secret of the server, which another machine needs.\n"
    "--threads N: all processors when left out. Each keeps a connection, of which the server\n"
    "takes 32 from one address unless its option --connections says otherwise.\n"
    "--nodes N: so long each move is searched, 100000 when left out; --leaf S: for so many\n"
    "seconds, or until N nodes when both are given. All moves of a position together take eight\n"
    "minutes at most.\n"
    "Ends with Ctrl-C, or after --count positions. Each is named on standard error when the "
    "server\n"
    "has its scores. What a worker has taken and not sent back goes to others after ten minutes;\n"
    "until then it tries to send back what it has, a last time when it ends. Then it says of how\n"
    "many positions the server has not taken the scores. A thread whose scores the server refuses\n"
    "three times in a row leaves the positions to others for ten minutes.",
    {work_options, "", 0, 0, false},
    work};

}  // namespace defiance
