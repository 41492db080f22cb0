#include <tools/posdb/service.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/random.hpp>
#include <tools/posdb/board_text.hpp>
#include <tools/posdb/page.hpp>
#include <tools/posdb/query_answers.hpp>
#include <tools/posdb/scoring_task.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

// Nothing else that is asked for is nearly as long.
static_assert(HttpLimits{}.body ==
                  max_batch_boards * (max_board_text + std::string_view("\r\n").size()),
              "the limit for a body must be exactly the size of the largest batch");
constexpr std::string_view over_limit = "rate limit exceeded";

bool is_api(std::string_view path) {
    return path == "/cdb" || path == "/cdb.php" || path == "/checkersdb.php";
}

/// Whether all answers are JSON; a batch has no others.
bool wants_json(const HttpRequest& http) {
    return is_set(http, "json") || is_set(http, "batch");
}

/// Whether the action may be in a body that is not read.
bool may_hide_action(const HttpRequest& http) {
    return http.method == HttpRequest::Method::post && !http.body.empty() && !is_form(http) &&
           !http.field("action") && !is_set(http, "batch");
}

/// A request as far as it can be read, for an answer that is no other for another action.
ApiRequest as_far_as_read(const HttpRequest& http) {
    ApiRequest request = read_api_request(http).value_or(ApiRequest(http));
    request.json = wants_json(http);
    return request;
}

/// The position on a board as a request has it. Error: the status to answer.
Result<Position> position_of_board(const GameRules& rules, std::string_view board) {
    if (board.empty()) return Error{std::string(invalid_parameters)};
    std::string text(board);
    // Nobody has decoded a `+` in the lines of a batch.
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '_' || c == '+'; }, ' ');
    const auto position = parse_board(rules, text);
    if (!position) return Error{"invalid board"};
    return *position;
}

/// Whether the scores of all moves are known in the position after a move.
bool is_expanded(const GameRules& rules, const MoveView& move) {
    if (!move.is_child_known) return false;
    // Moves to the same position have one score. Most positions have none such, and to count moves
    // takes less time.
    const auto replies = static_cast<std::size_t>(move.replies);
    return replies == rules.count_moves(move.named.after) ||
           replies == canonical_moves(rules, move.named.after).size();
}

}  // namespace

PositionService::PositionService(PositionStore& store, const GameEndgames& endgames,
                                 ServiceOptions options)
    : store_(store), options_(std::move(options)) {
    for (std::size_t i = 0; i < databases_.size(); ++i) {
        const GameCore* core = find_game(store_game_names[i]);
        DEFIANCE_ASSERT(core != nullptr);
        databases_[i] = std::make_unique<PositionDatabase>(*core, store, endgames[i].get());
        DEFIANCE_ASSERT(databases_[i]->game() == static_cast<StoreGame>(i));
    }
}

PositionService::~PositionService() = default;

HttpResponse PositionService::handle(const HttpRequest& request) {
    if (is_api(request.path)) return answer_api(request);
    // What there is can be read only, what is not there not even that.
    if (!has_other(request)) return http_failure(404);
    if (request.method != HttpRequest::Method::post) return answer_other(request);
    HttpResponse response = http_failure(405);
    response.headers.push_back({"Allow", "GET, HEAD"});
    return response;
}

bool PositionService::has_other(const HttpRequest& request) const {
    if (request.path == secret_path_page) return may_know_secret_path(request);
    return request.path == "/healthz" || request.path == "/metrics" || is_page_file(request.path);
}

HttpResponse PositionService::answer_other(const HttpRequest& request) {
    if (request.path == "/healthz") return answer_health();
    if (request.path == "/metrics") return answer_metrics();
    if (request.path == secret_path_page) return answer_secret_path();
    auto file = page_file(request.path);
    DEFIANCE_ASSERT(file);
    return *std::move(file);
}

bool PositionService::is_limited(const HttpRequest& request) const {
    // A page that is loaded in part does not work. The others ask the store.
    if (!is_api(request.path)) return !is_page_file(request.path);
    const auto api = read_api_request(request);
    return !api || !kind_of(api->action).is_of_workers || !may_write(*api);
}

int PositionService::cost(const HttpRequest& request) const {
    if (!is_api(request.path) || !is_set(request, "batch")) return 1;
    // The last line may end without a line feed.
    const bool is_last_open = !request.body.empty() && request.body.back() != '\n';
    const auto lines =
        std::count(request.body.begin(), request.body.end(), '\n') + (is_last_open ? 1 : 0);
    return static_cast<int>(std::clamp<std::ptrdiff_t>(lines, 1, max_batch_boards));
}

