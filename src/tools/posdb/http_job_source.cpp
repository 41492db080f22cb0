#include <tools/posdb/http_job_source.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/posdb/api_request.hpp>
#include <tools/posdb/board_text.hpp>
#include <tools/posdb/scored_moves_text.hpp>
#include <tools/posdb/sha256.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

constexpr double call_seconds = 10;

std::string field(std::string_view name, std::string_view value) {
    return '&' + std::string(name) + '=' + percent_encoded(value);
}

/// The value of `name:value,` in a line of a task; the last one, of the board, has commas.
std::string_view part_of(std::string_view line, std::string_view name, bool is_last) {
    const std::size_t at = line.find(name);
    if (at == std::string_view::npos) return {};
    line.remove_prefix(at + name.size());
    return is_last ? line : line.substr(0, line.find(','));
}

/// The task of a line; nothing when it cannot be read.
std::optional<ScoringJob> read_job(std::string_view line) {
    const auto lease = parse_lease(part_of(line, "lease:", false));
    const GameCore* core = find_game(part_of(line, "variant:", false));
    const auto note = from_hex(part_of(line, "note:", false));
    if (!lease || core == nullptr || !note) return std::nullopt;
    const auto position = parse_board(core->rules, part_of(line, "board:", true));
    if (!position) return std::nullopt;
    return ScoringJob{*lease, store_game_of(core->rules), *position, false, *note};
}

}  // namespace

Result<std::string> HttpJobSource::post(const std::string& form) {
    const std::string path = url_.path == "/" ? "/cdb" : url_.path;
    const auto reply = client_.post(path, form, call_seconds);
    if (!reply) return Error{reply.error()};
    if (reply->status != 200) return Error{"the server answers " + failure_text(*reply)};
    // Servers of other versions end all texts with it when they are told to.
    std::string body = reply->body;
    if (body.ends_with('\0')) body.pop_back();
    if (body.starts_with("tokenerror"))
        return Error{"the server does not accept the secret, or its clock is wrong"};
    return body;
}

Result<std::vector<ScoringJob>> HttpJobSource::next() {
    constexpr std::string_view count = "1";
    const std::string time = std::to_string(seconds_since_1970());
    const auto body = post("action=getqueue" + field("count", count) + field("time", time) +
                           field("token", secret_.token({"getqueue", count, time})));
    if (!body) return Error{body.error()};
    std::vector<ScoringJob> jobs;
    std::string_view rest = *body;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        auto job = read_job(rest.substr(0, end));
        if (!job) return Error{"the server sends no tasks but: " + shown(rest)};
        jobs.push_back(*std::move(job));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return jobs;
}

std::optional<DeliveryFailure> HttpJobSource::deliver(const ScoringJob& job,
                                                      const std::vector<KnownMove>& moves) {
    const GameRules& rules = find_game(name_of(job.game))->rules;
    const std::string lease = std::to_string(job.lease);
    const std::string board = to_fen(rules, job.position);
    const std::string note = to_hex(job.note);
    const std::string scores = to_text(rules, job.position, moves);
    const std::string time = std::to_string(seconds_since_1970());
    const auto body = post(
        "action=ackqueue" + field("variant", rules.file_word) + field("lease", lease) +
        field("board", board) + field("note", note) + field("moves", scores) + field("time", time) +
        field("token",
              secret_.token({"ackqueue", lease, rules.file_word, board, note, scores, time})));
    if (!body) return DeliveryFailure{body.error()};
    if (body->starts_with("ok")) return std::nullopt;
    // Such as of a server of another version: it will never like these scores.
    const bool is_final = body->starts_with(invalid_parameters);
    return DeliveryFailure{"the server answers: " + shown(*body), is_final};
}

}  // namespace defiance
