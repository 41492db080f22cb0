#include <tools/posdb/remote_database.hpp>

#include <algorithm>
#include <array>
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

/// Whether a server of positions says that it knows nothing to play.
bool knows_nothing(std::string_view line) {
    return line == "unknown" || line == "nobestmove" || line == "checkmate" || line == "stalemate";
}

/// Whether it tells a move or a score.
bool tells_something(std::string_view line) {
    constexpr std::array<std::string_view, 5> forms = {
        "move:", "egtb:", "search:", "score:", "eval:"};
    return std::any_of(forms.begin(), forms.end(),
                       [&](std::string_view form) { return line.starts_with(form); });
}

/// Whether it names several moves and leaves to a search which of them is played.
bool has_candidates(std::string_view line) {
    const std::string_view list = part_of(line, "search");
    const std::size_t end = std::min(list.find('|'), list.size());
    return list.find_first_not_of('|', end) != std::string_view::npos;
}

Error strange_answer(std::string_view line) {
    constexpr std::size_t max_shown = 100;
    if (line.empty()) return {"the server answers nothing"};
    return {"the server answers: " + shown(line, max_shown)};
}

/// True when an answer to `querypv` or `queryscore` tells of a position that is won or lost, but
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
    const double limit = std::min(options_.timeout, most_seconds);
    if (limit <= 0) return std::nullopt;
    const Result<std::string> text = ask_for_move(rules, position, limit);
    if (!text) {
        fail(text.error());
        return std::nullopt;
    }
    std::optional<Move> chosen;
    if (!text->empty()) {
        const std::vector<NamedMove> moves = named_moves(rules, position);
        const auto index = find_move(rules, position, moves, *text);
        if (!index) {
            fail("'" + shown(*text) + "' is no legal move");
            return std::nullopt;
        }
        DEFIANCE_ASSERT(*index < moves.size());
        chosen = moves[*index].move;
    }
    is_failing_ = false;
    return chosen;
}

/// The text of the move to play; empty when there is none. Error: why the server has not told.
Result<std::string> RemoteDatabase::ask_for_move(const GameRules& rules, const Position& position,
                                                 double seconds) {
    const Stopwatch stopwatch;
    const auto answer_to = [&](std::string_view action) {
        return ask(rules, position, action, seconds - stopwatch.seconds());
    };
    const bool plays_line = options_.action == DatabaseAction::pv;
    std::string line;
    if (plays_line || options_.min_depth > 0) {
        auto told = answer_to("querypv");
        if (!told) return told;
        line = *std::move(told);
        if (depth_of(line) < options_.min_depth) return std::string();
    }
    const auto told = plays_line ? Result(line) : answer_to(name_of_query(options_.action));
    if (!told || told->empty()) return told;
    if (has_candidates(*told)) return std::string();
    const std::string_view move = first_move_of(*told);
    if (move.empty()) return strange_answer(*told);
    // A line has its score with it, a move has none.
    const auto valued = line.empty() ? answer_to("queryscore") : Result(line);
    if (!valued) return valued;
    return has_unknown_end(*valued) ? std::string() : std::string(move);
}

/// The answer without the white space and the NUL that may end it; empty when the server knows
/// nothing. Error: it does not answer, or as no server of positions does.
Result<std::string> RemoteDatabase::ask(const GameRules& rules, const Position& position,
                                        std::string_view action, double seconds) {
    if (seconds <= 0) return Error{"the server answers too slowly"};
    const std::string& path = options_.url.path;
    const std::string request = path + (path.find('?') == std::string::npos ? '?' : '&') +
                                "action=" + std::string(action) +
                                "&variant=" + std::string(rules.file_word) +
                                "&board=" + percent_encoded(to_fen(rules, position));
    Result<HttpReply> reply = client_.get(request, seconds);
    if (!reply) {
        since_silence_.emplace();
        return Error{reply.error()};
    }
    if (reply->status != 200) return Error{"the server answers " + failure_text(*reply)};
    std::string text = (*std::move(reply)).body;
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    if (knows_nothing(text)) return std::string();
    if (!tells_something(text)) return strange_answer(text);
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
