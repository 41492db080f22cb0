#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <defiance/base/random.hpp>

#include "egdb/build/huffman_maker.hpp"
#include "egdb/codec/huffman_code.hpp"

using namespace defiance;

namespace {

using Bytes = std::vector<std::uint8_t>;
using SymbolCounts = std::vector<std::uint64_t>;

HuffmanCode code_for(const SymbolCounts& counts) {
    const Bytes bytes = make_huffman_code(counts);
    const auto opened = HuffmanCode::open(bytes);
    REQUIRE(opened);
    CHECK(opened->bytes == bytes.size());
    return opened->code;
}

/// The symbol that a word is read as, and whether all of its bits were asked for.
int read_again(const HuffmanCode& code, const HuffmanCode::Word& word) {
    int asked = 0;
    const int symbol = code.decode([&](unsigned i) {
        ++asked;
        return (word.bits >> (static_cast<unsigned>(word.length) - 1 - i) & 1) != 0;
    });
    return asked == word.length ? symbol : -1;
}

}  // namespace

TEST_CASE("every symbol of a Huffman code comes back", "[egdb]") {
    Random random(1);
    for (int round = 0; round < 200; ++round) {
        SymbolCounts counts(1 + random.below(HuffmanCode::max_symbols));
        for (std::uint64_t& n : counts)
            n = random.below(4) == 0 ? 0 : random.next() >> random.below(63);
        const HuffmanCode code = code_for(counts);
        for (std::size_t symbol = 0; symbol < counts.size(); ++symbol) {
            if (counts[symbol] == 0) continue;
            const auto word = code.word_of(static_cast<std::uint8_t>(symbol));
            CHECK(word.length <= static_cast<int>(HuffmanCode::max_length));
            if (read_again(code, word) != static_cast<int>(symbol))
                FAIL("symbol " << symbol << " in round " << round);
        }
    }
}

TEST_CASE("frequent symbols have short words", "[egdb]") {
    const SymbolCounts counts = {1, 2, 4, 8, 16, 1000, 0, 3};
    const HuffmanCode code = code_for(counts);
    CHECK(code.word_of(5).length == 1);
    CHECK(code.word_of(0).length >= code.word_of(4).length);
    // Within a bit of the entropy on average.
    double all = 0;
    double bits = 0;
    double entropy = 0;
    for (const std::uint64_t n : counts)
        all += static_cast<double>(n);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto n = static_cast<double>(counts[i]);
        if (n == 0) continue;
        bits += n * code.word_of(static_cast<std::uint8_t>(i)).length;
        entropy -= n * std::log2(n / all);
    }
    CHECK(bits >= entropy);
    CHECK(bits < entropy + all);
}

TEST_CASE("a code is written as promised", "[egdb]") {
    CHECK(make_huffman_code(SymbolCounts{}) == Bytes{0});
    CHECK(make_huffman_code(SymbolCounts{0, 0, 7, 0}) == Bytes{3, 0, 0, 1});
    CHECK(make_huffman_code(SymbolCounts{1, 1, 2, 0, 4}) == Bytes{5, 3, 3, 2, 0, 1});
    const HuffmanCode code = code_for({1, 1, 2, 0, 4});
    CHECK(code.word_of(4).bits == 0b0);
    CHECK(code.word_of(2).bits == 0b10);
    CHECK(code.word_of(0).bits == 0b110);
    CHECK(code.word_of(1).bits == 0b111);
    // Nothing is read where there is nothing to tell apart.
    const auto never = [](unsigned) -> bool { throw 1; };
    CHECK(code_for({}).decode(never) == 0);
    CHECK(code_for({0, 0, 7}).decode(never) == 2);
}

TEST_CASE("words never become too long", "[egdb]") {
    // Fibonacci's numbers give the longest words.
    SymbolCounts counts = {1, 1};
    while (counts.size() < 60)
        counts.push_back(counts[counts.size() - 1] + counts[counts.size() - 2]);
    const HuffmanCode code = code_for(counts);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto word = code.word_of(static_cast<std::uint8_t>(i));
        CHECK(word.length <= static_cast<int>(HuffmanCode::max_length));
        CHECK(read_again(code, word) == static_cast<int>(i));
    }
}

TEST_CASE("bytes that are no code are refused", "[egdb]") {
    CHECK_FALSE(HuffmanCode::open({}));
    CHECK_FALSE(HuffmanCode::open(Bytes{2, 1}));
    CHECK_FALSE(HuffmanCode::open(Bytes(130, 129)));
    // Words that say too much or too little, or are too long.
    CHECK_FALSE(HuffmanCode::open(Bytes{3, 1, 1, 1}));
    CHECK_FALSE(HuffmanCode::open(Bytes{2, 1, 2}));
    CHECK_FALSE(HuffmanCode::open(Bytes{2, 25, 25}));
    CHECK_FALSE(HuffmanCode::open(Bytes{1, 25}));
    CHECK(HuffmanCode::open(Bytes{2, 1, 1}));
    // Whatever is accepted ends with a symbol for all bits.
    Random random(2);
    int accepted = 0;
    for (int round = 0; round < 20'000; ++round) {
        Bytes bytes(1 + random.below(std::size_t{6}));
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(random.below(5U));
        const auto opened = HuffmanCode::open(bytes);
        if (!opened) continue;
        ++accepted;
        const std::uint64_t bits = random.next();
        CHECK(opened->code.decode([&](unsigned i) { return (bits >> i & 1) != 0; }) <
              HuffmanCode::max_symbols);
    }
    CHECK(accepted > 100);
}
