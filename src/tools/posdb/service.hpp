#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <defiance/book/opening_book.hpp>
#include <tools/http/server.hpp>
#include <tools/posdb/api_request.hpp>
#include <tools/posdb/permission.hpp>
#include <tools/posdb/position_database.hpp>
#include <tools/posdb/recent_successors.hpp>
#include <tools/posdb/scoring_pool.hpp>
#include <tools/posdb/service_metrics.hpp>
#include <tools/posdb/write_token.hpp>

namespace defiance {

/// Boards of a batch, at most.
inline constexpr std::size_t max_batch_boards = 256;

/// The opening book of each game; null where there is none.
using GameBooks = std::array<std::shared_ptr<const OpeningBook>, store_game_names.size()>;

struct ServiceOptions {
    Permission learn = Permission::local;  ///< positions that a user steps into are queued
    Permission queue = Permission::local;
    Permission store = Permission::local;  ///< of moves; scores need a token besides
    GameBooks books;                       ///< for querybook
    WriteSecret secret;                    ///< of those who may write scores
    std::string secret_path;               ///< the file with it, from the root; empty without one
    /// Texts about a board end with a NUL byte as those of the original do; for workers none does.
    bool ends_with_nul = false;
    bool uses_http_status = false;  ///< 429 when there are too many requests
    std::uint64_t seed = 0;         ///< of moves that are chosen by chance
    /// Boards of a batch that are not looked up after this time get the answer of the limit.
    double batch_seconds = 3;
};

/// The endgame databases of each game; null where there are none.
using GameEndgames = std::array<std::unique_ptr<EndgameDatabases>, store_game_names.size()>;

/// The position database as others see it over HTTP: the API at /cdb, the page at /, and what
/// those need to know who look after the server. See 'defiance help serve'.
class PositionService : public HttpHandler {
public:
    /// Keeps references.
    PositionService(PositionStore& store, const GameEndgames& endgames, ServiceOptions options);
    ~PositionService() override;

    [[nodiscard]] HttpResponse handle(const HttpRequest& request) override;
    /// All but the files of the page, and those of workers with a right token.
    [[nodiscard]] bool is_limited(const HttpRequest& request) const override;
    /// The positions of a batch.
    [[nodiscard]] int cost(const HttpRequest& request) const override;
    [[nodiscard]] HttpResponse refuse(const HttpRequest& request) override;

    /// Sets the server whose counts /metrics tells. It may be answering requests already: it begins
    /// to before anybody has it.
    void set_http_server(const HttpServer& server) { http_server_ = &server; }

    [[nodiscard]] PositionDatabase& database(StoreGame game) {
        return *databases_[static_cast<std::size_t>(game)];
    }
    /// Sets how many positions the workers of this program have scored, and how often they failed.
    void set_scored(std::uint64_t count, std::uint64_t failures) {
        metrics_.scored_here = count;
        metrics_.failures_here = failures;
    }
    /// Sets how many positions drop-out expansion has queued and how many known ones it leads to.
    void set_expansion(std::uint64_t queued, std::uint64_t positions) {
        metrics_.expansion_queued = queued;
        metrics_.expansion_positions = positions;
    }

private:
    [[nodiscard]] HttpResponse answer_api(const HttpRequest& http);
    /// Whether there is something for this sender to read at a path that is not of the API.
    [[nodiscard]] bool has_other(const HttpRequest& request) const;
    /// The reply to a request to read it; has_other() must be true.
    [[nodiscard]] HttpResponse answer_other(const HttpRequest& request);
    [[nodiscard]] HttpResponse answer_batch(const ApiRequest& request);
    [[nodiscard]] HttpResponse answer_health();
    [[nodiscard]] HttpResponse answer_metrics();
    [[nodiscard]] bool may_know_secret_path(const HttpRequest& request) const;
    [[nodiscard]] HttpResponse answer_secret_path() const;
    [[nodiscard]] HttpResponse in_form(const ApiRequest& request, ApiAnswer answer) const;

    [[nodiscard]] ApiAnswer answer(const ApiRequest& request, std::string_view board);
    [[nodiscard]] ApiAnswer answer_query(const ApiRequest& request, const Position& position);
    /// The answer to a query from what is known of its position. Error: of the store.
    [[nodiscard]] Result<ApiAnswer> answer_from_view(const ApiRequest& request,
                                                     PositionDatabase& database,
                                                     const PositionView& view, bool is_cut,
                                                     EgdbBudget& budget);
    [[nodiscard]] ApiAnswer answer_info(const ApiRequest& request);
    [[nodiscard]] ApiAnswer answer_queue(const ApiRequest& request, const Position& position);
    [[nodiscard]] ApiAnswer answer_store(const ApiRequest& request, const Position& position);
    [[nodiscard]] std::optional<ApiAnswer> refusal_of_score(const ApiRequest& request,
                                                            const Position& position) const;
    [[nodiscard]] ApiAnswer store_score(const ApiRequest& request, const Position& position,
                                        const Position& after);
    [[nodiscard]] ApiAnswer answer_get_queue(const ApiRequest& request);
    [[nodiscard]] ApiAnswer answer_ack_queue(const ApiRequest& request);
    [[nodiscard]] StoreJobSource job_source(int jobs_at_once);

    /// Queues a position with unknown scores when it was shown as a successor lately.
    [[nodiscard]] std::optional<Error> learn(PositionDatabase& database, const Position& position);
    void remember_successors(PositionDatabase& database, const PositionView& view);

    [[nodiscard]] bool may_learn(const ApiRequest& request) const;
    /// Whether the sender has the right that an action needs which writes: a permission, or the
    /// token of a worker, right and of late.
    [[nodiscard]] bool may_write(const ApiRequest& request) const;
    /// The answer to those who may not do what they ask for; nothing when they may or it does not
    /// write.
    [[nodiscard]] std::optional<ApiAnswer> refusal_to_write(const ApiRequest& request) const;
    [[nodiscard]] PositionDatabase& database_of(const ApiRequest& request);
    [[nodiscard]] const OpeningBook* book_of(const ApiRequest& request);
    [[nodiscard]] ApiAnswer failed(const ApiRequest& request, std::string_view problem);
    [[nodiscard]] std::size_t pick(std::size_t count);

    PositionStore& store_;
    ServiceOptions options_;
    std::array<std::unique_ptr<PositionDatabase>, store_game_names.size()> databases_;
    RecentSuccessors successors_;
    ServiceMetrics metrics_;
    std::atomic<std::uint64_t> picks_ = 0;
    std::atomic<const HttpServer*> http_server_ = nullptr;
};

}  // namespace defiance
