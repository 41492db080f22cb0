#include <tools/posdb/remote_database.hpp>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/posdb/move_names.hpp>
#include <tools/posdb/scores.hpp>

namespace defiance {
namespace {

/// How long a server that did not answer in time is left alone, in seconds.
constexpr double pause_after_silence = 10;

std::string_view name_of_query(DatabaseAction action) {
    switch (action) {
        case DatabaseAction::best:
            return "querybest";
        case DatabaseAction::all:
            return "query";
        case DatabaseAction::pv:
            break;
    }
    return "querypv";
}

/// The part of a line `score:2,depth:5,pv:11-15|23-19` with this name.
std::string_view part_of(std::string_view line, std::string_view name) {
    while (!line.empty()) {
        const std::size_t comma = std::min(line.find(','), line.size());
        const std::string_view part = line.substr(0, comma);
        if (part.starts_with(name) && part.substr(name.size()).starts_with(':'))
            return part.substr(name.size() + 1);
        line.remove_prefix(std::min(comma + 1, line.size()));
    }
    return {};
}

/// The number of plies that the answer to `querypv` says it knows.
int depth_of(std::string_view line) {
    return static_cast<int>(parse_integer(part_of(line, "depth"), 0, 10'000).value_or(0));
}

/// True when an answer to `querypv` or `queryscore` tells of an endgame that is won or lost, but
/// not in how many moves. Any move that keeps the win is the best there, so who always plays one at
/// once may go round in circles.
bool has_unknown_end(std::string_view line) {
    const std::string_view text =
        line.starts_with("eval:") ? part_of(line, "eval") : part_of(line, "score");
    const auto score = parse_integer(text, -proven_score, proven_score);
    return score && std::abs(*score) == unknown_distance_score;
}

/// The text of the first move in an answer; empty when it has none.
std::string_view first_move_of(std::string_view line) {
    for (const std::string_view name : {"move", "egtb", "search", "pv"})
        if (const std::string_view part = part_of(line, name); !part.empty())
            return part.substr(0, part.find('|'));
    return {};
}

}  // namespace

const std::string_view remote_database_help =
    "--cdb http://HOST:PORT asks a position database first and plays its move at once; "
    "--cdb-timeout MS (200)\n"
    "is the most that this takes, --cdb-min-depth PLIES (0) the shortest line that counts,\n"
    "--cdb-action best|all|pv (best) what is played: a best move, any sound one, the first of the "
    "line.\n";

Result<std::optional<RemoteDatabaseOptions>> read_database_options(const Arguments& arguments) {
    using Read = std::optional<RemoteDatabaseOptions>;
    const auto address = arguments.text("cdb");
    if (!address) {
        for (const char* option : {"cdb-timeout", "cdb-min-depth", "cdb-action"})
            if (arguments.has(option))
                return Error{"--" + std::string(option) + " goes with --cdb"};
        return Read();
    }
    Result<HttpUrl> url = read_url(*address);
    if (!url) return Error{"--cdb: " + url.error()};
    RemoteDatabaseOptions options;
    options.url = *std::move(url);
    if (options.url.path == "/") options.url.path = "/cdb";
    if (const auto milliseconds = arguments.integer("cdb-timeout"))
        options.timeout = static_cast<double>(*milliseconds) / 1000;
    options.min_depth = static_cast<int>(arguments.integer("cdb-min-depth").value_or(0));
    const auto action = arguments.text("cdb-action").value_or("best");
    if (action != "best" && action != "all" && action != "pv")
        return Error{"--cdb-action takes best, all or pv, not '" + shown(action) + "'"};
    options.action = action == "best"  ? DatabaseAction::best
                     : action == "all" ? DatabaseAction::all
                                       : DatabaseAction::pv;
    DEFIANCE_ASSERT(options.timeout > 0);
    return Read(std::move(options));
}

std::optional<Move> RemoteDatabase::choose(const GameRules& rules, const Position& position,
                                           double most_seconds) {
    if (since_silence_ && since_silence_->seconds() < pause_after_silence) return std::nullopt;
    since_silence_.reset();
    const Stopwatch stopwatch;
    const double limit = std::min(options_.timeout, most_seconds);
    const auto left = [&] { return limit - stopwatch.seconds(); };
    std::optional<std::string> line;
    if (options_.min_depth > 0 || options_.action == DatabaseAction::pv) {
        line = ask(rules, position, "querypv", left());
        if (!line || depth_of(*line) < options_.min_depth) return std::nullopt;
    }
    if (options_.action != DatabaseAction::pv)
        line = ask(rules, position, name_of_query(options_.action), left());
    if (!line) return std::nullopt;
    std::optional<std::string> valued = line;
    if (line->starts_with("egtb:")) valued = ask(rules, position, "queryscore", left());
    if (!valued || has_unknown_end(*valued)) return std::nullopt;
    const std::string_view text = first_move_of(*line);
    if (text.empty()) return std::nullopt;
    const std::vector<NamedMove> moves = named_moves(rules, position);
    const auto index = find_move(rules, position, moves, text);
    if (!index) {
        fail("'" + shown(text) + "' is no legal move");
        return std::nullopt;
    }
    DEFIANCE_ASSERT(*index < moves.size());
    is_failing_ = false;
    return moves[*index].move;
}

/// The answer without the white space and the NUL that may end it; nothing when there is none.
std::optional<std::string> RemoteDatabase::ask(const GameRules& rules, const Position& position,
                                               std::string_view action, double seconds) {
    if (seconds <= 0) return std::nullopt;
    const std::string& path = options_.url.path;
    const std::string request = path + (path.find('?') == std::string::npos ? '?' : '&') +
                                "action=" + std::string(action) +
                                "&variant=" + std::string(rules.file_word) +
                                "&board=" + percent_encoded(to_fen(rules, position));
    Result<HttpReply> reply = client_.get(request, seconds);
    if (!reply) {
        since_silence_.emplace();
        fail(reply.error());
        return std::nullopt;
    }
    if (reply->status != 200) {
        fail("the server answers " + failure_text(*reply));
        return std::nullopt;
    }
    std::string text = (*std::move(reply)).body;
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    return text;
}

void RemoteDatabase::fail(std::string problem) {
    if (!is_failing_) problem_ = "position database: " + std::move(problem);
    is_failing_ = true;
}

std::string RemoteDatabase::take_problem() {
    return std::exchange(problem_, {});
}

}  // namespace defiance
