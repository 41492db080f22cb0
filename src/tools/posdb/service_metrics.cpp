#include <tools/posdb/service_metrics.hpp>

#include <string_view>

#include <defiance/base/text.hpp>

namespace defiance {
namespace {

void begin(std::string& text, std::string_view name, std::string_view kind, std::string_view help) {
    text += "# HELP defiance_" + std::string(name) + ' ' + std::string(help) + '\n';
    text += "# TYPE defiance_" + std::string(name) + ' ' + std::string(kind) + '\n';
}

void sample(std::string& text, std::string_view name, std::uint64_t value) {
    text += "defiance_" + std::string(name) + ' ' + std::to_string(value) + '\n';
}

void single(std::string& text, std::string_view name, std::string_view kind, std::string_view help,
            std::uint64_t value) {
    begin(text, name, kind, help);
    sample(text, name, value);
}

void by_game(std::string& text, std::string_view name, std::string_view kind, std::string_view help,
             const std::array<std::uint64_t, store_game_names.size()>& values) {
    begin(text, name, kind, help);
    for (std::size_t i = 0; i < values.size(); ++i)
        sample(text, std::string(name) + "{game=\"" + std::string(store_game_names[i]) + "\"}",
               values[i]);
}

}  // namespace

std::string prometheus_text(const ServiceMetrics& metrics, const HttpServerCounts& http,
                            const StoreSizes& sizes) {
    std::string text;
    begin(text, "requests_total", "counter", "Requests to the API by action.");
    for (const ApiActionKind& kind : api_action_kinds)
        sample(text, "requests_total{action=\"" + std::string(kind.name) + "\"}",
               metrics.requests[static_cast<std::size_t>(kind.action)]);
    single(text, "invalid_requests_total", "counter", "Requests for no action, game or board.",
           metrics.invalid);
    single(text, "store_failures_total", "counter",
           "Requests and work that the store could not serve.",
           metrics.failures + metrics.failures_here);
    single(text, "learned_total", "counter", "Positions queued because a user stepped into them.",
           metrics.learned);
    single(text, "scored_total", "counter", "Positions scored by workers.",
           metrics.scored + metrics.scored_here);
    single(text, "expansion_queued_total", "counter", "Positions queued by drop-out expansion.",
           metrics.expansion_queued);
    single(text, "expansion_positions", "gauge",
           "Known positions that drop-out expansion leads to.", metrics.expansion_positions);
    begin(text, "answer_seconds_total", "counter", "Time taken by answers.");
    text += "defiance_answer_seconds_total " +
            fixed(static_cast<double>(metrics.microseconds) / 1e6, 6) + '\n';
    by_game(text, "positions", "gauge", "Positions in the store by game.", sizes.positions);
    by_game(text, "undecodable_values_total", "counter",
            "Values read that make no sense, by game: their positions are unknown.",
            sizes.undecodable);
    begin(text, "queue_tasks", "gauge", "Positions to be scored.");
    sample(text, "queue_tasks{state=\"waiting\"}", sizes.queue.waiting);
    sample(text, "queue_tasks{state=\"leased\"}", sizes.queue.leased);
    single(text, "store_up", "gauge", "1 when the store answers and can be written.",
           sizes.is_working ? 1 : 0);
    single(text, "http_connections_total", "counter", "Connections accepted.", http.connections);
    single(text, "http_connections_open", "gauge", "Connections that are open.", http.open);
    single(text, "http_requests_total", "counter", "Requests handled.", http.requests);
    single(text, "http_malformed_total", "counter", "Requests refused as malformed or too slow.",
           http.malformed);
    single(text, "http_over_limit_total", "counter", "Requests refused as too many a second.",
           http.over_limit);
    single(text, "http_busy_total", "counter", "Connections refused as too many.",
           http.refused_busy);
    return text;
}

}  // namespace defiance
