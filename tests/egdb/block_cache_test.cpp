#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "egdb/probe/block_cache.hpp"

using namespace defiance;

namespace {

constexpr std::size_t words = 64;
using Cache = BlockCache<words>;

/// A word that tells its key and its place.
std::uint32_t word_of(std::uint32_t key, std::size_t word) {
    return key * 2654435761U ^ static_cast<std::uint32_t>(word) * 40503U;
}

Cache::Block block_of(std::uint32_t key) {
    Cache::Block block;
    for (std::size_t i = 0; i < words; ++i)
        block[i] = word_of(key, i);
    return block;
}

int known(Cache& cache, std::uint32_t keys) {
    int found = 0;
    for (std::uint32_t key = 1; key <= keys; ++key)
        if (const auto word = cache.find(key, 7)) {
            CHECK(*word == word_of(key, 7));
            ++found;
        }
    return found;
}

}  // namespace

TEST_CASE("what a block cache was given it knows", "[egdb]") {
    Cache cache(1 << 20);
    CHECK(known(cache, 200) == 0);
    for (std::uint32_t key = 1; key <= 100; ++key)
        cache.store(key << 22 | 5, block_of(key << 22 | 5));
    std::uint64_t faults = 0;
    for (std::uint32_t key = 1; key <= 100; ++key)
        for (std::size_t i = 0; i < words; ++i)
            if (cache.find(key << 22 | 5, i) != word_of(key << 22 | 5, i)) ++faults;
    CHECK(faults == 0);
    // Other keys are not known.
    for (std::uint32_t key = 1; key <= 100; ++key) {
        CHECK_FALSE(cache.find(key << 22 | 4, 0));
        CHECK_FALSE(cache.find(key << 22, 0));
    }
    CHECK_FALSE(cache.find(~std::uint32_t{0}, 0));
}

TEST_CASE("the size of a cache fits into the addresses", "[egdb]") {
    constexpr std::uint64_t wrap = std::uint64_t{1} << 32;
    constexpr std::uint64_t most = wrap / 4;
    const std::uint64_t set = Cache::bytes_of(1);
    for (const std::uint64_t bytes :
         {std::uint64_t{0}, set - 1, set, 10 * set, most - 1, most, most + 1, wrap / 2 - 1,
          wrap / 2, wrap - set, wrap - 1, wrap, wrap + 1, wrap + set, std::uint64_t{5000} << 20,
          315'001 * set, std::uint64_t{65536} << 20, ~std::uint64_t{0}}) {
        INFO(bytes);
        const std::uint32_t sets = Cache::sets_for(bytes, 32);
        // All of what was asked for, as far as a quarter of the addresses allows it.
        CHECK(sets >= 1);
        CHECK(Cache::bytes_of(sets) <= std::max(std::min(bytes, most), set));
        CHECK(Cache::bytes_of(sets) + set > std::min(bytes, most));
        // The product has to be right where a size has 32 bits.
        CHECK(static_cast<std::uint32_t>(Cache::bytes_of(sets)) == Cache::bytes_of(sets));
    }
    CHECK(Cache::bytes_of(Cache::sets_for(std::uint64_t{5000} << 20, 64)) >
          (std::uint64_t{4999} << 20));
}

TEST_CASE("a cache takes what memory there is", "[egdb]") {
    // More than any system has; none of it is touched but one set.
    Cache cache(~std::uint64_t{0});
    cache.store(12345, block_of(12345));
    CHECK(cache.find(12345, 3) == word_of(12345, 3));
}

TEST_CASE("a block cache uses the memory it was given", "[egdb]") {
    constexpr std::uint32_t blocks = 1000;
    constexpr std::uint64_t bytes_of_block = words * sizeof(std::uint32_t) + 12;
    Cache cache(blocks * (bytes_of_block + 1));
    for (std::uint32_t key = 1; key <= 4 * blocks; ++key)
        cache.store(key, block_of(key));
    CHECK(known(cache, 4 * blocks) > static_cast<int>(blocks) * 9 / 10);
    CHECK(known(cache, 4 * blocks) <= static_cast<int>(blocks));
}

TEST_CASE("a block not asked for gives way first", "[egdb]") {
    constexpr std::uint32_t room = 16;
    Cache cache(0);  // has room for a few all the same
    for (std::uint32_t key = 1; key <= room; ++key)
        cache.store(key, block_of(key));
    CHECK(known(cache, room + 6) == room);
    // All have been asked for: any may go, but only one does.
    cache.store(room + 1, block_of(room + 1));
    CHECK(cache.find(room + 1, 0) == word_of(room + 1, 0));
    CHECK(known(cache, room + 6) == room);

    // When one has given way the others must be asked for again to outlive the next.
    Cache other(0);
    for (std::uint32_t key = 1; key <= room + 1; ++key)
        other.store(key, block_of(key));
    CHECK(other.find(2, 0));
    other.store(room + 2, block_of(room + 2));
    CHECK(other.find(2, 0) == word_of(2, 0));
    CHECK_FALSE(other.find(1, 0));
    CHECK(other.find(room + 2, 0) == word_of(room + 2, 0));
    CHECK(known(other, room + 6) == room);
}

TEST_CASE("a block can be stored anew", "[egdb]") {
    Cache cache(0);
    for (int i = 0; i < 20; ++i) {
        cache.store(9, block_of(9));
        CHECK(cache.find(9, 1) == word_of(9, 1));
    }
    CHECK(known(cache, 20) == 1);
}

// Few keys and long blocks, so that many are read just while they give way.
TEST_CASE("threads that share a block cache never see a wrong word", "[egdb]") {
    constexpr std::size_t long_block = 512;
    constexpr std::uint32_t keys = 6;
    using LongCache = BlockCache<long_block>;
    std::array<LongCache::Block, keys + 1> blocks{};
    for (std::uint32_t key = 1; key <= keys; ++key)
        for (std::size_t i = 0; i < long_block; ++i)
            blocks[key][i] = word_of(key, i);
    for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{20'000}}) {
        LongCache cache(bytes);
        std::atomic<std::uint64_t> wrong = 0;
        std::atomic<std::uint64_t> right = 0;
        const auto hammer = [&](unsigned seed) {
            std::mt19937 random(seed);
            std::uint64_t found = 0;
            for (int i = 0; i < 40'000; ++i) {
                const auto key = static_cast<std::uint32_t>(1 + random() % keys);
                cache.store(key, blocks[key]);
                const auto other = static_cast<std::uint32_t>(1 + random() % keys);
                for (std::size_t place = random() % 16; place < long_block; place += 16)
                    if (const auto word = cache.find(other, place)) {
                        ++found;
                        if (*word != word_of(other, place)) ++wrong;
                    }
            }
            right += found;
        };
        std::vector<std::thread> threads;
        for (unsigned seed = 0; seed < 4; ++seed)
            threads.emplace_back(hammer, seed);
        for (std::thread& thread : threads)
            thread.join();
        CHECK(wrong == 0);
        CHECK(right > 1000);
    }
}
