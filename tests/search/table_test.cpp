#include <atomic>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include <defiance/search/score.hpp>
#include <defiance/search/table.hpp>

using namespace defiance;

TEST_CASE("the table gives back what was stored", "[search]") {
    TranspositionTable table(1);
    REQUIRE(table.size_mebibytes() == 1);
    const Move move{0, 12, 13, false};
    table.store(0x123456789ABCDEF0U, 3, 17, -42, Bound::lower, &move);
    const auto hit = table.probe(0x123456789ABCDEF0U, 3);
    REQUIRE(hit);
    CHECK(hit->score == -42);
    CHECK(hit->depth == 17);
    CHECK(hit->bound == Bound::lower);
    CHECK(hit->move.matches(move));
    CHECK_FALSE(table.probe(0x123456789ABCDEF1U, 3));
}

TEST_CASE("proven scores are re-based to the node that probes", "[search]") {
    TranspositionTable table(1);
    table.store(77, 10, 5, score_win - 14, Bound::exact, nullptr);
    CHECK(table.probe(77, 2)->score == score_win - 6);
    table.store(78, 10, 5, -(score_win - 14), Bound::exact, nullptr);
    CHECK(table.probe(78, 20)->score == -(score_win - 24));
}

TEST_CASE("a result without a move keeps the move known before", "[search]") {
    TranspositionTable table(1);
    const Move move{0, 3, 4, false};
    table.store(99, 0, 5, 1, Bound::exact, &move);
    table.store(99, 0, 6, 2, Bound::upper, nullptr);
    const auto hit = table.probe(99, 0);
    REQUIRE(hit);
    CHECK(hit->depth == 6);
    CHECK(hit->move.matches(move));
}

TEST_CASE("shallow results give way to deep ones, old ones to new ones", "[search]") {
    TranspositionTable table(1);
    // Five keys that fall into one bucket of four: they differ in their lower half only.
    for (std::uint64_t i = 1; i <= 5; ++i)
        table.store(i, 0, static_cast<int>(10 * i), 0, Bound::exact, nullptr);
    CHECK_FALSE(table.probe(1, 0));
    CHECK(table.probe(2, 0));
    for (int i = 0; i < 6; ++i)
        table.start_new_search();
    table.store(6, 0, 25, 0, Bound::exact, nullptr);
    table.store(7, 0, 1, 0, Bound::exact, nullptr);
    CHECK(table.probe(6, 0));
}

TEST_CASE("a table of no size finds nothing and loses what it is given", "[search]") {
    TranspositionTable table;
    table.store(5, 0, 1, 0, Bound::exact, nullptr);
    CHECK_FALSE(table.probe(5, 0));
    CHECK(TranspositionTable(UINT32_MAX).size_mebibytes() == 0);
}

TEST_CASE("threads that share a table never read another position's result", "[search][threads]") {
    TranspositionTable table(1);
    std::atomic<int> wrong{0};
    // Few keys, all in one bucket, and a score and depth that follow from the key.
    const auto work = [&](std::uint64_t seed) {
        for (std::uint64_t i = 0; i < 20'000; ++i) {
            const std::uint64_t key = (seed * 7919 + i * 104'729) % 64 + 1;
            if (const auto hit = table.probe(key, 0))
                if (hit->score != static_cast<Score>(key) || hit->depth != static_cast<int>(key))
                    ++wrong;
            table.store(key, 0, static_cast<int>(key), static_cast<Score>(key), Bound::exact,
                        nullptr);
        }
    };
    std::vector<std::thread> threads;
    for (std::uint64_t i = 1; i <= 4; ++i)
        threads.emplace_back(work, i);
    for (std::thread& thread : threads)
        thread.join();
    CHECK(wrong == 0);
}