HttpResponse PositionService::refuse(const HttpRequest& request) {
    // Only who asks the API knows its answers; to others 200 would mean that they have what they
    // want.
    if (!is_api(request.path)) return http_failure(429);
    const ApiRequest refused = as_far_as_read(request);
    HttpResponse response = in_form(refused, status_answer(refused.json, over_limit));
    if (options_.uses_http_status) response.status = 429;
    return response;
}

HttpResponse PositionService::answer_api(const HttpRequest& http) {
    const Stopwatch stopwatch;
    if (may_hide_action(http)) {
        ++metrics_.invalid;
        HttpResponse refused = http_failure(
            415, "parameters are read only from a body of the type " + std::string(form_type));
        if (!wants_json(http)) return refused;
        HttpResponse response =
            in_form(as_far_as_read(http), status_answer(true, invalid_parameters));
        response.status = refused.status;
        return response;
    }
    HttpResponse response;
    // Without an action the original answers nothing, but JSON is always an object.
    if (!http.field("action") && !wants_json(http)) return response;
    if (const auto request = read_api_request(http)) {
        response = request->is_batch ? answer_batch(*request)
                                     : in_form(*request, answer(*request, request->field("board")));
    } else {
        ++metrics_.invalid;
        const ApiRequest unknown = as_far_as_read(http);
        response = in_form(unknown, status_answer(unknown.json, invalid_parameters));
    }
    metrics_.microseconds += static_cast<std::uint64_t>(stopwatch.seconds() * 1e6);
    return response;
}

HttpResponse PositionService::in_form(const ApiRequest& request, ApiAnswer answer) const {
    // The original has the byte where a board was given. It has no workers, so nobody expects it in
    // what they are answered.
    const bool has_nul = options_.ends_with_nul && !request.field("board").empty() &&
                         !kind_of(request.action).is_of_workers;
    HttpResponse response;
    response.status = answer.status;
    response.body = std::move(answer.body);
    if (request.json)
        response.type = "application/json";
    else if (has_nul)
        response.body += '\0';
    return response;
}

/// Answers a query for each line of the body, in a line of JSON each. A batch must neither hold up
/// the end of the server nor keep its thread busy for long; what is not looked up in time can be
/// asked again.
HttpResponse PositionService::answer_batch(const ApiRequest& batch) {
    ApiRequest request = batch;
    request.json = true;
    request.is_batch = false;
    std::vector<std::string_view> boards;
    std::string_view rest = batch.http.body;
    while (!rest.empty() && boards.size() <= max_batch_boards) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        boards.push_back(line);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const bool may_be_in_batch = kind_of(request.action).is_position_query();
    if (!may_be_in_batch || boards.empty() || boards.size() > max_batch_boards) {
        ++metrics_.invalid;
        return in_form(request, status_answer(true, invalid_parameters));
    }
    HttpResponse response;
    response.type = "application/x-ndjson";
    const Stopwatch stopwatch;
    const std::atomic<bool>* const is_stopping = batch.http.is_server_stopping;
    for (const std::string_view board : boards) {
        const bool is_over = stopwatch.seconds() >= options_.batch_seconds ||
                             (is_stopping != nullptr && *is_stopping);
        ApiAnswer line = is_over ? status_answer(true, over_limit) : answer(request, board);
        response.status = std::max(response.status, line.status);
        response.body += line.body + '\n';
    }
    return response;
}

/// `board` is read for the actions that have one.
ApiAnswer PositionService::answer(const ApiRequest& request, std::string_view board) {
    ++metrics_.requests[static_cast<std::size_t>(request.action)];
    Position position;
    if (kind_of(request.action).has_board) {
        const auto read = position_of_board(request.core->rules, board);
        if (!read) {
            ++metrics_.invalid;
            return status_answer(request.json, read.error());
        }
        position = *read;
    }
    if (const auto refusal = refusal_to_write(request)) return *refusal;
    switch (request.action) {
        case ApiAction::query_all:
        case ApiAction::query_best:
        case ApiAction::query:
        case ApiAction::query_search:
        case ApiAction::query_score:
        case ApiAction::query_pv:
            return answer_query(request, position);
        case ApiAction::query_book:
            return answer_query_book(request, book_of(request), position);
        case ApiAction::queue:
            return answer_queue(request, position);
        case ApiAction::store:
            return answer_store(request, position);
        case ApiAction::query_info:
            return answer_info(request);
        case ApiAction::get_queue:
            return answer_get_queue(request);
        case ApiAction::ack_queue:
            return answer_ack_queue(request);
    }
    return status_answer(request.json, invalid_parameters);
}

