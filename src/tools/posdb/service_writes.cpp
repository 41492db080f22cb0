// The actions that change the database, queue and store and those of workers, and who has a right
// to them.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/posdb/board_text.hpp>
#include <tools/posdb/json_writer.hpp>
#include <tools/posdb/move_names.hpp>
#include <tools/posdb/scored_moves_text.hpp>
#include <tools/posdb/scoring_pool.hpp>
#include <tools/posdb/scoring_task.hpp>
#include <tools/posdb/service.hpp>
#include <tools/posdb/sha256.hpp>

namespace defiance {
namespace {

/// The answer where there is nothing to do: nothing, as the original gives it for what is trivial;
/// in JSON an object.
ApiAnswer nothing(const ApiRequest& request) {
    return {request.json ? "{}" : ""};
}

/// The answer to a move that is not legal, cannot be read, or may be one of several captures.
ApiAnswer invalid_move(const ApiRequest& request, std::string_view problem) {
    constexpr std::string_view status = "invalid move";
    if (!request.json) return {std::string(status)};
    JsonWriter json;
    json.begin_object();
    json.member("status", status);
    json.member("message", problem);
    json.end_object();
    return {json.take()};
}

/// How many tasks a worker asks for; nothing when that is no sound number.
std::optional<std::int64_t> count_of_leases(const ApiRequest& request) {
    constexpr int max_leases = 64;
    return parse_integer(request.field("count"), 1, max_leases);
}

struct GivenScore {
    std::int16_t score = 0;
    std::uint8_t depth = 0;
};

/// The score of a move that a request gives; nothing when it is no sound one.
std::optional<GivenScore> score_given(const ApiRequest& request) {
    const std::string_view depth_text = request.field("depth");
    const auto score = parse_integer(request.field("score"), -proven_score, proven_score);
    const auto depth =
        depth_text.empty() ? std::optional<std::int64_t>(0) : parse_integer(depth_text, 0, 255);
    if (!score || !depth) return std::nullopt;
    return GivenScore{static_cast<std::int16_t>(*score), static_cast<std::uint8_t>(*depth)};
}

}  // namespace

bool PositionService::may_write(const ApiRequest& request) const {
    const std::string_view time = request.field("time");
    const auto has_token = [&](std::initializer_list<std::string_view> fields) {
        return is_recent(time, seconds_since_1970()) &&
               options_.secret.accepts(request.field("token"), fields);
    };
    switch (request.action) {
        case ApiAction::queue:
            return is_allowed(options_.queue, request.http);
        case ApiAction::store:
            return is_allowed(options_.store, request.http);
        case ApiAction::get_queue:
            return has_token({"getqueue", request.field("count"), time});
        case ApiAction::ack_queue:
            return has_token({"ackqueue", request.field("lease"), request.core->rules.file_word,
                              request.field("board"), request.field("note"), request.field("moves"),
                              time});
        case ApiAction::query_all:
        case ApiAction::query_best:
        case ApiAction::query:
        case ApiAction::query_search:
        case ApiAction::query_score:
        case ApiAction::query_pv:
        case ApiAction::query_book:
        case ApiAction::query_info:
            break;  // these do not write
    }
    return false;
}

std::optional<ApiAnswer> PositionService::refusal_to_write(const ApiRequest& request) const {
    const ApiActionKind& kind = kind_of(request.action);
    if (!kind.writes || may_write(request)) return std::nullopt;
    // A count that is none is told of first, because no token makes it one.
    if (request.action == ApiAction::get_queue && !count_of_leases(request))
        return status_answer(request.json, invalid_parameters);
    return status_answer(request.json, kind.is_of_workers ? "tokenerror" : "permission denied");
}

ApiAnswer PositionService::answer_queue(const ApiRequest& request, const Position& position) {
    PositionDatabase& database = database_of(request);
    EgdbBudget budget;
    if (database.is_trivial(position, budget)) return nothing(request);
    const auto queued = queue_around(database, store_, position, budget);
    if (!queued) return failed(request, queued.error());
    return status_answer(request.json, *queued ? "ok" : "queue full");
}

/// The answer to who may not store the score that the request gives.
std::optional<ApiAnswer> PositionService::refusal_of_score(const ApiRequest& request,
                                                           const Position& position) const {
    if (!score_given(request)) return status_answer(request.json, invalid_parameters);
    const GameRules& rules = request.core->rules;
    if (options_.secret.accepts(
            request.field("token"),
            {"store", rules.file_word, to_fen(rules, position), request.field("move"),
             request.field("score"), request.field("depth"), request.field("nonce")}))
        return std::nullopt;
    return status_answer(request.json, "tokenerror");
}

ApiAnswer PositionService::answer_store(const ApiRequest& request, const Position& position) {
    if (request.field("move").empty()) return status_answer(request.json, invalid_parameters);
    const bool has_score = !request.field("score").empty();
    // First, so that a sender with a wrong secret learns it from whatever he sends.
    if (has_score)
        if (auto refusal = refusal_of_score(request, position)) return *std::move(refusal);
    PositionDatabase& database = database_of(request);
    const auto move = parse_request_move(database.rules(), position, request.field("move"));
    if (!move) return invalid_move(request, move.error());
    if (database.is_trivial(position)) return nothing(request);
    const Position after = database.rules().after(position, *move);
    if (database.is_trivial(after)) return nothing(request);
    const auto known = database.find_many(std::array{position, after});
    if (!known) return failed(request, known.error());
    if (is_complete((*known)[1], database.rules(), after)) return nothing(request);
    if (has_score) return store_score(request, position, after);
    TaskNote note;
    note.parent = key_of_board(position);
    if ((*known)[0]) note.ply = ply_after((*known)[0]->ply);
    const auto pushed =
        push_position(store_, database.game(), key_of_board(after), note, wanted_priority);
    if (!pushed) return failed(request, pushed.error());
    return status_answer(request.json, *pushed == PushOutcome::full ? "queue full" : "ok");
}

/// Writes the score of a move, for the side that plays it, unless a better founded one is known.
ApiAnswer PositionService::store_score(const ApiRequest& request, const Position& position,
                                       const Position& after) {
    PositionDatabase& database = database_of(request);
    const auto given = score_given(request);
    const auto index = index_of_move_to(canonical_moves(database.rules(), position), after);
    DEFIANCE_ASSERT(given && index);
    const KnownMove move = {static_cast<std::uint8_t>(*index), given->score, given->depth,
                            ScoreSource::search};
    const bool is_start = position == database.rules().start_position();
    if (const auto error = database.add(position, {&move, 1},
                                        is_start ? 0 : KnownPosition::max_ply_from_start, {}))
        return failed(request, error->text);
    const auto known = database.find(position);
    if (!known) return failed(request, known.error());
    const KnownMove* const stored = *known ? (*known)->find(*index) : nullptr;
    const bool is_stored = stored != nullptr && *stored == move;
    return is_stored ? status_answer(request.json, "ok") : nothing(request);
}

/// The queue as workers see it.
StoreJobSource PositionService::job_source(int jobs_at_once) {
    return StoreJobSource(
        store_, [this](StoreGame game) -> PositionDatabase& { return database(game); },
        jobs_at_once);
}

/// Gives tasks to a worker, a line each: the number of the lease, the game, the position with black
/// to move, and bytes to send back.
ApiAnswer PositionService::answer_get_queue(const ApiRequest& request) {
    const auto count = count_of_leases(request);
    if (!count) return status_answer(request.json, invalid_parameters);
    StoreJobSource source = job_source(static_cast<int>(*count));
    const auto jobs = source.next();
    if (!jobs) return failed(request, jobs.error());
    std::string text;
    for (const ScoringJob& job : *jobs) {
        if (job.is_done) {
            // Somebody else was faster.
            const auto failure = source.deliver(job, {});
            if (!failure) continue;
            // Nobody gets the others by this answer. This one would be among the next again.
            for (const ScoringJob& other : *jobs)
                if (other.lease != job.lease) source.give_back(other);
            return failed(request, failure->text);
        }
        const GameRules& rules = database(job.game).rules();
        text += "lease:" + std::to_string(job.lease) + ",variant:" + std::string(rules.file_word) +
                ",note:" + to_hex(job.note) + ",board:" + to_fen(rules, job.position) + '\n';
    }
    if (!request.json) return {text};
    JsonWriter json;
    json.begin_object();
    json.member("status", "ok");
    json.member("tasks", text);
    json.end_object();
    return {json.take()};
}

/// Takes the scores of a task from a worker.
ApiAnswer PositionService::answer_ack_queue(const ApiRequest& request) {
    PositionDatabase& database = database_of(request);
    const auto lease = parse_lease(request.field("lease"));
    const auto position = parse_board(database.rules(), request.field("board"));
    const auto note_bytes = from_hex(request.field("note"));
    const bool has_note = note_bytes && decode_note(*note_bytes);
    const auto moves = position
                           ? parse_scored_moves(database.rules(), *position, request.field("moves"))
                           : std::nullopt;
    if (!lease || !has_note || !moves || moves->empty())
        return status_answer(request.json, invalid_parameters);
    const ScoringJob job = {*lease, database.game(), *position, false, *note_bytes};
    if (const auto failure = job_source(1).deliver(job, *moves))
        return failed(request, failure->text);
    ++metrics_.scored;
    return status_answer(request.json, "ok");
}

}  // namespace defiance
