#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/book/book_practice.hpp>
#include <tools/support/games.hpp>
#include <tools/support/openings.hpp>

#include "../base/temporary.hpp"
#include "../book/book_support.hpp"

namespace defiance {
namespace {

constexpr std::size_t root_count = 3;

/// A game, a book for it, and where its lines begin.
struct Practice {
    explicit Practice(std::string_view game) : core(*find_game(game)), file(bytes(core.rules)) {
        roots.push_back({core.rules.start_position(), 0});
        for (const Position& ballot : eleven_man_ballots(core.rules))
            if (roots.size() < root_count) roots.push_back({ballot, 2});
    }

    static std::string bytes(const GameRules& rules) {
        Random random(3);
        const auto made = make_book(rules, testing::random_book(rules, random, 200), "test");
        REQUIRE(made);
        return *made;
    }

    const GameCore& core;
    TemporaryFile file;
    std::vector<ExpansionRoot> roots;
};

BookPracticeSettings test_settings(const TemporaryFolder& folder, int threads, std::size_t rounds) {
    BookPracticeSettings settings;
    settings.line.nodes = 60;
    settings.line.plies = 8;
    settings.rounds = rounds;
    settings.threads = threads;
    settings.journal = folder.path() + "/journal";
    settings.order = "test";
    return settings;
}

/// Practises in the folder, cut off after so many lines, and again until it is done: the book.
std::string practise_in(const Practice& practice, const TemporaryFolder& folder, int threads,
                        std::size_t rounds, std::size_t lines_at_once) {
    const GameRules& rules = practice.core.rules;
    const auto book = OpeningBook::open(rules, practice.file.path());
    REQUIRE(book);
    const auto endgames = practice.core.open_endgames(EndgameSettings{});
    for (int run = 0; run < 100; ++run) {
        BookExperience experience(*book);
        std::vector<double> values;
        std::size_t first = 0;
        const auto done = practise_book(
            experience, practice.core, *endgames, practice.roots,
            test_settings(folder, threads, rounds), [] { return false; },
            [&](std::size_t lines) {
                if (first == 0) first = lines;
                return lines < first + lines_at_once;
            },
            values);
        INFO((done ? "" : done.error()));
        REQUIRE(done);
        if (!*done) continue;
        CHECK(values.size() == rounds);
        const auto positions = experience.positions();
        REQUIRE(positions);
        CHECK(positions->size() > 200);
        const auto bytes = make_book(rules, *positions, "test");
        REQUIRE(bytes);
        return *bytes;
    }
    FAIL("practice never ends");
    return {};
}

/// What goes wrong with such a journal.
std::string error_with(const std::string& journal) {
    const Practice practice("english");
    const TemporaryFolder folder;
    folder.write("journal", journal);
    const auto book = OpeningBook::open(practice.core.rules, practice.file.path());
    REQUIRE(book);
    const auto endgames = practice.core.open_endgames(EndgameSettings{});
    BookExperience experience(*book);
    std::vector<double> values;
    const auto done = practise_book(
        experience, practice.core, *endgames, practice.roots, test_settings(folder, 1, 1),
        [] { return false; }, [](std::size_t) { return true; }, values);
    REQUIRE_FALSE(done);
    const auto kept = read_file(folder.path() + "/journal");
    REQUIRE(kept);
    CHECK(*kept == journal);
    return done.error();
}

}  // namespace

TEST_CASE("practice teaches the same, whatever the threads and cut-offs", "[book][practice]") {
    constexpr std::size_t all = 1000;
    for (const std::string_view game : {"english", "russian"}) {
        const Practice practice(game);
        const TemporaryFolder one;
        const std::string bytes = practise_in(practice, one, 1, 6, all);
        CHECK(bytes != Practice::bytes(practice.core.rules));
        const TemporaryFolder two;
        CHECK(practise_in(practice, two, 2, 6, all) == bytes);
        const TemporaryFolder cut;
        CHECK(practise_in(practice, cut, 1, 6, 7) == bytes);
        const TemporaryFolder cut_threads;
        CHECK(practise_in(practice, cut_threads, 3, 6, 7) == bytes);
        // More rounds go on from fewer, and fewer are taken out of more.
        const TemporaryFolder longer;
        const std::string two_rounds = practise_in(practice, longer, 2, 2, all);
        CHECK(two_rounds != bytes);
        CHECK(practise_in(practice, longer, 2, 6, all) == bytes);
        CHECK(practise_in(practice, longer, 1, 2, all) == two_rounds);
    }
}

TEST_CASE("where lines end alike fewer are played", "[book][practice]") {
    Practice practice("english");
    // White wins whatever is played.
    const auto won = parse_fen(practice.core.rules, "B:WK18,K19,K22,K23,26,27:B1,2,3");
    REQUIRE(won);
    practice.roots = {practice.roots[0], {*won, 0}};
    const TemporaryFolder folder;
    constexpr std::size_t rounds = 8;
    practise_in(practice, folder, 2, rounds, 1000);
    const std::size_t lines_of_round = practice_lines_of_round(2);
    std::vector<std::size_t> lines(rounds);
    std::ifstream journal(folder.path() + "/journal");
    std::string text;
    std::getline(journal, text);
    while (std::getline(journal, text))
        if (text.find("B1,2,3 ") != std::string::npos) ++lines[std::stoul(text) / lines_of_round];
    for (std::size_t round = 0; round < 4; ++round)
        CHECK(lines[round] == 2);
    CHECK(std::accumulate(lines.begin() + 4, lines.end(), std::size_t{0}) == 2);
}

TEST_CASE("a journal that was cut off in a line goes on before it", "[book][practice]") {
    const Practice practice("english");
    const TemporaryFolder folder;
    const std::string bytes = practise_in(practice, folder, 1, 1, 1000);
    const auto journal = read_file(folder.path() + "/journal");
    REQUIRE(journal);
    for (const std::size_t left : {journal->size() - 1, journal->size() / 2, std::size_t{5}}) {
        folder.write("journal", journal->substr(0, left));
        CHECK(practise_in(practice, folder, 1, 1, 1000) == bytes);
    }
}

TEST_CASE("a journal of other practice or with damage is named and kept",
          "[book][practice][hostile]") {
    CHECK_THAT(error_with("defiance-practice 1 other\n"), Catch::Contains("other settings"));
    CHECK_THAT(error_with("some text\n"), Catch::Contains("another file"));
    const std::string head = "defiance-practice 1 test\n";
    for (const std::string line : {"x", "0 B 0 B:W40:B1", "-1 B 0 B:W10:B1", "0", ""})
        CHECK_THAT(error_with(head + line + '\n'),
                   Catch::Contains("journal") && Catch::Contains("damaged in line 2"));
}

}  // namespace defiance