ApiAnswer PositionService::answer_query(const ApiRequest& request, const Position& position) {
    PositionDatabase& database = database_of(request);
    EgdbBudget budget;
    const auto view = look_up(database, position, request.metric, budget);
    if (!view) return failed(request, view.error());
    // What could be read is told also while nothing can be stored, as on a full disk.
    if (view->is_behind) ++metrics_.failures;
    const bool learns = may_learn(request) && request.learn.value_or(true);
    bool is_cut = request.learn.value_or(false) && !learns;
    if (learns) {
        const bool is_trivial = view->state == PositionView::State::ended ||
                                view->state == PositionView::State::endgame;
        if (!is_trivial && !view->is_complete() && learn(database, position)) {
            ++metrics_.failures;
            is_cut = request.learn.value_or(false);
        }
        if (request.action == ApiAction::query_all) remember_successors(database, *view);
    }
    const auto answer = answer_from_view(request, database, *view, is_cut, budget);
    if (!answer) return failed(request, answer.error());
    return *answer;
}

Result<ApiAnswer> PositionService::answer_from_view(const ApiRequest& request,
                                                    PositionDatabase& database,
                                                    const PositionView& view, bool is_cut,
                                                    EgdbBudget& budget) {
    switch (request.action) {
        case ApiAction::query_all:
            return answer_query_all(request, database.rules(), view, is_cut);
        case ApiAction::query_best:
        case ApiAction::query:
        case ApiAction::query_search:
            return answer_query_move(
                request, database, view, is_cut, [this](std::size_t count) { return pick(count); },
                budget);
        case ApiAction::query_score:
            return answer_query_score(request, view, is_cut);
        case ApiAction::query_pv:
            return answer_query_pv(request, database, view, is_cut, budget);
        case ApiAction::query_book:
        case ApiAction::queue:
        case ApiAction::store:
        case ApiAction::query_info:
        case ApiAction::get_queue:
        case ApiAction::ack_queue:
            break;  // these need no view
    }
    return status_answer(request.json, invalid_parameters);
}

std::optional<Error> PositionService::learn(PositionDatabase& database, const Position& position) {
    const PositionKey key = key_of_board(position);
    const auto origin = successors_.take(database.game(), key);
    if (!origin) return std::nullopt;
    const auto pushed =
        push_position(store_, database.game(), key, {origin->ply, origin->parent}, wanted_priority);
    if (!pushed) {
        // Who comes back may have more luck.
        successors_.remember(database.game(), {&key, 1}, *origin);
        return Error{pushed.error()};
    }
    if (*pushed == PushOutcome::queued) ++metrics_.learned;
    return std::nullopt;
}

void PositionService::remember_successors(PositionDatabase& database, const PositionView& view) {
    if (view.state != PositionView::State::known) return;
    const Origin origin = {key_of_board(view.position), ply_after(view.ply)};
    std::vector<PositionKey> unknown;
    for (const MoveView& move : view.moves)
        if (!is_expanded(database.rules(), move)) unknown.push_back(key_of_board(move.named.after));
    // All at once: the threads of all connections share what is remembered.
    if (!unknown.empty()) successors_.remember(database.game(), unknown, origin);
}

bool PositionService::may_learn(const ApiRequest& request) const {
    return is_allowed(options_.learn, request.http);
}

PositionDatabase& PositionService::database_of(const ApiRequest& request) {
    const auto found =
        std::find_if(databases_.begin(), databases_.end(),
                     [&](const auto& database) { return &database->core() == request.core; });
    DEFIANCE_ASSERT(found != databases_.end());
    return **found;
}

const OpeningBook* PositionService::book_of(const ApiRequest& request) {
    return options_.books[static_cast<std::size_t>(database_of(request).game())].get();
}

ApiAnswer PositionService::failed(const ApiRequest& request, std::string_view problem) {
    ++metrics_.failures;
    // Others need not know where the store is, also when a web server on this machine asks for
    // them.
    if (!is_allowed(Permission::local, request.http)) problem = "the store does not answer";
    return failure_answer(request.json, problem);
}

std::size_t PositionService::pick(std::size_t count) {
    Random random(options_.seed + ++picks_);
    return random.below(count);
}

}  // namespace defiance
