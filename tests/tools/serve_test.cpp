// `defiance serve` and `defiance work` as programs.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/process.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/http/client.hpp>
#include <tools/posdb/known_position.hpp>
#include <tools/posdb/move_names.hpp>
#include <tools/posdb/write_token.hpp>
#include <tools/store/byte_codec.hpp>
#include <tools/store/record_log.hpp>
#include <tools/support/games.hpp>

#include "../base/temporary.hpp"
#include "redis_server.hpp"

using namespace defiance;

namespace {

std::string tool_path() {
    const std::filesystem::path own = module_path();
    return (own.parent_path() / ("defiance" + own.extension().string())).string();
}

/// A running `defiance serve`.
class Server {
public:
    explicit Server(const std::string& folder, std::vector<std::string> more = {}) {
        std::vector<std::string> words = {tool_path(), "serve",    "--dir",     folder,    "--port",
                                          "0",         "--listen", "127.0.0.1", "--nodes", "200"};
        words.insert(words.end(), more.begin(), more.end());
        process_.emplace(value_of(Process::start(words)));
        std::string line;
        while (line.find('\n') == std::string::npos)
            REQUIRE(process_->read(line, 30) == Process::Read::data);
        CHECK(line.starts_with("listening on http://127.0.0.1:"));
        const std::size_t colon = line.rfind(':');
        const auto port =
            parse_integer(line.substr(colon + 1, line.find('/', colon) - colon - 1), 1, 65535);
        INFO(line);
        REQUIRE(port);
        port_ = static_cast<std::uint16_t>(*port);
        client_.emplace("127.0.0.1", port_);
    }

    [[nodiscard]] HttpReply get(const std::string& query) {
        return value_of(client_->get("/cdb?" + query, 20));
    }
    [[nodiscard]] std::string url() const {
        return "http://127.0.0.1:" + std::to_string(port_) + '/';
    }
    [[nodiscard]] HttpClient client() const { return {"127.0.0.1", port_}; }
    void kill() { process_->kill(); }

    /// A number of /metrics.
    [[nodiscard]] std::int64_t metric(const std::string& name) {
        const std::string all = value_of(client_->get("/metrics", 20)).body;
        const std::size_t at = all.find("\ndefiance_" + name + ' ');
        REQUIRE(at != std::string::npos);
        const std::size_t begin = all.find(' ', at) + 1;
        const std::string text = all.substr(begin, all.find('\n', begin) - begin);
        return parse_integer(text, 0, INT64_MAX).value();
    }

    /// Asks until there is a score.
    [[nodiscard]] std::string wait_for_score(const std::string& query) {
        const Stopwatch stopwatch;
        std::string answer = get(query).body;
        while (!answer.starts_with("eval:") && stopwatch.seconds() < 60) {
            sleep_milliseconds(20);
            answer = get(query).body;
        }
        return answer;
    }

private:
    std::optional<Process> process_;
    std::uint16_t port_ = 0;
    std::optional<HttpClient> client_;
};

/// Positions that the first moves of the game lead to, the nearest first.
std::vector<Position> positions_from_start(const GameRules& rules, std::size_t count) {
    std::vector<Position> positions = {rules.start_position()};
    for (std::size_t i = 0; positions.size() < count; ++i)
        for (const NamedMove& move : named_moves(rules, positions[i]))
            if (std::find(positions.begin(), positions.end(), move.after) == positions.end())
                positions.push_back(move.after);
    positions.resize(count);
    return positions;
}

/// Stores a score of the first move of a position; true when the server has acknowledged it.
bool store_score(Server& server, const WriteSecret& secret, const Position& position, int score) {
    const GameRules& rules = find_game("english")->rules;
    const std::string fen = to_fen(rules, position);
    const std::string move = named_moves(rules, position).front().name;
    const std::string token =
        secret.token({"store", "english", fen, move, std::to_string(score), "9", "nonce"});
    const HttpReply reply =
        server.get("action=store&board=" + percent_encoded(fen) + "&move=" + move +
                   "&score=" + std::to_string(score) + "&depth=9&nonce=nonce&token=" + token);
    return reply.body == "ok";
}

/// Kills the server again and again after it has acknowledged scores, which must all be there when
/// it is started again.
void check_kills(const TemporaryFolder& folder, const std::vector<std::string>& options) {
    const GameRules& rules = find_game("english")->rules;
    constexpr std::size_t rounds = 4;
    constexpr std::size_t scores_a_round = 25;
    const auto positions = positions_from_start(rules, rounds * scores_a_round);
    std::size_t stored = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
        Server server(folder.path(), options);
        const WriteSecret secret = value_of(WriteSecret::open(folder.path() + "/secret.txt"));
        for (std::size_t i = 0; i < stored; ++i) {
            INFO(i);
            // Not the same score: positions after it may know better.
            const std::string board = percent_encoded(to_fen(rules, positions[i]));
            REQUIRE(server.get("action=queryscore&board=" + board).body.starts_with("eval:"));
        }
        for (std::size_t i = 0; i < scores_a_round; ++i, ++stored)
            REQUIRE(store_score(server, secret, positions[stored], static_cast<int>(stored)));
        server.kill();
    }
    CHECK(stored == rounds * scores_a_round);
}

}  // namespace

