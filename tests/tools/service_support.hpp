#pragma once

#include <catch2/catch.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/base/system.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/posdb/scoring_pool.hpp>
#include <tools/posdb/serve_options.hpp>
#include <tools/posdb/service.hpp>
#include <tools/store/embedded_store.hpp>
#include <tools/support/games.hpp>

#include "../base/temporary.hpp"

namespace defiance::testing {

inline const GameCore& english() {
    return *find_game("english");
}

inline Position first_position() {
    return english().rules.start_position();
}

/// The position after a move from the start.
inline Position after_first(const std::string& name) {
    const auto moves = named_moves(english().rules, first_position());
    const auto index = find_move(english().rules, first_position(), moves, name);
    REQUIRE(index);
    return moves[*index].after;
}

inline constexpr std::string_view test_secret = "a secret of the tests";

/// Waits until something is so, a minute at most.
inline void wait_until(const std::function<bool()>& is_so) {
    constexpr double most_seconds = 60;
    const Stopwatch stopwatch;
    while (!is_so() && stopwatch.seconds() < most_seconds)
        sleep_milliseconds(5);
    REQUIRE(is_so());
}

/// Threads that score positions briefly.
inline ScoringPool::Options pool_options(std::function<std::unique_ptr<JobSource>()> make_source) {
    ScoringPool::Options options;
    options.effort.nodes = 50;
    options.idle_seconds = 0.02;
    options.make_source = std::move(make_source);
    options.endgames = [](StoreGame) -> const EndgameDatabases* { return nullptr; };
    options.warn = [](const std::string&) {};
    return options;
}

/// The service on a store in a folder that is gone with it.
class TestService {
public:
    explicit TestService(ServiceOptions options = {}) {
        auto opened = EmbeddedStore::open(folder_.path(), [](const std::string&) {});
        REQUIRE(opened);
        store_ = *std::move(opened);
        options.secret = WriteSecret(std::string(test_secret));
        service_ = std::make_unique<PositionService>(*store_, endgames(), std::move(options));
    }

    [[nodiscard]] PositionService& service() { return *service_; }
    [[nodiscard]] PositionStore& store() { return *store_; }
    /// Tasks that wait in the queue.
    [[nodiscard]] std::uint64_t waiting() {
        const auto size = store_->queue_size();
        REQUIRE(size);
        return size->waiting;
    }
    /// Of workers in the program of the service.
    [[nodiscard]] ScoringPool::Options pool_options() {
        return testing::pool_options([this] {
            return std::make_unique<StoreJobSource>(
                *store_,
                [this](StoreGame game) -> PositionDatabase& { return service_->database(game); });
        });
    }

    /// A request to the API with the query, from this machine or another one.
    [[nodiscard]] static HttpRequest request(const std::string& query, bool is_local = true) {
        HttpRequest request;
        request.path = "/cdb";
        REQUIRE(read_fields(query, 100, request.fields));
        request.host = "127.0.0.1:8032";
        request.from.bytes = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1};
        if (!is_local) request.from.bytes[12] = 10;
        return request;
    }
    /// What the API answers.
    [[nodiscard]] std::string ask(const std::string& query) {
        return service_->handle(request(query)).body;
    }
    [[nodiscard]] std::string ask(const std::string& action, const GameRules& rules,
                                  const std::string& board, const std::string& more = "") {
        return ask("action=" + action + "&variant=" + std::string(rules.file_word) +
                   "&board=" + percent_encoded(board) + more);
    }

    /// Adds a position with scores that depend on nothing but the moves.
    void add(const GameCore& core, const Position& position, std::uint8_t ply, int level = 0,
             int spread = 41) {
        PositionDatabase& database = database_of(core);
        std::vector<KnownMove> moves;
        for (const CanonicalMove& move : canonical_moves(core.rules, position)) {
            const auto number =
                static_cast<int>(key_of(move.after) % static_cast<unsigned>(spread));
            moves.push_back({static_cast<std::uint8_t>(moves.size()),
                             static_cast<std::int16_t>(level + number - spread / 2), 12,
                             ScoreSource::search});
        }
        REQUIRE_FALSE(database.add(position, moves, ply, {}));
    }
    /// Adds it and all that moves lead to, so many plies deep.
    void add_tree(const GameCore& core, const Position& position, int plies, std::uint8_t ply,
                  int spread = 41) {
        add(core, position, ply, 0, spread);
        if (plies == 0) return;
        for (const CanonicalMove& move : canonical_moves(core.rules, position))
            add_tree(core, move.after, plies - 1, static_cast<std::uint8_t>(ply + 1), spread);
    }

    [[nodiscard]] PositionDatabase& database_of(const GameCore& core) {
        for (std::size_t i = 0; i < store_game_names.size(); ++i)
            if (store_game_names[i] == core.rules.file_word)
                return service_->database(static_cast<StoreGame>(i));
        FAIL("there is no such game");
        std::abort();
    }

private:
    static const GameEndgames& endgames() {
        static const GameEndgames opened = open_game_endgames("");
        return opened;
    }

    TemporaryFolder folder_;
    std::unique_ptr<EmbeddedStore> store_;
    std::unique_ptr<PositionService> service_;
};

/// The service behind a server.
struct Served {
    explicit Served(ServiceOptions service_options = {}) : service(std::move(service_options)) {
        HttpServerOptions options;
        options.addresses = {"127.0.0.1"};
        auto started = HttpServer::start(options, service.service());
        REQUIRE(started);
        server = *std::move(started);
        service.service().set_http_server(*server);
    }
    ~Served() { server->stop(); }

    TestService service;
    std::unique_ptr<HttpServer> server;
};

/// Whether the text is one JSON value and nothing else.
class JsonCheck {
public:
    static bool is_valid(std::string_view text) {
        JsonCheck check(text);
        return check.value() && check.rest_.empty();
    }

private:
    explicit JsonCheck(std::string_view text) : rest_(text) {}

    bool take(char c) {
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool string() {
        if (!take('"')) return false;
        while (!rest_.empty() && rest_.front() != '"') {
            if (static_cast<unsigned char>(rest_.front()) < 0x20) return false;
            if (take('\\') && rest_.empty()) return false;
            rest_.remove_prefix(1);
        }
        return take('"');
    }
    bool items(char end, bool is_object) {
        if (take(end)) return true;
        do {
            if (is_object && !(string() && take(':'))) return false;
            if (!value()) return false;
        } while (take(','));
        return take(end);
    }
    bool value() {
        if (take('{')) return items('}', true);
        if (take('[')) return items(']', false);
        if (!rest_.empty() && rest_.front() == '"') return string();
        const std::size_t size = std::min(rest_.find_first_of(",]}"), rest_.size());
        const std::string word(rest_.substr(0, size));
        rest_.remove_prefix(size);
        return word == "true" || word == "false" ||
               (!word.empty() && word.find_first_not_of("-0123456789.") == std::string::npos);
    }

    std::string_view rest_;
};

}  // namespace defiance::testing
