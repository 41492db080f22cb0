#include <catch2/catch.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/posdb/move_scorer.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

std::unique_ptr<MoveScorer> scorer_of(const GameCore& core, std::uint64_t nodes) {
    auto scorer = MoveScorer::make(core, nullptr, {.nodes = nodes});
    REQUIRE(scorer);
    return *std::move(scorer);
}

std::vector<KnownMove> scores_of(const GameCore& core, const Position& position,
                                 std::uint64_t nodes) {
    const auto scores = scorer_of(core, nodes)->score(position);
    REQUIRE(scores);
    return *scores;
}

Position position_to_score(const std::string& fen) {
    const auto position = parse_fen(find_game("english")->rules, fen);
    REQUIRE(position);
    return *position;
}

}  // namespace

TEST_CASE("every legal move gets one score in every game", "[book][scorer]") {
    for (const GameCore* core : built_games()) {
        const Position start = core->rules.start_position();
        const std::vector<KnownMove> scores = scores_of(*core, start, 2000);
        REQUIRE(scores.size() == canonical_moves(core->rules, start).size());
        for (std::size_t i = 0; i < scores.size(); ++i) {
            CHECK(scores[i].index == i);
            CHECK(scores[i].source == ScoreSource::search);
            CHECK(scores[i].depth > 2);
            CHECK(std::abs(scores[i].score) < 100);
        }
    }
}

TEST_CASE("the moves of a position share its time", "[book][scorer]") {
    const GameCore& core = *find_game("english");
    constexpr double seconds = 0.7;
    ScoringEffort effort;
    effort.nodes = std::uint64_t{1} << 60;
    effort.position_seconds = seconds;
    const auto scorer = MoveScorer::make(core, nullptr, effort);
    REQUIRE(scorer);
    const Position start = core.rules.start_position();
    const Stopwatch stopwatch;
    const auto scores = (*scorer)->score(start);
    // Generous, for machines that do much else.
    CHECK(stopwatch.seconds() < seconds + 20);
    REQUIRE(scores);
    CHECK(scores->size() == canonical_moves(core.rules, start).size());
    for (const KnownMove& move : *scores)
        CHECK(move.depth > 2);
}

TEST_CASE("scores depend on the position alone", "[book][scorer]") {
    const GameCore& core = *find_game("english");
    const Position start = core.rules.start_position();
    const Position other = position_to_score("W:W18,21,22,24,25,26,27,28,29,30,31,32:B1-10,12,15");
    const std::vector<KnownMove> first = scores_of(core, other, 3000);
    const auto scorer = scorer_of(core, 3000);
    // More than the generations of the table.
    for (int i = 0; i < 20; ++i)
        REQUIRE(scorer->score(start));
    CHECK(*scorer->score(other) == first);
    CHECK(*scorer->score(flipped(other)) == first);
    CHECK(scores_of(core, other, 30000) != first);
}

TEST_CASE("a move that ends the game is proven, and forced replies are played", "[book][scorer]") {
    const GameCore& core = *find_game("english");
    // Black takes the last piece with 14x23; 14-17 gives White's man a capture.
    const Position takes_last = position_to_score("B:W18:B14,1");
    const std::vector<KnownMove> scores = scores_of(core, takes_last, 100);
    REQUIRE(scores.size() == 1);
    CHECK(scores[0].score == proven_score - 1);
    CHECK(scores[0].source == ScoreSource::final);

    // After 11-15 White must take 18x11, which is played out.
    const Position exchange =
        position_to_score("B:W18,21,22,25,26,28,29,30,31,32:B1,2,3,4,5,6,8,9,11,12");
    const auto moves = canonical_moves(core.rules, exchange);
    const auto known = scores_of(core, exchange, 5000);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (moves[i].move.to != core.rules.index(15)) continue;
        CHECK(core.rules.count_moves(moves[i].after) == 1);
        // White takes a man, and Black takes it back.
        CHECK(std::abs(known[i].score) < 150);
        CHECK(known[i].depth > 3);
    }
}

TEST_CASE("a scorer that is told to stop gives nothing", "[book][scorer]") {
    const GameCore& core = *find_game("english");
    const auto scorer = scorer_of(core, 1'000'000'000);
    int asked = 0;
    const auto scores = scorer->score(core.rules.start_position(), [&] { return ++asked > 3; });
    CHECK_FALSE(scores);
    CHECK(asked >= 4);
}

}  // namespace defiance
