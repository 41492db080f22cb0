#pragma once

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
inline constexpr std::size_t api_actions = 12;
inline constexpr std::array<std::string_view, api_actions> api_action_names = {
    "queryall",  "querybest", "query", "querysearch", "queryscore", "querypv",
    "querybook", "queue",     "store", "queryinfo",   "getqueue",   "ackqueue"};

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

/// The answer that is only a status, such as "unknown".
[[nodiscard]] ApiAnswer status_answer(bool json, std::string_view status);
/// The answer when the store has failed.
[[nodiscard]] ApiAnswer failure_answer(bool json, std::string_view problem);

}  // namespace defiance
