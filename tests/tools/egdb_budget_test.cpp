// What one request may have the endgame databases look at.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tools/posdb/query_answers.hpp>

#include "service_support.hpp"
#include "store_contract.hpp"

namespace defiance {
namespace {

using testing::TestService;

constexpr std::size_t positions_at_once = 64;

/// Databases that look at so many positions for each value, or as many as they may.
class GreedyEndgames : public EndgameDatabases {
public:
    explicit GreedyEndgames(std::unique_ptr<EndgameDatabases> endgames, std::size_t cost = SIZE_MAX)
        : endgames_(std::move(endgames)), cost_(cost) {}

    const GameRules& rules() const override { return endgames_->rules(); }
    int pieces() const override { return endgames_->pieces(); }
    std::optional<EgdbResult> resolve(const Position& position, std::size_t max_positions,
                                      const StopCondition& must_stop) const override {
        for (std::size_t i = 0; i < std::min(cost_, max_positions); i += positions_at_once) {
            looked_at += positions_at_once;
            if (must_stop && must_stop()) return std::nullopt;
        }
        return endgames_->resolve(position, max_positions);
    }
    std::optional<int> dtc(const Position& position, const StopCondition&) const override {
        return endgames_->dtc(position);
    }
    std::vector<std::string> report() const override { return endgames_->report(); }

    mutable std::size_t looked_at = 0;

private:
    std::unique_ptr<EndgameDatabases> endgames_;
    std::size_t cost_;
};

/// Built-in databases, those of one game greedy.
struct GreedyGame {
    GreedyGame(StoreGame game, std::size_t cost) {
        auto& of_game = endgames[static_cast<std::size_t>(game)];
        auto greedy = std::make_unique<GreedyEndgames>(std::move(of_game), cost);
        databases = greedy.get();
        of_game = std::move(greedy);
    }

    GameEndgames endgames = open_game_endgames("");
    const GreedyEndgames* databases = nullptr;
};

/// What is answered of an endgame of English draughts when the databases may look at so many
/// positions.
struct Answers {
    std::string score;
    std::string best;
    std::string all;
};

Answers answers_within(std::size_t positions, PositionDatabase& database, const std::string& board,
                       const std::string& more) {
    const auto ask = [&](const std::string& action) {
        const HttpRequest http =
            TestService::request("action=" + action + "&board=" + board + more);
        const auto request = read_api_request(http);
        REQUIRE(request);
        const auto position = parse_fen(database.rules(), board);
        REQUIRE(position);
        EgdbBudget budget(positions);
        const PositionView view = value_of(look_up(database, *position, request->metric, budget));
        if (action == "queryscore") return answer_query_score(*request, view, false).body;
        if (action == "queryall")
            return answer_query_all(*request, database.rules(), view, false).body;
        return value_of(answer_query_move(
                            *request, database, view, false, [](std::size_t) { return 0; }, budget))
            .body;
    };
    return {ask("queryscore"), ask("querybest"), ask("queryall")};
}

// Lost in 28 plies.
constexpr std::string_view long_ending = "W:W31,K3:BK2,K9,K11";

HttpRequest line_request() {
    return TestService::request("action=querypv&variant=russian&board=" + std::string(long_ending));
}

}  // namespace

TEST_CASE("a line through endgame databases ends when they have looked at enough", "[posdb]") {
    TestService stored;
    const GreedyGame russian(StoreGame::russian, SIZE_MAX);
    PositionService service(stored.store(), russian.endgames, {});
    const std::string answer = service.handle(line_request()).body;
    CHECK(russian.databases->looked_at <= EgdbBudget::of_request);
    // The value of the position was there before, and so is its best move.
    CHECK(answer == "score:-29972,depth:1,pv:3-10");
}

TEST_CASE("a line is shorter, but no other, where less may be looked at", "[posdb]") {
    TestService service;
    const std::string whole = service.service().handle(line_request()).body;
    REQUIRE(whole.starts_with("score:-29972,depth:28,pv:3-10|"));
    const HttpRequest http = line_request();
    const auto request = read_api_request(http);
    REQUIRE(request);
    PositionDatabase& database = service.database_of(*request->core);
    const auto position = parse_fen(database.rules(), long_ending);
    REQUIRE(position);
    EgdbBudget enough;
    const PositionView view = value_of(look_up(database, *position, request->metric, enough));
    const auto line_in = [](const std::string& text) { return text.substr(text.find(",pv:")); };
    std::string longest;
    for (const std::size_t positions : {0U, 1U << 8, 1U << 12, 1U << 14, 1U << 21}) {
        EgdbBudget budget(positions);
        const ApiAnswer answer = value_of(answer_query_pv(*request, database, view, false, budget));
        const std::string line = line_in(answer.body);
        CHECK(line_in(whole).starts_with(line));
        CHECK(line.size() >= longest.size());
        if (positions == 0) CHECK(line == ",pv:3-10");
        longest = line;
    }
    CHECK(longest == line_in(whole));
}

TEST_CASE("an endgame is unknown rather than wrong where less may be looked at", "[posdb]") {
    TestService stored;
    const GreedyGame greedy(StoreGame::english, positions_at_once);
    PositionService service(stored.store(), greedy.endgames, {});
    PositionDatabase& database = service.database(StoreGame::english);
    // So many values are looked up: the one at which the budget ends is none.
    const auto answers = [&](std::size_t values, const std::string& board,
                             const std::string& more = "") {
        return answers_within((values + 1) * positions_at_once, database, board, more);
    };
    // Its first move loses, the second wins later than the other two.
    const std::string won = "W:W22,K30:B13";
    for (const std::size_t values : {0U, 1U, 2U, 3U}) {
        const Answers few = answers(values, won);
        CHECK(few.score == "unknown");
        CHECK(few.best == "nobestmove");
        CHECK(few.all == "unknown");
    }
    for (const std::size_t values : {4U, 5U}) {
        const Answers enough = answers(values, won);
        CHECK(enough.score == "eval:29997");
        CHECK(enough.best == "egtb:30-25");
        CHECK(enough.all.starts_with("move:30-25,score:29997,rank:2,"));
        const auto moves = std::count(enough.all.begin(), enough.all.end(), '|') + 1;
        CHECK(moves == static_cast<int>(values) - 1);
    }
    CHECK(answers(2, won, "&showall=1").all.starts_with("move:22-17,score:??,rank:0,"));
    // Where distances are others, a move that wins is enough.
    CHECK(answers(2, won, "&egtbmetric=dtc").score == "unknown");
    CHECK(answers(3, won, "&egtbmetric=dtc").best == "egtb:22-18");
    // The first move that is looked up keeps a draw.
    CHECK(answers(1, "W:W9:B20").best == "nobestmove");
    CHECK(answers(2, "W:W9:B20").best == "search:9-5");
}

}  // namespace defiance
