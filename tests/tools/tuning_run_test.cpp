#include <catch2/catch.hpp>

#include <atomic>
#include <string>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/rules/games.hpp>
#include <tools/support/games.hpp>
#include <tools/tuning/tuning_run.hpp>

#include "../base/temporary.hpp"

using namespace defiance;
using Catch::Matchers::Contains;

namespace {

/// Keeps what comes out, and stops a tuning after so many moves.
class KeepingMonitor : public TuningMonitor {
public:
    void print(const std::string& line) override { text += line + '\n'; }
    void note(const std::string& line) override { notes += line + '\n'; }
    [[nodiscard]] bool is_stopped() override { return moves.fetch_add(1) >= max_moves; }

    std::string text;
    std::string notes;
    std::atomic<int> moves = 0;
    int max_moves = 1'000'000'000;
};

/// A tuning that takes a fraction of a second.
TuningOrder quick_tuning(const TemporaryFolder& folder, const std::string& name) {
    TuningOrder order;
    order.game = {find_game("english"), 200, 5};
    order.games = 2 * games_of_tuning_step + 6;
    order.parameters = {find_search_parameter("razoring_margin"),
                        find_search_parameter("probcut_margin")};
    order.program = "1.2.3";
    order.file = folder.path() + '/' + name;
    return order;
}

EndgameSettings few_databases() {
    EndgameSettings settings;
    settings.max_pieces = 3;
    return settings;
}

/// What is wrong with a tuning, or an empty text; "stopped" when it was.
std::string tune(const TuningOrder& order, KeepingMonitor& monitor) {
    const Result<bool> is_done = run_tuning(order, few_databases(), monitor);
    if (!is_done) return is_done.error();
    return *is_done ? "" : "stopped";
}

std::string text_in(const TuningOrder& order) {
    const Result<std::string> text = read_file(order.file);
    REQUIRE(text);
    return *text;
}

}  // namespace

TEST_CASE("a tuning gives the same with any number of threads, and tells what it is",
          "[tools][tuning]") {
    const TemporaryFolder folder;
    TuningOrder order = quick_tuning(folder, "one");
    KeepingMonitor one;
    REQUIRE(tune(order, one).empty());
    const std::string state = text_in(order);
    CHECK_THAT(one.text, Contains("razoring_margin default 80 tuned "));
    CHECK_THAT(one.text, Contains("probcut_margin default 35 tuned "));
    CHECK_THAT(one.text, Contains("player self;param=razoring_margin="));
    CHECK_THAT(one.text, !Contains("(80.00)") && !Contains("(35.00)"));
    order.file = folder.path() + "/three";
    order.threads = 3;
    KeepingMonitor three;
    REQUIRE(tune(order, three).empty());
    CHECK(three.text == one.text);
    CHECK(text_in(order) == state);

    // What is done is not played again, only told.
    KeepingMonitor again;
    REQUIRE(tune(order, again).empty());
    CHECK(again.text == one.text);
    CHECK(again.moves.load() == 0);

    order.file = folder.path() + "/other";
    order.game.seed = 6;
    KeepingMonitor other;
    REQUIRE(tune(order, other).empty());
    CHECK(other.text != one.text);
}

TEST_CASE("a tuning that is stopped goes on to the same end", "[tools][tuning]") {
    const TemporaryFolder folder;
    TuningOrder order = quick_tuning(folder, "whole");
    KeepingMonitor whole;
    REQUIRE(tune(order, whole).empty());
    const std::string state = text_in(order);

    order.file = folder.path() + "/parts";
    const int moves = whole.moves.load();
    // Each time it comes a little further, the last time past the first iteration.
    for (int part = 1; part < 4; ++part) {
        KeepingMonitor stopped;
        stopped.max_moves = moves * part / 5;
        order.threads = part;
        CHECK(tune(order, stopped) == "stopped");
        CHECK(stopped.text.empty());
        CHECK_THAT(stopped.notes, Contains("the same command goes on after "));
    }
    KeepingMonitor rest;
    REQUIRE(tune(order, rest).empty());
    CHECK_THAT(rest.notes, Contains("going on after "));
    CHECK_THAT(rest.notes, !Contains("after 0 games"));
    CHECK(rest.text == whole.text);
    CHECK(text_in(order) == state);
    CHECK(rest.moves.load() < moves);
}

