// What one request may have the endgame databases look at.

#include <catch2/catch.hpp>

#include <cstddef>
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

/// Databases that look at as many positions for each value as they may.
class GreedyEndgames : public EndgameDatabases {
public:
    explicit GreedyEndgames(std::unique_ptr<EndgameDatabases> endgames)
        : endgames_(std::move(endgames)) {}

    const GameRules& rules() const override { return endgames_->rules(); }
    int pieces() const override { return endgames_->pieces(); }
    std::optional<EgdbResult> resolve(const Position& position, std::size_t max_positions,
                                      const StopCondition& must_stop) const override {
        constexpr std::size_t step = 64;
        for (std::size_t i = 0; i < max_positions; i += step) {
            looked_at += step;
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
};

// Lost in 28 plies.
constexpr std::string_view long_ending = "W:W31,K3:BK2,K9,K11";

HttpRequest line_request() {
    return TestService::request("action=querypv&variant=russian&board=" + std::string(long_ending));
}

}  // namespace

TEST_CASE("a line through endgame databases ends when they have looked at enough", "[posdb]") {
    TestService stored;
    GameEndgames endgames = open_game_endgames("");
    auto& of_russian = endgames[static_cast<std::size_t>(StoreGame::russian)];
    auto greedy = std::make_unique<GreedyEndgames>(std::move(of_russian));
    const GreedyEndgames& databases = *greedy;
    of_russian = std::move(greedy);
    PositionService service(stored.store(), endgames, {});
    const std::string answer = service.handle(line_request()).body;
    CHECK(databases.looked_at <= EgdbBudget::of_request);
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

}  // namespace defiance