TEST_CASE("a server that is killed has what it has acknowledged", "[posdb][serve]") {
    const TemporaryFolder folder;
    check_kills(folder, {"--workers", "0"});
}

TEST_CASE("a server that is killed has all with any durability", "[posdb][serve]") {
    for (const std::string durability : {"sync", "os"}) {
        INFO(durability);
        const TemporaryFolder folder;
        check_kills(folder, {"--workers", "0", "--durability", durability});
    }
}

TEST_CASE("a server has what a killed book has left", "[posdb][serve]") {
    const GameRules& rules = find_game("english")->rules;
    const PositionKey start = key_of_board(rules.start_position());
    const TemporaryFolder folder;
    {
        LogReport report;
        RecordLog log = value_of(RecordLog::open(
            folder.path() + "/english.journal", "GRP1", [](std::uint64_t, std::string_view) {},
            report));
        std::string record(1, '\0');
        append_key(record, start);
        const KnownPosition known{0, {{0, 7, 9, ScoreSource::search}}, {}};
        REQUIRE(log.append(record + encode(known, rules, start)));
        REQUIRE(log.append("end"));
    }
    Server server(folder.path(), {"--workers", "0"});
    CHECK(server.get("action=queryscore&board=startpos").body.starts_with("eval:7"));
}

TEST_CASE("a server with Redis that is killed has what it has acknowledged",
          "[posdb][serve][redis]") {
    if (!has_redis()) return;
    const RedisServer redis;
    const TemporaryFolder folder;
    check_kills(folder, {"--workers", "0", "--store", redis.url()});
}

TEST_CASE("two servers share a store in Redis, and say when it is gone", "[posdb][serve][redis]") {
    if (!has_redis()) return;
    RedisServer redis;
    const TemporaryFolder folder;
    const std::vector<std::string> options = {"--workers", "0", "--store", redis.url()};
    Server one(folder.path(), options);
    Server other(folder.path(), options);
    const WriteSecret secret = value_of(WriteSecret::open(folder.path() + "/secret.txt"));
    const Position start = find_game("english")->rules.start_position();
    REQUIRE(store_score(one, secret, start, 17));
    CHECK(other.get("action=queryscore&board=startpos").body == "eval:17");
    redis.kill();
    const HttpReply failed = other.get("action=queryscore&board=startpos&json=1");
    CHECK(failed.status == 503);
    CHECK(failed.body.starts_with("{\"status\":\"error\""));
    redis.start();
    CHECK(other.wait_for_score("action=queryscore&board=startpos") == "eval:17");
}

TEST_CASE("servers that share a store in Redis expand it without searching anything twice",
          "[posdb][serve][expansion][redis]") {
    if (!has_redis()) return;
    const RedisServer redis;
    const TemporaryFolder folder;
    const std::vector<std::string> options = {"--workers",          "1",     "--store", redis.url(),
                                              "--expand",           "start", "--game",  "czech",
                                              "--expand-positions", "30"};
    Server one(folder.path(), options);
    Server other(folder.path(), options);
    const Stopwatch stopwatch;
    std::int64_t positions = 0;
    std::int64_t scored = 0;
    while ((positions < 30 || scored != positions) && stopwatch.seconds() < 60) {
        sleep_milliseconds(50);
        positions = one.metric("positions{game=\"czech\"}");
        scored = one.metric("scored_total") + other.metric("scored_total");
    }
    CHECK(positions >= 30);
    CHECK(scored == positions);
    CHECK(one.metric("expansion_queued_total") + other.metric("expansion_queued_total") >=
          positions);
    // One of them may have found everything before the other began.
    CHECK(one.metric("expansion_positions") + other.metric("expansion_positions") > 0);
}

TEST_CASE("a server scores what is queued", "[posdb][serve]") {
    const TemporaryFolder folder;
    Server server(folder.path(), {"--workers", "1"});
    const std::string query = "action=queryscore&variant=czech&board=startpos";
    CHECK(server.get(query).body == "unknown");
    CHECK(server.get("action=queue&variant=czech&board=startpos").body == "ok");
    CHECK(server.wait_for_score(query).starts_with("eval:"));
}

TEST_CASE("a server tells what the books of a folder have", "[posdb][serve]") {
    const TemporaryFolder folder;
    Server server(folder.path(), {"--workers", "0", "--books", DEFIANCE_SOURCE_DIR "/books"});
    const std::string query = "action=querybook&variant=russian&board=";
    const std::string answer = server.get(query + "startpos").body;
    INFO(answer);
    CHECK(answer.starts_with("move:"));
    CHECK(answer.find(",use:3") != std::string::npos);
    CHECK(server.get(query + "W:W18,25:BK15").body == "unknown");
}

