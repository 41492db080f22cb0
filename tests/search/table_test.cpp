#include <atomic>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include <defiance/base/random.hpp>
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

TEST_CASE("a move without a score leaves the scores alone", "[search]") {
    TranspositionTable table(1);
    const Move first{0, 3, 4, false};
    const Move second{0, 5, 6, false};
    table.store_move(98, first);
    REQUIRE(table.probe(98, 0));
    CHECK(table.probe(98, 0)->bound == Bound::none);
    CHECK(table.probe(98, 0)->move.matches(first));
    table.store(99, 0, 5, 17, Bound::exact, &first);
    table.store_move(99, second);
    const auto hit = table.probe(99, 0);
    REQUIRE(hit);
    CHECK(hit->move.matches(second));
    CHECK(hit->score == 17);
    CHECK(hit->depth == 5);
    CHECK(hit->bound == Bound::exact);
    // A table without memory takes nothing.
    TranspositionTable none;
    none.store_move(98, first);
    CHECK_FALSE(none.probe(98, 0));
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

TEST_CASE("a part of a hash table that grows keeps its keys in buckets that are in use",
          "[search]") {
    Random random(11);
    std::vector<std::uint64_t> keys(300);
    for (std::uint64_t& key : keys)
        key = random.next();
    for (const std::uint32_t first : {1U, 2U, 5U, 64U, 100U}) {
        TableExtent extent(first);
        while (extent.buckets() < 4 * first + 50) {
            const std::uint32_t added = extent.buckets();
            const std::uint32_t split = extent.next_to_split();
            REQUIRE(split < added);
            std::vector<std::uint32_t> before;
            std::vector<bool> goes;
            for (const std::uint64_t key : keys) {
                before.push_back(extent.bucket_of(key));
                goes.push_back(extent.goes_to_new_bucket(key));
            }
            extent.add_bucket();
            REQUIRE(extent.buckets() == added + 1);
            std::size_t moved = 0;
            for (std::size_t i = 0; i < keys.size(); ++i) {
                REQUIRE(before[i] < added);
                REQUIRE(extent.bucket_of(keys[i]) == (goes[i] ? added : before[i]));
                if (goes[i]) REQUIRE(before[i] == split);
                moved += goes[i] ? 1U : 0U;
            }
            // Half of the keys of a bucket, of which there are twice as many as by now.
            if (added < 20) CHECK(moved > 0);
        }
    }
}

TEST_CASE("a table takes memory into use as results need it", "[search]") {
    constexpr std::uint64_t bytes = std::uint64_t{8} << 20;
    TranspositionTable table = TranspositionTable::of_bytes(bytes);
    Random random(12);
    std::vector<std::uint64_t> keys(100'000);
    for (std::uint64_t& key : keys)
        key = random.next();
    const auto count_hits = [&] {
        std::size_t hits = 0;
        for (const std::uint64_t key : keys) {
            const auto hit = table.probe(key, 0);
            if (!hit) continue;
            ++hits;
            REQUIRE(hit->score == static_cast<Score>(key % 1000));
        }
        return hits;
    };
    const auto store_all = [&] {
        for (const std::uint64_t key : keys)
            table.store(key, 0, 3, static_cast<Score>(key % 1000), Bound::exact, nullptr);
    };
    const std::uint64_t at_first = table.used_bytes();
    CHECK(at_first <= 256 << 10);
    store_all();
    // 16 bytes each fill a third to all of it, and few have crowded out others.
    const std::uint64_t used = table.used_bytes();
    CHECK(used >= keys.size() * 16);
    CHECK(used <= keys.size() * 64);
    CHECK(count_hits() > keys.size() * 9 / 10);
    store_all();
    store_all();
    CHECK(count_hits() > keys.size() * 99 / 100);

    // Results of searches long past go first.
    table.start_new_search();
    table.start_new_search();
    const std::uint64_t full = table.used_bytes();
    for (std::uint64_t& key : keys)
        key = random.next();
    store_all();
    CHECK(table.used_bytes() < full + full / 4);

    table.clear();
    CHECK(table.used_bytes() == at_first);
    CHECK(count_hits() == 0);

    // Nor do they come back when it grows again.
    const std::vector<std::uint64_t> before = keys;
    for (std::uint64_t& key : keys)
        key = random.next();
    store_all();
    store_all();
    CHECK(table.used_bytes() >= keys.size() * 16);
    keys = before;
    CHECK(count_hits() == 0);
}

TEST_CASE("a table grows to its size and not beyond", "[search]") {
    constexpr std::uint64_t bytes = 640 << 10;
    TranspositionTable table = TranspositionTable::of_bytes(bytes);
    Random random(13);
    for (int i = 0; i < 200'000; ++i)
        table.store(random.next(), 0, 3, 0, Bound::exact, nullptr);
    CHECK(table.used_bytes() == bytes);
}

TEST_CASE("a table for one search is to each search as if it was cleared", "[search]") {
    constexpr std::uint64_t bytes = 4096;
    TranspositionTable kept = TranspositionTable::for_one_search(bytes);
    TranspositionTable cleared = TranspositionTable::of_bytes(bytes);
    Random random(5);
    int hits = 0;
    for (int number = 0; number < 200; ++number) {
        kept.start_new_search();
        cleared.clear();
        for (int i = 0; i < 500; ++i) {
            const std::uint64_t key = (random.below(std::uint64_t{400}) + 1) * 0x9E3779B97F4A7C15U;
            const auto hit = kept.probe(key, 0);
            const auto expected = cleared.probe(key, 0);
            REQUIRE(hit.has_value() == expected.has_value());
            if (hit) {
                ++hits;
                CHECK(hit->score == expected->score);
                CHECK(hit->move.known == expected->move.known);
            }
            const Move move{0, static_cast<std::uint8_t>(random.below(32)), 5, false};
            const Move* best = random.below(2) == 0 ? &move : nullptr;
            const int depth = random.below(2);
            kept.store(key, 0, depth, number, Bound::exact, best);
            cleared.store(key, 0, depth, number, Bound::exact, best);
        }
    }
    CHECK(hits > 1000);
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

TEST_CASE("threads may store in a table while it grows", "[search][threads]") {
    TranspositionTable table(4);
    std::atomic<int> wrong{0};
    std::atomic<int> found{0};
    const auto work = [&](std::uint64_t seed) {
        Random random(seed % 2);  // two of them store the same
        for (int i = 0; i < 40'000; ++i) {
            const std::uint64_t key = random.next();
            const auto score = static_cast<Score>(key % 5000);
            if (const auto hit = table.probe(key, 0)) {
                ++found;
                if (hit->score != score || hit->depth != static_cast<int>(key % 100)) ++wrong;
            }
            table.store(key, 0, static_cast<int>(key % 100), score, Bound::exact, nullptr);
        }
    };
    std::vector<std::thread> threads;
    for (std::uint64_t i = 0; i < 4; ++i)
        threads.emplace_back(work, i);
    for (std::thread& thread : threads)
        thread.join();
    CHECK(wrong == 0);
    CHECK(found > 0);
    CHECK(table.used_bytes() > std::uint64_t{1} << 20);
}
