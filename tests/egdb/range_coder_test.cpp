#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include "egdb/codec/range_coder.hpp"

using namespace defiance;

namespace {

struct Bit {
    bool is_set;
    Probability probability;
};

Probability any_probability(std::mt19937& random) {
    switch (random() % 3) {
        case 0:
            return 1;
        case 1:
            return 65535;
        default:
            return static_cast<Probability>(1 + random() % 65535);
    }
}

std::vector<std::uint8_t> coded(RangeEncoder& encoder, const std::vector<Bit>& bits) {
    for (const Bit& bit : bits)
        encoder.code(bit.is_set, bit.probability);
    return encoder.take();
}

bool come_back(const std::vector<Bit>& bits, std::span<const std::uint8_t> bytes) {
    RangeDecoder decoder(bytes);
    for (const Bit& bit : bits)
        if (decoder.decode(bit.probability) != bit.is_set) return false;
    return true;
}

}  // namespace

TEST_CASE("bits come back, however improbable they were", "[egdb]") {
    std::mt19937 random(1);
    RangeEncoder encoder;  // one for all: take() begins anew
    for (int round = 0; round < 400; ++round) {
        std::vector<Bit> bits(random() % 2000);
        for (Bit& bit : bits) {
            bit.probability = any_probability(random);
            bit.is_set = round % 2 == 0 ? random() % 2 == 0 : random() % 65536 < bit.probability;
        }
        const std::vector<std::uint8_t> bytes = coded(encoder, bits);
        CHECK(come_back(bits, bytes));
        CHECK((bytes.empty() || bytes.back() != 0));
    }
}

// What a bit should take is the logarithm of its probability; at most four bytes come for the end.
TEST_CASE("bits take as little space as their probabilities allow", "[egdb]") {
    std::mt19937 random(2);
    for (const unsigned probability : {1U, 300U, 9000U, 32768U, 60000U, 65535U}) {
        std::vector<Bit> bits(50'000);
        double needed = 0;
        for (Bit& bit : bits) {
            bit = {random() % 65536 < probability, static_cast<Probability>(probability)};
            const double p = probability / 65536.0;
            needed -= std::log2(bit.is_set ? p : 1 - p);
        }
        RangeEncoder encoder;
        const auto taken = static_cast<double>(8 * coded(encoder, bits).size());
        CHECK(taken < needed * 1.01 + 40);
        CHECK(taken > needed * 0.99 - 40);
    }
}

TEST_CASE("zeros at the end are left out and taken for granted", "[egdb]") {
    RangeEncoder encoder;
    CHECK(encoder.take().empty());
    // As long as all bits are set the lower border stays 0, which no byte has to say.
    const std::vector<Bit> set(1000, {true, 20000});
    CHECK(coded(encoder, set).empty());
    CHECK(come_back(set, {}));
    std::vector<Bit> one_unset = set;
    one_unset[100].is_set = false;
    const std::vector<std::uint8_t> bytes = coded(encoder, one_unset);
    CHECK_FALSE(bytes.empty());
    CHECK(bytes.size() < 30);
    CHECK(come_back(one_unset, bytes));
}

// What is read from any bytes is a sequence of bits that could have been written.
TEST_CASE("any bytes can be read", "[egdb]") {
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round) {
        std::vector<std::uint8_t> bytes(random() % 40);
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(round % 3 == 0 ? 255 : random());
        RangeDecoder decoder(bytes);
        std::vector<Bit> bits(2000);
        for (Bit& bit : bits) {
            bit.probability = any_probability(random);
            bit.is_set = decoder.decode(bit.probability);
        }
        RangeEncoder encoder;
        CHECK(come_back(bits, coded(encoder, bits)));
    }
}
