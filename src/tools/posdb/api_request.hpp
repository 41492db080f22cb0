#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <defiance/engine/game_core.hpp>
#include <tools/http/message.hpp>
#include <tools/posdb/json_writer.hpp>
#include <tools/posdb/position_view.hpp>

namespace defiance {

/// What a request asks the position database to do.
enum class ApiAction {
    query_all,
    query_best,
    query,
    query_search,
    query_score,
    query_pv,
    query_book,
    queue,
    store,
    query_info,
    get_queue,
    ack_queue
};

/// What the service has to know of an action before it does it.
struct ApiActionKind {
    ApiAction action;
    std::string_view name;
    /// It is about the position of the field `board` or, in a batch, of a line. ackqueue, which
    /// gives back what getqueue gave, reads its board by itself.
    bool has_board = false;
    /// It changes what is stored or queued, so that the sender needs a right to it.
    bool writes = false;
    bool is_of_workers = false;  ///< that right is a token; else a permission of ServiceOptions

    /// A query of a position. Only these may be in a batch.
    [[nodiscard]] constexpr bool is_position_query() const { return has_board && !writes; }
};

/// A row for each action, in their order. An action without one cannot be asked for: new ones come
/// before the last, so that the compiler tells.
inline constexpr auto api_action_kinds = std::to_array<ApiActionKind>(
    {{.action = ApiAction::query_all, .name = "queryall", .has_board = true},
     {.action = ApiAction::query_best, .name = "querybest", .has_board = true},
     {.action = ApiAction::query, .name = "query", .has_board = true},
     {.action = ApiAction::query_search, .name = "querysearch", .has_board = true},
     {.action = ApiAction::query_score, .name = "queryscore", .has_board = true},
     {.action = ApiAction::query_pv, .name = "querypv", .has_board = true},
     {.action = ApiAction::query_book, .name = "querybook", .has_board = true},
     {.action = ApiAction::queue, .name = "queue", .has_board = true, .writes = true},
     {.action = ApiAction::store, .name = "store", .has_board = true, .writes = true},
     {.action = ApiAction::query_info, .name = "queryinfo"},
     {.action = ApiAction::get_queue, .name = "getqueue", .writes = true, .is_of_workers = true},
     {.action = ApiAction::ack_queue, .name = "ackqueue", .writes = true, .is_of_workers = true}});

[[nodiscard]] constexpr const ApiActionKind& kind_of(ApiAction action) {
    return api_action_kinds[static_cast<std::size_t>(action)];
}

static_assert(api_action_kinds.size() == static_cast<std::size_t>(ApiAction::ack_queue) + 1,
              "an action has no row, or the last one is another");
static_assert(std::all_of(api_action_kinds.begin(), api_action_kinds.end(),
                          [](const ApiActionKind& kind) { return &kind_of(kind.action) == &kind; }),
              "the rows are in another order than the actions");
// All that workers do changes the queue, and only who writes is asked for a token.
static_assert(std::all_of(api_action_kinds.begin(), api_action_kinds.end(),
                          [](const ApiActionKind& kind) {
                              return !kind.is_of_workers || kind.writes;
                          }),
              "a worker would not be asked for its token");

/// A request whose options were read.
struct ApiRequest {
    explicit ApiRequest(const HttpRequest& request) : http(request) {}

    const HttpRequest& http;
    ApiAction action = ApiAction::query_all;
    const GameCore* core = nullptr;
    bool json = false;
    bool show_all = false;
    bool endgame_only = false;
    bool is_batch = false;
    std::optional<bool> learn;
    EgdbMetric metric = EgdbMetric::end_of_game;

    [[nodiscard]] std::string_view field(std::string_view name) const {
        return http.field(name).value_or(std::string_view());
    }
};

/// Reads the options. Nothing when there is no such action or game.
[[nodiscard]] std::optional<ApiRequest> read_api_request(const HttpRequest& http);

/// Whether a parameter is 1, true, on or yes.
[[nodiscard]] bool is_set(const HttpRequest& http, std::string_view name);

/// What the API answers: the text, or the JSON object.
struct ApiAnswer {
    std::string body;
    int status = 200;
};

/// The status of a request without what it needs, or with what cannot be read.
inline constexpr std::string_view invalid_parameters = "invalid parameters";

/// The answer that is only a status, such as "unknown".
[[nodiscard]] ApiAnswer status_answer(bool json, std::string_view status);
/// The answer when the store has failed.
[[nodiscard]] ApiAnswer failure_answer(bool json, std::string_view problem);

}  // namespace defiance
