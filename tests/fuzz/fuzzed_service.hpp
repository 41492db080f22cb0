#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "byte_changes.hpp"

#include <defiance/base/assert.hpp>
#include <defiance/base/random.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/posdb/board_text.hpp>
#include <tools/posdb/serve_options.hpp>
#include <tools/posdb/service.hpp>
#include <tools/store/embedded_store.hpp>

namespace defiance {

inline constexpr std::array<std::string_view, 16> database_queries = {
    "action=queryall&board=startpos&showall=1&json=1",
    "action=querybest&variant=italian&board=startpos+moves+22-18&ban=move:11-15|move:9-14",
    "action=querypv&board=W:WK1,K2:BK32&egtbmetric=dtz",
    "action=queryall&variant=25&board=w:wa1,kc3:bf6:H0:F1&learn=1",
    "action=query&variant=26&board=[FEN \"B:W21-32:B1-12\"]",
    "action=querysearch&variant=spanish&board=WwwwwwwwwwwwweeeeeeeebbbbbbbbbbbB&endgame=1",
    "action=queryscore&board=B:WK6,K7,K14,K15,K22,K23:BK2,K10",
    "action=queryall&variant=brazilian&board=W:WK1,K5,K9:BK32,14,15,22,23,24&json=1&showall=1",
    "action=queue&variant=czech&board=startpos&json=1",
    "action=store&board=startpos&move=move:11-15&score=12&depth=3&token=00",
    "action=ackqueue&lease=1&board=startpos&note=00&moves=11-15,1,2,0|9-13,1,2,3&time=1&token=0",
    "action=getqueue&count=1&time=1&token=0",
    "action=queryinfo&variant=29&json=1",
    "action=querybook&variant=czech&board=startpos+moves+c3-b4&json=1",
    "action=queryscore&batch=1&board=x",
    "action=querypv&variant=29&board=startpos+moves+c3-d4&json=1&stable=1"};

/// Whether the list has a query of the action.
constexpr bool is_asked_for(const ApiActionKind& kind) {
    return std::any_of(database_queries.begin(), database_queries.end(), [&](std::string_view q) {
        constexpr std::string_view beginning = "action=";
        if (!q.starts_with(beginning)) return false;
        q.remove_prefix(beginning.size());
        return q.substr(0, q.find('&')) == kind.name;
    });
}
static_assert(std::all_of(api_action_kinds.begin(), api_action_kinds.end(), is_asked_for),
              "an action has no query to change at random");

/// The position database with a few positions of each game, asked in this process.
class FuzzedService {
public:
    explicit FuzzedService(const std::string& folder) : endgames_(open_game_endgames("")) {
        auto store = open_store(folder, [](const std::string&) {});
        if (!store) return;
        store_ = *std::move(store);
        ServiceOptions options;
        options.secret = secret_;
        service_ = std::make_unique<PositionService>(*store_, endgames_, std::move(options));
        is_ready_ = true;
        for (std::size_t game = 0; game < store_game_names.size(); ++game) {
            PositionDatabase& database = service_->database(static_cast<StoreGame>(game));
            const Position start = database.rules().start_position();
            std::vector<KnownMove> moves;
            for (std::uint8_t i = 0; i < 7; ++i)
                moves.push_back({i, static_cast<std::int16_t>(i * 5), 9, ScoreSource::search});
            is_ready_ = is_ready_ && !database.add(start, moves, 0, {});
        }
    }
    [[nodiscard]] bool is_ready() const { return is_ready_; }

    /// A request to the database as its bytes are sent: in its line, as a form, or with boards in
    /// the body.
    static std::string any_request(Random& random) {
        const std::string query =
            mutated(std::string(database_queries[random.below(database_queries.size())]), random);
        switch (random.below(4)) {
            case 0:
                return post("/cdb", "application/x-www-form-urlencoded", query);
            case 1:
                return post("/cdb?" + in_line(query), "text/plain",
                            mutated("startpos\nB:W21:B1\nstartpos moves 9-13\n", random));
            default:
                return "GET /cdb?" + in_line(query) + " HTTP/1.1\r\nHost: localhost:8032\r\n\r\n";
        }
    }