TEST_CASE("a worker elsewhere scores what is queued", "[posdb][serve]") {
    const TemporaryFolder folder;
    Server server(folder.path(), {"--workers", "0"});
    for (const std::string board : {"startpos", "startpos+moves+11-15"})
        CHECK(server.get("action=queue&board=" + board).body == "ok");
    Process worker = value_of(Process::start({tool_path(), "work", "--server", server.url(),
                                              "--secret", folder.path() + "/secret.txt",
                                              "--threads", "1", "--nodes", "200", "--count", "2"}));
    CHECK(worker.wait(60) == 0);
    CHECK(server.get("action=queryscore&board=startpos").body.starts_with("eval:"));
    CHECK(server.get("action=queryscore&board=startpos+moves+11-15").body.starts_with("eval:"));
}

TEST_CASE("a worker on the same machine needs no secret, and names what it has scored",
          "[posdb][serve]") {
    const TemporaryFolder folder;
    Server server(folder.path(), {"--workers", "0"});
    CHECK(server.get("action=queue&board=startpos").body == "ok");
    Process worker = value_of(Process::start({tool_path(), "work", "--server", server.url(),
                                              "--threads", "1", "--leaf", "0.01", "--count", "1"},
                                             {}, Process::Errors::collected));
    CHECK(worker.wait(60) == 0);
    CHECK(server.get("action=queryscore&board=startpos").body.starts_with("eval:"));
    std::string told;
    while (worker.read_errors(told, 5) == Process::Read::data) {
    }
    const GameRules& rules = find_game("english")->rules;
    CHECK(told == "scored english " + to_fen(rules, rules.start_position()) + '\n');
}

TEST_CASE("a server tells where its secret is to programs on its machine only", "[posdb][serve]") {
    const TemporaryFolder folder;
    Server server(folder.path(), {"--workers", "0"});
    HttpClient client = server.client();
    const HttpReply reply = value_of(client.get("/secret-file", 20));
    CHECK(reply.status == 200);
    CHECK(std::filesystem::equivalent(trimmed(reply.body), folder.path() + "/secret.txt"));
    // Not to a page from elsewhere that a browser of this machine shows.
    client.set_headers({{"Origin", "http://example.org"}});
    CHECK(value_of(client.get("/secret-file", 20)).status == 404);
}

TEST_CASE("serve and work say what is wrong with their options", "[posdb][serve]") {
    const TemporaryFolder folder;
    folder.write("short.txt", "x");
    folder.write("secret.txt", "a secret of the tests");
    const TemporaryFolder books;
    books.write("russian.book", "x");
    const std::vector<std::vector<std::string>> wrong = {
        {"serve"},
        {"serve", "--dir", folder.path(), "--learn", "some"},
        {"serve", "--dir", folder.path(), "--secret", folder.path() + "/short.txt"},
        {"serve", "--dir", folder.path(), "--listen", "nowhere"},
        {"serve", "--dir", folder.path() + "/short.txt/b"},
        {"serve", "--dir", folder.path(), "--expand", "nowhere"},
        {"serve", "--dir", folder.path(), "--expand", "3move", "--game", "czech"},
        {"serve", "--dir", folder.path(), "--expand", "none"},
        {"serve", "--dir", folder.path(), "--game", "czech"},
        {"serve", "--dir", folder.path(), "--store", "redis//127.0.0.1"},
        {"serve", "--dir", folder.path(), "--alpha", "2"},
        {"serve", "--dir", folder.path(), "--leaf", "0"},
        {"serve", "--dir", folder.path(), "--books", folder.path()},
        {"serve", "--dir", folder.path(), "--books", books.path()},
        {"serve", "--dir", folder.path(), "--egdb", folder.path() + "/none"},
        {"serve", "--dir", folder.path(), "--durability", "never"},
        {"serve", "--dir", folder.path(), "--connections", "0"},
        {"serve", "--dir", folder.path(), "--connections", "1025"},
        {"serve", "--dir", folder.path(), "--store", "redis://127.0.0.1:1", "--durability", "os"},
        {"work", "--server", "http://192.0.2.1/"},
        {"work", "--server", "http://127.0.0.1:1/"},
        {"work", "--server", "ftp://x", "--secret", folder.path() + "/short.txt"},
        {"work", "--server", "http://127.0.0.1:1/", "--secret", folder.path() + "/none"},
        {"work", "--server", "http://127.0.0.1:1/", "--secret", folder.path() + "/secret.txt",
         "--egdb", folder.path() + "/none"}};
    for (std::vector<std::string> words : wrong) {
        INFO(words.back());
        words.insert(words.begin(), tool_path());
        Process process = value_of(Process::start(words, {}, Process::Errors::collected));
        CHECK(process.wait(20) == 2);
        std::string line;
        CHECK(process.read_errors(line, 5) == Process::Read::data);
        CHECK(line.starts_with("defiance: "));
    }
}
