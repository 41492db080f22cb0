#include <tools/posdb/serve_options.hpp>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <defiance/egdb/endgames.hpp>
#include <tools/http/connection.hpp>
#include <tools/posdb/scoring_pool.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

constexpr std::int64_t default_port = 8032;
constexpr std::int64_t default_nodes = 100'000;

constexpr Option serve_options[] = {path_option("dir"),
                                    path_option("store"),
                                    integer_option("port", 0, 65535),
                                    text_option("listen"),
                                    text_option("host-name"),
                                    text_option("cors"),
                                    decimal_option("rate", 1'000'000),
                                    integer_option("connections", 1, 1024),
                                    text_option("learn"),
                                    text_option("queue"),
                                    text_option("moves"),
                                    path_option("secret"),
                                    integer_option("workers", 0, 1024),
                                    integer_option("nodes", 1, 1'000'000'000),
                                    decimal_option("leaf", max_leaf_seconds),
                                    path_option("egdb"),
                                    path_option("books"),
                                    text_option("expand"),
                                    decimal_option("alpha", 100),
                                    integer_option("expand-positions", 1, 10'000'000),
                                    text_option("durability"),
                                    flag_option("compat-nul"),
                                    flag_option("http-status")};

std::vector<std::string> split_at_commas(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        parts.emplace_back(trimmed(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

/// Sets the permission that an option names; false when it names none.
bool read_permission(const Arguments& arguments, std::string_view name, Permission& permission) {
    const auto word = arguments.text(name);
    if (!word) return true;
    if (*word == "off") permission = Permission::nobody;
    if (*word == "local") permission = Permission::local;
    if (*word == "all") permission = Permission::everybody;
    return *word == "off" || *word == "local" || *word == "all";
}

/// The names of this machine, in the form in which those of Host headers are compared. A port and a
/// point at the end may be there, as in an address bar. Error: one that no Host header can have.
Result<std::vector<std::string>> read_host_names(std::string_view text) {
    std::vector<std::string> names;
    for (const std::string& given : split_at_commas(text)) {
        auto name = name_in_host(given);
        // An address of IPv6 need not be named, but may be.
        const bool is_address = name && name->starts_with('[') && name->ends_with(']');
        if (!name || !(is_machine_name(*name) || is_address)) {
            const bool is_url = given.find('/') != std::string::npos;
            return Error{"--host-name: '" + shown(given, 100) +
                         "' is no name of a machine such as headnode or db.example.org" +
                         (is_url ? "; leave out http:// and the path" : "")};
        }
        names.push_back(*std::move(name));
    }
    return names;
}

/// Allows so many connections of one address, and in all more in the same ratio as when nothing is
/// said, but never fewer than then.
void allow_connections(HttpServerOptions& options, int of_one_address) {
    // Each has a thread, whose stack takes up addresses.
    constexpr int most = sizeof(void*) > 4 ? 4096 : 512;
    const int ratio = options.max_connections / options.max_connections_per_address;
    options.max_connections_per_address = of_one_address;
    options.max_connections = std::clamp(ratio * of_one_address, options.max_connections, most);
}

/// The books of a folder, by their names in a release. Error: there is none, or one is damaged.
Result<GameBooks> open_game_books(const std::string& folder) {
    GameBooks books;
    for (std::size_t i = 0; i < books.size(); ++i) {
        const GameCore* core = find_game(store_game_names[i]);
        DEFIANCE_ASSERT(core != nullptr);
        const std::string path =
            path_below(folder, std::string(core->rules.file_word) + book_extension);
        if (!file_exists(path)) continue;
        auto book = OpeningBook::open(core->rules, path);
        if (!book) return Error{book.error()};
        books[i] = std::make_shared<const OpeningBook>(*std::move(book));
    }
    if (std::all_of(books.begin(), books.end(), [](const auto& book) { return book == nullptr; }))
        return Error{"--books: there is no book in " + shown(folder)};
    return books;
}

/// Tells what databases in the folder cannot be used, or that it has none for any game.
void tell_unused(const GameEndgames& endgames, const std::string& folder,
                 const std::function<void(const std::string&)>& warn) {
    bool has_any = false;
    for (const auto& databases : endgames)
        for (const std::string& line : databases->report()) {
            const bool is_unused = line.starts_with(not_used_mark);
            if (is_unused) warn("--egdb: " + line);
            has_any = has_any || is_unused || line.find(folder) != std::string::npos;
        }
    if (!has_any)
        warn("--egdb: there are no databases of Defiance or Cake in " + shown(folder, 200) +
             " that know more than the built-in ones");
}

}  // namespace

std::span<const Option> serve_syntax_options() {
    return serve_options;
}

Result<ServiceOptions> service_options_given(const Arguments& arguments) {
    ServiceOptions options;
    if (!read_permission(arguments, "learn", options.learn) ||
        !read_permission(arguments, "queue", options.queue) ||
        !read_permission(arguments, "moves", options.store))
        return Error{"--learn, --queue and --moves are off, local or all"};
    options.ends_with_nul = arguments.has("compat-nul");
    options.uses_http_status = arguments.has("http-status");
    options.seed = static_cast<std::uint64_t>(seconds_since_1970());
    if (const auto books_folder = arguments.text("books")) {
        auto books = open_game_books(std::string(*books_folder));
        if (!books) return Error{books.error()};
        options.books = *std::move(books);
    }
    const auto ballots = arguments.text("expand");
    if (!ballots && arguments.has("game")) return Error{"--game needs --expand"};
    // The word is for books, to begin at the start position alone. Here it would mean no expansion.
    if (ballots == "none")
        return Error{"--expand takes start, 3-move, 11-man or a file of openings, not 'none'"};
    const auto server = arguments.text("store");
    if (server)
        if (auto error = find_no_server(std::string(*server))) return *std::move(error);
    const std::string folder(arguments.text("dir").value_or(""));
    if (folder.empty() && !server) return Error{"--dir is missing"};
    if (!folder.empty())
        if (auto error = create_folder(folder)) return *std::move(error);
    std::string secret(arguments.text("secret").value_or(""));
    if (secret.empty() && !folder.empty()) secret = path_below(folder, secret_file_name);
    if (secret.empty()) return options;
    Result<WriteSecret> opened = WriteSecret::open(secret);
    if (!opened) return Error{opened.error()};
    options.secret = *std::move(opened);
    options.secret_path = full_path(secret);
    return options;
}

Result<Durability> durability_given(const Arguments& arguments, const std::string& place) {
    const auto word = arguments.text("durability");
    if (!word) return Durability::group;
    if (is_server(place)) return Error{"--durability goes with a folder; a server has its own"};
    if (*word == "sync") return Durability::sync;
    if (*word == "group") return Durability::group;
    if (*word == "os") return Durability::os;
    return Error{"--durability is sync, group or os, not '" + shown(*word) + "'"};
}

Result<HttpServerOptions> http_options_given(const Arguments& arguments) {
    HttpServerOptions options;
    options.port = static_cast<std::uint16_t>(arguments.integer("port").value_or(default_port));
    if (const auto addresses = arguments.text("listen"))
        options.addresses = split_at_commas(*addresses);
    if (options.addresses.empty()) return Error{"--listen names no address"};
    if (const auto names = arguments.text("host-name")) {
        auto read = read_host_names(*names);
        if (!read) return Error{read.error()};
        options.host_names = *std::move(read);
    }
    if (const auto origin = arguments.text("cors")) options.cors_origin = *origin;
    if (const auto connections = arguments.integer("connections"))
        allow_connections(options, static_cast<int>(*connections));
    if (const auto rate = arguments.decimal("rate")) {
        constexpr double burst_seconds = 4;
        options.requests_per_second = *rate;
        options.request_burst = std::max(1.0, *rate * burst_seconds);
    }
    return options;
}

std::string url_of_server(const std::vector<std::string>& addresses, std::uint16_t port) {
    DEFIANCE_ASSERT(!addresses.empty());
    const auto listens_at = [&](std::string_view address) {
        return std::find(addresses.begin(), addresses.end(), address) != addresses.end();
    };
    std::string host = addresses.front();
    if (listens_at("127.0.0.1") || listens_at("0.0.0.0"))
        host = "127.0.0.1";
    else if (listens_at("::1") || listens_at("::"))
        host = "::1";
    if (host.find(':') != std::string::npos) host = '[' + host + ']';
    return "http://" + host + ':' + std::to_string(port) + '/';
}

Result<ScoringEffort> effort_given(const Arguments& arguments) {
    ScoringEffort effort;
    const auto seconds = arguments.decimal("leaf");
    if (seconds && *seconds <= 0) return Error{"--leaf must be above 0"};
    const auto nodes = arguments.integer("nodes");
    if (seconds) effort.seconds = *seconds;
    if (nodes || !seconds)
        effort.nodes = static_cast<std::uint64_t>(nodes.value_or(default_nodes));
    else
        effort.nodes = std::numeric_limits<std::uint64_t>::max();
    effort.position_seconds = max_scoring_seconds;
    return effort;
}

int workers_given(const Arguments& arguments, int processors) {
    // One processor has to do both: without anybody who scores, what is queued would wait for ever.
    const int usual = std::max(1, processors - 1);
    return static_cast<int>(arguments.integer("workers").value_or(usual));
}

GameEndgames open_game_endgames(const std::string& folder) {
    GameEndgames endgames;
    EndgameSettings settings;
    settings.foreign_bytes = std::uint64_t{8} << 20;
    // Not as the folder that is named: hardly any has databases of all games, and for each of the
    // others report() would tell that there are none.
    if (!folder.empty()) settings.default_folders = {with_final_separator(folder)};
    for (std::size_t i = 0; i < endgames.size(); ++i) {
        const GameCore* core = find_game(store_game_names[i]);
        DEFIANCE_ASSERT(core != nullptr);
        endgames[i] = core->open_endgames(settings);
    }
    return endgames;
}

Result<GameEndgames> endgames_given(const Arguments& arguments,
                                    const std::function<void(const std::string&)>& warn) {
    const auto folder = arguments.text("egdb");
    if (!folder) return open_game_endgames("");
    const std::string path(*folder);
    if (!folder_exists(path)) return Error{"--egdb: there is no folder " + shown(path, 200)};
    GameEndgames endgames = open_game_endgames(path);
    tell_unused(endgames, with_final_separator(path), warn);
    return endgames;
}

}  // namespace defiance