    /// Answers the request. False at a fault.
    bool answer(HttpRequest request, Random& random) {
        DEFIANCE_ASSERT(is_ready_);
        request.from.bytes = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1};
        if (random.below(2) == 0) sign(request);
        const HttpResponse response = service_->handle(request);
        // Those that HTTP has for another path, method or body are plain text.
        const bool is_refused =
            response.status == 404 || response.status == 405 || response.status == 415;
        const bool is_sound = request.path.starts_with("/c") && !is_refused
                                  ? is_database_answer(response)
                                  : !response.body.empty() && response.status < 500;
        if (!is_sound)
            std::fprintf(stderr, "a wrong answer, %d:\n%s\n", response.status,
                         response.body.c_str());
        return is_sound;
    }

    /// Asks for a position whose stored bytes are changed. False at a fault.
    bool answer_damaged(Random& random) {
        DEFIANCE_ASSERT(is_ready_);
        const std::size_t number = random.below(store_game_names.size());
        const auto game = static_cast<StoreGame>(number);
        const GameRules& rules = service_->database(game).rules();
        const PositionKey key = key_of_board(rules.start_position());
        const auto before = store_->get(game, key);
        if (!before || !*before) return false;
        std::string damaged = mutated((*before)->bytes, random);
        if (damaged.empty()) damaged = "x";
        if (!store_->update(game, key, (*before)->version, damaged)) return false;
        HttpRequest request;
        request.path = "/cdb";
        request.from.bytes[15] = 1;
        std::vector<std::string> actions;
        for (const ApiActionKind& kind : api_action_kinds)
            if (kind.is_position_query()) actions.emplace_back(kind.name);
        request.fields = {{"action", actions[random.below(actions.size())]},
                          {"variant", std::string(store_game_names[number])},
                          {"board", "startpos"},
                          {"json", "1"}};
        const HttpResponse response = service_->handle(request);
        const auto after = store_->get(game, key);
        if (!after || !*after) return false;
        if (!store_->update(game, key, (*after)->version, (*before)->bytes)) return false;
        const bool is_sound = (response.status == 200 || response.status == 503) &&
                              response.body.starts_with('{') && response.body.ends_with('}');
        if (!is_sound)
            std::fprintf(stderr, "a wrong answer from damaged bytes:\n%s\n", response.body.c_str());
        return is_sound;
    }

private:
    /// The query with the bytes encoded that no line of a request may have.
    static std::string in_line(std::string_view query) {
        std::string text;
        for (const char c : query)
            text += c > ' ' && c != '"' && c < 0x7F ? std::string(1, c)
                                                    : percent_encoded(std::string_view(&c, 1));
        return text;
    }

    static std::string post(const std::string& target, const std::string& type,
                            const std::string& body) {
        return "POST " + target + " HTTP/1.1\r\nHost: a\r\nContent-Type: " + type +
               "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    }

    /// Gives a request to write the token that its fields need.
    void sign(HttpRequest& request) {
        const auto field = [&](std::string_view name) {
            return request.field(name).value_or(std::string_view());
        };
        const std::string time = std::to_string(seconds_since_1970());
        const std::string_view action = field("action");
        std::string token;
        if (action == "getqueue") token = secret_.token({action, field("count"), time});
        if (action == "store" || action == "ackqueue") {
            const auto api = read_api_request(request);
            if (!api) return;
            const GameRules& rules = api->core->rules;
            const auto position = parse_board(rules, field("board"));
            if (!position) return;
            token =
                action == "store"
                    ? secret_.token({action, rules.file_word, to_fen(rules, *position),
                                     field("move"), field("score"), field("depth"), field("nonce")})
                    : secret_.token({action, field("lease"), rules.file_word, field("board"),
                                     field("note"), field("moves"), time});
        }
        if (token.empty()) return;
        request.fields.push_back({"time", time});
        request.fields.push_back({"token", token});
    }

    /// Text without what a page could take for its own, or an object in each line.
    static bool is_database_answer(const HttpResponse& response) {
        if (response.status != 200) return false;
        const std::string_view body = response.body;
        if (response.type.starts_with("text/plain"))
            return body.find_first_of(std::string_view("<>\0\r", 4)) == std::string_view::npos;
        return body.starts_with('{') && body.find('}') != std::string_view::npos;
    }

    WriteSecret secret_ = WriteSecret("a secret of the fuzzer");
    GameEndgames endgames_;
    std::unique_ptr<PositionStore> store_;
    std::unique_ptr<PositionService> service_;
    bool is_ready_ = false;
};

}  // namespace defiance
