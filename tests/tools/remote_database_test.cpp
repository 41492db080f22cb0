#include <catch2/catch.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <defiance/base/socket.hpp>
#include <defiance/base/system.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/http/server.hpp>
#include <tools/match/database_player.hpp>
#include <tools/posdb/remote_database.hpp>

#include "hub_talk.hpp"
#include "scripted_player.hpp"

using namespace defiance;

namespace {

constexpr double short_timeout = 0.2;

/// Answers each action with a text of the test's and remembers what it was asked.
class ScriptedDatabase : public HttpHandler {
public:
    explicit ScriptedDatabase(std::function<std::string(const HttpRequest&)> answer)
        : answer_(std::move(answer)) {
        HttpServerOptions options;
        options.addresses = {"127.0.0.1"};
        Result<std::unique_ptr<HttpServer>> started = HttpServer::start(options, *this);
        REQUIRE(started);
        server_ = *std::move(started);
    }

    HttpResponse handle(const HttpRequest& request) override {
        ++questions;
        HttpResponse response;
        response.body = answer_(request);
        if (response.body == "503") response.status = 503;
        if (response.body.starts_with("403 ")) response.status = 403;
        return response;
    }
    [[nodiscard]] std::uint16_t port() const { return server_->port(); }

    std::atomic<int> questions = 0;

private:
    std::function<std::string(const HttpRequest&)> answer_;
    std::unique_ptr<HttpServer> server_;
};

/// A server that does not speak HTTP as it should: `serve` gets every connection, one by one.
class BadServer {
public:
    explicit BadServer(std::function<void(Socket&, const std::atomic<bool>& is_over)> serve) {
        Result<Listener> opened = Listener::open("127.0.0.1", 0);
        REQUIRE(opened);
        listener_ = std::make_unique<Listener>(*std::move(opened));
        thread_ = std::thread([this, serve] {
            while (!is_over_) {
                Socket socket = Listener::no_connection();
                if (listener_->accept(socket, 0.05) == Listener::Accept::accepted)
                    serve(socket, is_over_);
            }
        });
    }
    ~BadServer() {
        is_over_ = true;
        thread_.join();
    }
    [[nodiscard]] std::uint16_t port() const { return listener_->port(); }

private:
    std::unique_ptr<Listener> listener_;
    std::atomic<bool> is_over_ = false;
    std::thread thread_;
};

RemoteDatabaseOptions options_for(std::uint16_t port,
                                  DatabaseAction action = DatabaseAction::best) {
    RemoteDatabaseOptions options;
    options.url.host = "127.0.0.1";
    options.url.port = port;
    options.url.path = "/cdb";
    options.timeout = patience;
    options.action = action;
    return options;
}

/// The move chosen in the position, as text; empty for none.
std::string chosen(RemoteDatabase& database, const GameRules& rules, const Position& position) {
    const auto move = database.choose(rules, position);
    return move ? to_text(rules, position, *move) : "";
}

std::string chosen_at_start(RemoteDatabase& database) {
    return chosen(database, rules_of<English>, rules_of<English>.start_position());
}

Result<std::optional<RemoteDatabaseOptions>> options_in(
    const std::vector<std::string_view>& words) {
    const Result<Arguments> arguments =
        Arguments::parse({remote_database_options, "", 0, 0}, words);
    REQUIRE(arguments);
    return read_database_options(*arguments);
}

/// Servers that give no answer in time, or none that can be used.
using Serve = std::function<void(Socket&, const std::atomic<bool>&)>;
const std::pair<const char*, Serve> bad_servers[] = {
    {"silent",
     [](Socket&, const std::atomic<bool>& is_over) {
         while (!is_over)
             sleep_milliseconds(5);
     }},
    {"slow",
     [](Socket& socket, const std::atomic<bool>& is_over) {
         static_cast<void>(socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", 1));
         while (!is_over && socket.write("m", 1))
             sleep_milliseconds(10);
     }},
    {"closes", [](Socket&, const std::atomic<bool>&) {}},
    {"closes in the middle",
     [](Socket& socket, const std::atomic<bool>&) {
         static_cast<void>(
             socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nmove:11-15", 1));
     }},
    {"rubbish",
     [](Socket& socket, const std::atomic<bool>&) {
         static_cast<void>(socket.write(std::string(5000, '\xFF'), 1));
     }},
    {"without end",
     [](Socket& socket, const std::atomic<bool>& is_over) {
         while (!is_over && socket.write(std::string(100'000, 'x'), 0.05)) {
         }
     }},
};

}  // namespace

TEST_CASE("the options of a remote database are read", "[tools][cdb]") {
    CHECK_FALSE(*options_in({}));
    const auto usual = options_in({"--cdb", "http://localhost:8032"});
    REQUIRE((usual && *usual));
    CHECK((*usual)->url.host == "localhost");
    CHECK((*usual)->url.port == 8032);
    CHECK((*usual)->url.path == "/cdb");
    CHECK((*usual)->timeout == 0.2);
    CHECK((*usual)->min_depth == 0);
    CHECK((*usual)->action == DatabaseAction::best);
    const auto all = options_in({"--cdb", "http://[::1]/a/checkersdb.php", "--cdb-timeout", "50",
                                 "--cdb-min-depth", "7", "--cdb-action", "pv"});
    REQUIRE((all && *all));
    CHECK((*all)->url.path == "/a/checkersdb.php");
    CHECK((*all)->timeout == 0.05);
    CHECK((*all)->min_depth == 7);
    CHECK((*all)->action == DatabaseAction::pv);
    using Words = std::vector<std::string_view>;
    for (const Words& words :
         {Words{"--cdb", "localhost"}, Words{"--cdb", "https://x"}, Words{"--cdb-timeout", "5"},
          Words{"--cdb-action", "best"}, Words{"--cdb", "http://x", "--cdb-action", "good"}})
        CHECK_FALSE(options_in(words));
}

TEST_CASE("every form of an answer gives its first move", "[tools][cdb]") {
    std::string answer;
    ScriptedDatabase server([&](const HttpRequest&) { return answer; });
    RemoteDatabase database(options_for(server.port()));
    for (const auto& [text, move] : std::vector<std::pair<std::string, std::string>>{
             {"move:11-15", "11-15"},
             {std::string("move:11-15\0", 11), "11-15"},
             {"egtb:10-14\r\n", "10-14"},
             {"search:9-13|11-15", "9-13"},
             {"score:2,depth:5,pv:12-16|23-19", "12-16"},
             {"nobestmove", ""},
             {"unknown", ""},
             {"", ""},
             {"rate limit exceeded", ""},
             {"move:", ""},
             {"move", ""}}) {
        INFO(text);
        answer = text;
        CHECK(chosen_at_start(database) == move);
        CHECK(database.take_problem().empty());
    }
}

TEST_CASE("a position is asked about in its game and by its action", "[tools][cdb]") {
    std::vector<HttpField> asked;
    ScriptedDatabase server([&](const HttpRequest& request) {
        asked = request.fields;
        return "move:" + std::string(request.path == "/cdb" ? "22-18" : "?");
    });
    const GameRules& rules = rules_of<Russian>;
    for (const auto& [action, name] :
         std::vector<std::pair<DatabaseAction, std::string>>{{DatabaseAction::best, "querybest"},
                                                             {DatabaseAction::all, "query"},
                                                             {DatabaseAction::pv, "querypv"}}) {
        RemoteDatabase database(options_for(server.port(), action));
        CHECK(chosen(database, rules, rules.start_position()) == "22-18");
        CHECK(find_field(asked, "action") == name);
        CHECK(find_field(asked, "variant") == "russian");
        CHECK(find_field(asked, "board") == to_fen(rules, rules.start_position()));
    }
}

TEST_CASE("a decided endgame without known plies is left to the engine", "[tools][cdb]") {
    std::string score = "24000";
    ScriptedDatabase server([&](const HttpRequest& request) {
        if (request.field("action") == "queryscore") return "eval:" + score;
        return request.field("action") == "querypv" ? "score:" + score + ",depth:1,pv:11-15"
                                                    : std::string("egtb:11-15");
    });
    for (const auto action : {DatabaseAction::best, DatabaseAction::all, DatabaseAction::pv})
        for (const auto& [value, move] : std::vector<std::pair<std::string, std::string>>{
                 {"24000", ""}, {"-24000", ""}, {"29987", "11-15"}, {"-29990", "11-15"}}) {
            INFO(value);
            score = value;
            RemoteDatabase database(options_for(server.port(), action));
            CHECK(chosen_at_start(database) == move);
            CHECK(database.take_problem().empty());
        }
}

TEST_CASE("a line that is too short does not count", "[tools][cdb]") {
    ScriptedDatabase server([](const HttpRequest& request) {
        return request.field("action") == "querypv"
                   ? "score:2,depth:5,pv:11-15|23-19|8-11|22-17|4-8"
                   : "move:9-14";
    });
    for (const auto action : {DatabaseAction::best, DatabaseAction::all, DatabaseAction::pv})
        for (const int depth : {0, 5, 6}) {
            RemoteDatabaseOptions options = options_for(server.port(), action);
            options.min_depth = depth;
            RemoteDatabase database(options);
            const std::string move = action == DatabaseAction::pv ? "11-15" : "9-14";
            CHECK(chosen_at_start(database) == (depth == 6 ? "" : move));
        }
}

TEST_CASE("an answer that cannot be used is told once", "[tools][cdb]") {
    std::string answer = "move:11-18";
    ScriptedDatabase server([&](const HttpRequest&) { return answer; });
    RemoteDatabase database(options_for(server.port()));
    CHECK(chosen_at_start(database).empty());
    CHECK(database.take_problem().find("'11-18' is no legal move") != std::string::npos);
    for (const char* text : {"move:%s%n", "move:\xFF\xFE", "search:|||", "503"}) {
        answer = text;
        CHECK(chosen_at_start(database).empty());
        CHECK(database.take_problem().empty());
    }
    answer = "move:11-15";
    CHECK(chosen_at_start(database) == "11-15");
    answer = "503";
    CHECK(chosen_at_start(database).empty());
    CHECK(database.take_problem().find("503") != std::string::npos);
}

TEST_CASE("what a server says when it refuses is told", "[tools][cdb]") {
    const std::string text =
        "403 Forbidden: this server is not known as 'headnode'; start it with --host-name headnode";
    ScriptedDatabase server([&](const HttpRequest&) { return text + '\n'; });
    RemoteDatabase database(options_for(server.port()));
    CHECK(chosen_at_start(database).empty());
    CHECK(database.take_problem() == "position database: the server answers " + text);
}

TEST_CASE("a bad server costs no more than the timeout", "[tools][cdb]") {
    for (const auto& [kind, serve] : bad_servers) {
        INFO(kind);
        const BadServer server(serve);
        RemoteDatabaseOptions options = options_for(server.port());
        options.timeout = short_timeout;
        RemoteDatabase database(options);
        const Stopwatch stopwatch;
        CHECK(chosen_at_start(database).empty());
        // Generous, for machines that do much else.
        CHECK(stopwatch.seconds() < short_timeout + patience);
        CHECK(database.take_problem().starts_with("position database: "));
    }
}

TEST_CASE("a server that does not answer is left alone for a while", "[tools][cdb]") {
    std::atomic<int> connections = 0;
    const BadServer server([&](Socket&, const std::atomic<bool>&) { ++connections; });
    RemoteDatabase database(options_for(server.port()));
    for (int i = 0; i < 5; ++i)
        CHECK(chosen_at_start(database).empty());
    CHECK(connections <= 1);
}

TEST_CASE("the time of a move bounds the question", "[tools][cdb]") {
    const BadServer server(bad_servers[0].second);
    RemoteDatabase database(options_for(server.port()));
    const Position start = rules_of<English>.start_position();
    CHECK_FALSE(database.choose(rules_of<English>, start, 0.05));
    CHECK_FALSE(database.take_problem().empty());
}

TEST_CASE("a player plays out of the database and goes on itself", "[tools][cdb][match]") {
    ScriptedDatabase server([](const HttpRequest& request) {
        return request.field("board")->starts_with("B:W21,22,23") ? "move:11-15" : "nobestmove";
    });
    CbGame game(rules_of<English>);
    DatabasePlayer player(std::make_unique<ScriptedPlayer>(quiet_turns({"22 18"})),
                          options_for(server.port()));
    const Turn first = player.take_turn(game, {});
    CHECK(first.status == "position database");
    CHECK(first.seconds == 0);
    CHECK_FALSE(first.was_asked);
    CHECK_FALSE(first.fault);
    CHECK(game.last_middleware_text() == "11 15");
    const Turn second = player.take_turn(game, {});
    CHECK(second.status.empty());
    CHECK(second.was_asked);
    CHECK(game.last_middleware_text() == "22 18");
    CHECK(server.questions == 2);
}

TEST_CASE("no time is noted for a move out of the database", "[tools][cdb][match]") {
    ScriptedDatabase server([](const HttpRequest& request) {
        return request.field("board")->starts_with("B:W21,22,23") ? "move:11-15" : "nobestmove";
    });
    std::vector<ScriptedTurn> own = quiet_turns({"8 11"});
    own[0].turn.seconds = 0.5;
    DatabasePlayer black(std::make_unique<ScriptedPlayer>(own), options_for(server.port()));
    ScriptedPlayer white(quiet_turns({"23 19"}));
    Adjudication rules;
    rules.max_plies = 3;
    CbGame game(rules_of<English>);
    const GameRecord record = referee_game(game, {black}, {white}, TimeSettings{}, rules);
    CHECK(record.comments == std::vector<std::string>{"", "0.000s", "0.500s"});
    CHECK(record.first.moves == 1);
    CHECK(record.first.seconds == Approx(0.5));
}

TEST_CASE("bad servers cost no game", "[tools][cdb][match]") {
    for (const auto& [kind, serve] : bad_servers) {
        INFO(kind);
        const BadServer server(serve);
        RemoteDatabaseOptions options = options_for(server.port());
        options.timeout = short_timeout;
        CbGame game(rules_of<English>);
        DatabasePlayer player(
            std::make_unique<ScriptedPlayer>(quiet_turns({"11 15", "22 18", "15 22"})), options);
        for (int i = 0; i < 3; ++i)
            CHECK_FALSE(player.take_turn(game, {}).fault);
        CHECK(game.last_middleware_text() == "15 22");
    }
}

TEST_CASE("a session of the Hub protocol asks the adviser before it searches",
          "[tools][cdb][hub]") {
    std::atomic<int> questions = 0;
    std::atomic<double> most = 0;
    HubSession::Parameters parameters{&core_of<English>, 1, false, {}, HintPolicy::verify, {}};
    parameters.adviser = [&](const GameRules& rules, const Position& position,
                             double most_seconds) -> std::optional<Move> {
        ++questions;
        most = most_seconds;
        const Result<Move> move = parse_move(rules, position, "10-14");
        return move ? std::optional(*move) : std::nullopt;
    };
    HubTalk talk(parameters);
    talk.say("level move-time=3600");
    talk.say("go think");
    CHECK(talk.answer("done") == "done move=10-14");
    CHECK(most == 900);
    talk.say("level time=8");
    talk.say("go think");
    CHECK(talk.answer("done") == "done move=10-14");
    CHECK(most == 2);
    CHECK(questions == 2);
    // Not where it has nothing to say about, or is not to be heard.
    for (const char* go : {"go analyze", "go think searchmoves=11-15", "go ponder"}) {
        talk.say("level depth=2");
        talk.say(go);
        if (std::string(go) == "go ponder") {
            check_goes_on(talk);
            talk.say("stop");
        }
        CHECK(talk.answer("done").starts_with("done move="));
        CHECK(questions == 2);
    }
    // Nothing is known: the engine thinks.
    talk.say("pos start moves=10-14");
    talk.say("level depth=2");
    talk.say("go think");
    CHECK(talk.until("done").size() >= 2);
    CHECK(questions == 3);
}
