#include <tools/posdb/api_request.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

const GameCore* game_named(std::string_view variant) {
    if (variant.empty()) return find_game("english");
    if (const auto number = parse_integer(variant, 0, 99))
        return find_game(static_cast<int>(*number));
    return find_game(lower_case(variant));
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
    const std::string word = lower_case(text);
    return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

bool is_set(const HttpRequest& http, std::string_view name) {
    const auto value = http.field(name);
    return value && is_one_of(*value, {"1", "true", "on", "yes"});
}

std::optional<ApiRequest> read_api_request(const HttpRequest& http) {
    ApiRequest request(http);
    const std::string_view name = request.field("action");
    const auto kind = std::find_if(api_action_kinds.begin(), api_action_kinds.end(),
                                   [&](const ApiActionKind& k) { return k.name == name; });
    if (kind == api_action_kinds.end()) return std::nullopt;
    request.action = kind->action;
    request.core = game_named(request.field("variant"));
    if (request.core == nullptr) return std::nullopt;
    request.json = is_set(http, "json");
    request.show_all = is_set(http, "showall");
    request.endgame_only = is_set(http, "endgame");
    request.is_batch = is_set(http, "batch");
    if (http.field("learn")) request.learn = is_set(http, "learn");
    if (is_one_of(request.field("egtbmetric"), {"dtz", "dtc", "mtc"}))
        request.metric = EgdbMetric::conversion;
    return request;
}

ApiAnswer status_answer(bool json, std::string_view status) {
    DEFIANCE_ASSERT(!status.empty() || !json);
    if (!json) return {std::string(status)};
    JsonWriter writer;
    writer.begin_object();
    writer.member("status", status);
    writer.end_object();
    return {writer.take()};
}

ApiAnswer failure_answer(bool json, std::string_view problem) {
    constexpr int unavailable = 503;
    if (!json) return {"Error: " + std::string(problem), unavailable};
    JsonWriter writer;
    writer.begin_object();
    writer.member("status", "error");
    writer.member("message", problem);
    writer.end_object();
    return {writer.take(), unavailable};
}

}  // namespace defiance