TEST_CASE("a tuning does not touch a file of other settings or of another kind",
          "[tools][tuning]") {
    const TemporaryFolder folder;
    TuningOrder order = quick_tuning(folder, "state");
    order.games = 2;
    KeepingMonitor first;
    REQUIRE(tune(order, first).empty());
    const std::string before = text_in(order);
    const auto refused = [&](auto change) {
        TuningOrder other = order;
        change(other);
        KeepingMonitor monitor;
        const std::string problem = tune(other, monitor);
        CHECK(monitor.moves.load() == 0);
        CHECK(text_in(order) == before);
        return problem;
    };
    const auto same_settings = Contains("is the state of a tuning with other settings (english, ");
    CHECK_THAT(refused([](auto& o) { o.game.core = find_game("russian"); }), same_settings);
    CHECK_THAT(refused([](auto& o) { ++o.game.nodes; }), same_settings);
    CHECK_THAT(refused([](auto& o) { ++o.game.seed; }), same_settings);
    CHECK_THAT(refused([](auto& o) { o.games += 2; }), same_settings);
    CHECK_THAT(refused([](auto& o) { o.program = "2"; }), same_settings);
    CHECK_THAT(refused([](auto& o) { o.parameters.pop_back(); }), same_settings);
    CHECK_THAT(refused([](auto& o) { o.game.openings = {o.game.core->rules.start_position()}; }),
               same_settings);
    for (std::size_t at = 0; at < before.size(); ++at) {
        std::string damaged = before;
        damaged[at] = static_cast<char>(damaged[at] ^ 4);
        folder.write("state", damaged);
        KeepingMonitor monitor;
        CHECK_FALSE(tune(order, monitor).empty());
        CHECK(monitor.moves.load() == 0);
    }
    folder.write("state", "something else");
    KeepingMonitor monitor;
    CHECK_THAT(tune(order, monitor), Contains("is not the state of a tuning"));
    CHECK(text_in(order) == "something else");
    order.file = folder.path() + "/absent/state";
    CHECK_THAT(tune(order, monitor), Contains("cannot be written"));
}

TEST_CASE("games of a tuning depend on their pair only, in every game", "[tools][tuning]") {
    for (const GameCore* core : built_games()) {
        const auto games =
            TuningGames::make({core, 30, 1}, few_databases(), 1, [] { return false; });
        REQUIRE(games);
        // Who can hardly see a thing loses to who can.
        SearchParameters blind;
        blind.razoring_depth = 12;
        blind.razoring_margin = 10;
        blind.reduction_divisor = 80;
        std::vector<TuningPair> pairs;
        for (std::uint64_t i = 0; i < 4; ++i)
            pairs.push_back({i, {}, i % 2 == 0 ? SearchParameters{} : blind});
        int heard = 0;
        const auto leads = (*games)->play(pairs, [&] { ++heard; });
        REQUIRE(leads);
        CHECK(heard == 8);
        // The same settings on both sides play the same game twice.
        CHECK((*leads)[0] == 0);
        CHECK((*leads)[2] == 0);
        const auto again = (*games)->play({pairs[3], pairs[1]}, [] {});
        REQUIRE(again);
        CHECK(*again == std::vector<double>{(*leads)[3], (*leads)[1]});
    }
}

TEST_CASE("a tuning begins its games where it is told to", "[tools][tuning]") {
    // White is four kings ahead: both games of a pair are won by the side that has them, while who
    // begins at ballots and can hardly see a thing loses both.
    const auto won = read_position(find_game("english")->rules, "W:WK1,K2,K3,K4,K5:BK32");
    REQUIRE(won);
    SearchParameters blind;
    blind.razoring_depth = 12;
    blind.razoring_margin = 10;
    blind.reduction_divisor = 80;
    const TuningGameSettings from_ballots = {find_game("english"), 300, 1};
    TuningGameSettings from_won = from_ballots;
    from_won.openings = {*won};
    const auto lead = [&](const TuningGameSettings& settings) {
        const auto games = TuningGames::make(settings, few_databases(), 1, [] { return false; });
        REQUIRE(games);
        double sum = 0;
        const auto leads = (*games)->play({{0, {}, blind}, {1, {}, blind}, {2, {}, blind}}, [] {});
        REQUIRE(leads);
        for (const double pair : *leads)
            sum += pair;
        return sum;
    };
    CHECK(lead(from_won) == 0);
    CHECK(lead(from_ballots) > 0);
}

TEST_CASE("a tuning tells which side of a pair is ahead", "[tools][tuning]") {
    const auto games = TuningGames::make({find_game("english"), 1200, 1}, few_databases(), 1,
                                         [] { return false; });
    REQUIRE(games);
    // Who neither prunes nor reduces sees less with as many nodes: some 100 Elo.
    SearchParameters slow;
    slow.razoring_depth = 0;
    slow.probcut_depth = 10;
    slow.probcut_margin = 300;
    slow.reduction_depth = 8;
    slow.reduction_moves = 12;
    slow.reduction_divisor = 600;
    std::vector<TuningPair> pairs;
    for (std::uint64_t i = 0; i < 32; ++i)
        pairs.push_back(
            {i, i % 2 == 0 ? SearchParameters{} : slow, i % 2 == 0 ? slow : SearchParameters{}});
    const auto leads = (*games)->play(pairs, [] {});
    REQUIRE(leads);
    double for_usual = 0;
    for (std::size_t i = 0; i < leads->size(); ++i)
        for_usual += i % 2 == 0 ? (*leads)[i] : -(*leads)[i];
    CHECK(for_usual > 0);
}
