#include <catch2/catch.hpp>

#include <atomic>
#include <cstdlib>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/search/search.hpp>
#include <tools/support/games.hpp>
#include <tools/support/openings.hpp>
#include <tools/tuning/unbalanced_openings.hpp>

#include "../base/temporary.hpp"

using namespace defiance;
using Catch::Matchers::Contains;

namespace {

/// Keeps what is said, and stops the work when it was asked so often.
struct KeptNotes {
    std::string text;
    std::atomic<int> questions = 0;
    int max_questions = 1'000'000'000;

    [[nodiscard]] UnbalancedMonitor monitor() {
        return {[this](const std::string& line) { text += line + '\n'; },
                [this] { return questions.fetch_add(1) >= max_questions; }};
    }
};

UnbalancedOrder quick_order(const TemporaryFolder& folder, const std::string& name) {
    UnbalancedOrder order;
    order.core = find_game("english");
    order.nodes = 4000;
    order.count = 6;
    order.seed = 3;
    order.program = "1.2.3";
    order.file = folder.path() + '/' + name;
    return order;
}

/// What is wrong, or an empty text; "stopped" when it was.
std::string make_openings(const UnbalancedOrder& order, KeptNotes& notes) {
    const Result<bool> is_done = find_unbalanced_openings(order, notes.monitor());
    if (!is_done) return is_done.error();
    return *is_done ? "" : "stopped";
}

std::string text_in(const UnbalancedOrder& order) {
    const Result<std::string> text = read_file(order.file);
    REQUIRE(text);
    return *text;
}

std::vector<Opening> openings_in(const UnbalancedOrder& order) {
    const auto openings = read_openings(order.core->rules, text_in(order));
    REQUIRE(openings);
    return *openings;
}

}  // namespace

TEST_CASE("unbalanced openings have the lead that was asked for, in every game",
          "[tools][openings]") {
    const TemporaryFolder folder;
    for (const GameCore* core : built_games()) {
        UnbalancedOrder order = quick_order(folder, std::string(core->rules.file_word));
        order.core = core;
        KeptNotes notes;
        REQUIRE(make_openings(order, notes).empty());
        CHECK_THAT(notes.text, Contains("openings 6 of 6, "));
        const std::vector<Opening> openings = openings_in(order);
        CHECK(openings.size() == 6);
        std::set<std::string> different;
        for (const Opening& opening : openings) {
            const Position& p = opening.position;
            different.insert(to_fen(core->rules, p));
            CHECK_FALSE(core->rules.can_capture(p));
            CHECK(count(p.occupied()) <= 22);
            // Another search than the one that found them, with the same nodes.
            TranspositionTable table(16);
            SearchLimits limits;
            limits.nodes = order.nodes;
            SearchObserver observer;
            const SearchResult result =
                core->make_search(table)->run(std::span(&p, 1), limits, observer);
            CHECK(std::abs(in_centimen(result.score)) >= order.least);
            CHECK(std::abs(in_centimen(result.score)) <= order.most);
        }
        CHECK(different.size() == openings.size());
    }
}

TEST_CASE("unbalanced openings are the same however often interrupted, and more begin alike",
          "[tools][openings]") {
    const TemporaryFolder folder;
    const UnbalancedOrder whole = quick_order(folder, "whole");
    KeptNotes notes;
    REQUIRE(make_openings(whole, notes).empty());
    const std::string text = text_in(whole);
    const int questions = notes.questions.load();

    UnbalancedOrder parts = quick_order(folder, "parts");
    parts.threads = 3;
    for (int part = 1; part < 4; ++part) {
        KeptNotes stopped;
        stopped.max_questions = questions * part / 4;
        const std::string outcome = make_openings(parts, stopped);
        CHECK((outcome == "stopped" || part > 1));
    }
    KeptNotes rest;
    REQUIRE(make_openings(parts, rest).empty());
    CHECK(text_in(parts) == text);

    // What is there is not looked for again.
    KeptNotes again;
    REQUIRE(make_openings(parts, again).empty());
    CHECK(again.questions.load() == 0);
    CHECK(text_in(parts) == text);
    parts.count = 2;
    REQUIRE(make_openings(parts, again).empty());
    CHECK_THAT(again.text, Contains("openings 6, "));
    CHECK(text_in(parts) == text);

    UnbalancedOrder fewer = quick_order(folder, "more");
    fewer.count = 2;
    REQUIRE(make_openings(fewer, again).empty());
    CHECK(openings_in(fewer).size() == 2);
    UnbalancedOrder more = fewer;
    more.count = 6;
    REQUIRE(make_openings(more, again).empty());
    CHECK(text_in(more) == text);
}

TEST_CASE("a search for openings that are not there ends", "[tools][openings]") {
    const TemporaryFolder folder;
    UnbalancedOrder order = quick_order(folder, "none");
    order.nodes = 1;
    order.least = 1999;
    order.most = 2000;
    KeptNotes notes;
    CHECK_THAT(make_openings(order, notes), Contains("there are no such openings; "));
    CHECK_FALSE(file_exists(order.file));
}

TEST_CASE("a file of other openings stays as it is", "[tools][openings]") {
    const TemporaryFolder folder;
    UnbalancedOrder order = quick_order(folder, "openings");
    order.count = 1;
    KeptNotes notes;
    REQUIRE(make_openings(order, notes).empty());
    const std::string before = text_in(order);
    order.count = 2;
    const auto refused = [&](auto change) {
        UnbalancedOrder other = order;
        change(other);
        KeptNotes unheard;
        const std::string problem = make_openings(other, unheard);
        CHECK(unheard.questions.load() == 0);
        CHECK(text_in(order) == before);
        return problem;
    };
    CHECK_THAT(refused([](auto& o) { o.core = find_game("russian"); }),
               Contains("is of other settings: game english instead of russian"));
    CHECK_THAT(refused([](auto& o) { ++o.nodes; }), Contains("nodes 4000 instead of 4001"));
    CHECK_THAT(refused([](auto& o) { ++o.seed; }), Contains("seed 3 instead of 4"));
    CHECK_THAT(refused([](auto& o) { o.least = 24; }), Contains("least lead 25 instead of 24"));
    CHECK_THAT(refused([](auto& o) { o.most = 56; }), Contains("greatest lead 55 instead of 56"));
    CHECK_THAT(refused([](auto& o) { o.program = "2"; }), Contains("program 1.2.3 instead of 2"));

    const std::size_t line = before.find('\n') + 1;
    for (const std::string& damage :
         {before.substr(0, line), before.substr(0, line) + "# candidates -1\n",
          before.substr(0, line) + "# candidates 64\nW:W1:B\n", std::string("something else")}) {
        folder.write("openings", damage);
        KeptNotes unheard;
        CHECK_FALSE(make_openings(order, unheard).empty());
        CHECK(unheard.questions.load() == 0);
        CHECK(text_in(order) == damage);
    }
    KeptNotes unheard;
    CHECK_THAT(make_openings(order, unheard), Contains("is not a file of such openings"));
    order.file = folder.path() + "/absent/openings";
    CHECK_THAT(make_openings(order, notes), Contains("cannot be written"));
}
