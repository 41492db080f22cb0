// What the service tells of itself: queryinfo, and what those ask who look after the server.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <defiance/base/assert.hpp>
#include <tools/posdb/board_text.hpp>
#include <tools/posdb/service.hpp>

namespace defiance {

ApiAnswer PositionService::answer_info(const ApiRequest& request) {
    const PositionDatabase& database = database_of(request);
    const auto positions = store_.count(database.game());
    if (!positions) return failed(request, positions.error());
    const auto queue = store_.queue_size();
    if (!queue) return failed(request, queue.error());
    const std::pair<std::string_view, std::uint64_t> figures[] = {
        {"positions", *positions},
        {"waiting", queue->waiting},
        {"leased", queue->leased},
        {"egdb", static_cast<std::uint64_t>(database.endgame_pieces())},
        {"maxboard", max_board_text},
        {"maxmoves", static_cast<std::uint64_t>(max_board_moves)},
        {"maxbatch", max_batch_boards}};
    std::string text = "variant:" + std::string(database.rules().file_word);
    JsonWriter json;
    json.begin_object();
    json.member("status", "ok");
    json.member("variant", database.rules().file_word);
    for (const auto& [name, figure] : figures) {
        text += ',' + std::string(name) + ':' + std::to_string(figure);
        json.member(name, figure);
    }
    json.end_object();
    return {request.json ? json.take() : text};
}

HttpResponse PositionService::answer_health() {
    std::string problem;
    if (!store_.queue_size())
        problem = "the store does not answer";
    else if (store_.failure())
        problem = "nothing can be stored; see to the disk, then start the server again";
    HttpResponse response;
    response.body = (problem.empty() ? "ok" : problem) + '\n';
    if (!problem.empty()) response.status = 503;
    return response;
}

bool PositionService::may_know_secret_path(const HttpRequest& request) const {
    return is_allowed(Permission::local, request) && !options_.secret_path.empty();
}

/// Tells programs on this machine which file has the secret. It is no secret itself: they still
/// need the right to read that file.
HttpResponse PositionService::answer_secret_path() const {
    HttpResponse response;
    response.body = options_.secret_path + '\n';
    return response;
}

HttpResponse PositionService::answer_metrics() {
    StoreSizes sizes;
    sizes.is_working = !store_.failure();
    for (std::size_t i = 0; i < databases_.size(); ++i) {
        const auto count = store_.count(static_cast<StoreGame>(i));
        sizes.is_working &= static_cast<bool>(count);
        if (count) sizes.positions[i] = *count;
        sizes.undecodable[i] = databases_[i]->undecodable();
    }
    const auto queue = store_.queue_size();
    sizes.is_working &= static_cast<bool>(queue);
    if (queue) sizes.queue = *queue;
    const HttpServer* const server = http_server_;
    HttpResponse response;
    response.type = "text/plain; version=0.0.4; charset=utf-8";
    response.body =
        prometheus_text(metrics_, server != nullptr ? server->counts() : HttpServerCounts(), sizes);
    return response;
}

}  // namespace defiance
