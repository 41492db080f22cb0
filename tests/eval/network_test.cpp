#include <cstdlib>

#include <catch2/catch.hpp>

#include <defiance/base/checksum.hpp>
#include <defiance/base/processor.hpp>
#include <defiance/eval/accumulator_stack.hpp>
#include <defiance/eval/network.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/generator.hpp>

#include "../rules/random_position.hpp"
#include "random_network.hpp"

using namespace defiance;
using testing::random_network;

namespace {

/// The network's score by its definition, in numbers that cannot overflow.
Score reference(const NetworkParameters& n, const Position& position) {
    const auto bucket = (count(position.occupied()) - 1) * n.buckets / 24;
    std::int64_t sum = 0;
    for (int view = 0; view < 2; ++view) {
        // The side that looks plays black.
        const bool turn = (position.side == Side::white) != (view == 1);
        const Position p = turn ? flipped(position) : position;
        for (int unit = 0; unit < n.hidden; ++unit) {
            std::int64_t x = n.hidden_biases[static_cast<std::size_t>(unit)];
            for (int square = 0; square < 32; ++square) {
                const Bitboard here = bit(square);
                if ((p.occupied() & here) == 0) continue;
                const int kind = ((p.white & here) != 0 ? 2 : 0) + ((p.kings & here) != 0 ? 1 : 0);
                x += n.input_weights[static_cast<std::size_t>((kind * 32 + square) * n.hidden +
                                                              unit)];
            }
            x = std::clamp<std::int64_t>(x, 0, 255);
            const auto weight = static_cast<std::size_t>((bucket * 2 + view) * n.hidden + unit);
            sum += (n.activation == Activation::squared ? x * x : x) * n.output_weights[weight];
        }
    }
    if (n.activation == Activation::squared) sum /= 255;
    sum += n.output_biases[static_cast<std::size_t>(bucket)];
    return static_cast<Score>(
        std::clamp<std::int64_t>(sum * 200 / (255 * 64), -evaluation_limit, evaluation_limit));
}

std::vector<Instructions> usable_instructions() {
    std::vector<Instructions> all = {Instructions::plain};
    if (best_instructions() != Instructions::plain) all.push_back(Instructions::sse2);
    if (detect_processor().has_avx2) all.push_back(Instructions::avx2);
    return all;
}

}  // namespace

TEST_CASE("a network computes what it is defined to on every processor", "[network]") {
    Random random(131);
    for (const int hidden : {16, 32, 48, 64, 80, 128, 256})
        for (const Activation activation : {Activation::squared, Activation::clipped}) {
            const NetworkParameters parameters =
                random_network(random, hidden, 1 + random.below(10), activation);
            for (const Instructions instructions : usable_instructions()) {
                const Network network(parameters, instructions);
                for (int i = 0; i < 40; ++i) {
                    const Position p = testing::random_position(random, i % 2 == 0 ? 60 : 10);
                    REQUIRE(network.evaluate(p) == reference(parameters, p));
                    REQUIRE(network.evaluate(p) == network.evaluate(flipped(p)));
                }
            }
        }
}

TEST_CASE("accumulators follow the line of a search", "[network]") {
    Random random(132);
    const Network network(random_network(random, 48, 4, Activation::squared));
    AccumulatorStack stack(100);
    for (int game = 0; game < 100; ++game) {
        Position p = testing::random_position(random, 20);
        stack.start(network, p);
        CHECK(stack.evaluate(0) == network.evaluate(p));
        std::vector<Position> line = {p};
        for (int step = 0; step < 200; ++step) {
            // Up and down the line at random, evaluated now and then.
            if (line.size() > 1 && random.below(3) == 0) line.pop_back();
            MoveList moves;
            generate_moves<English>(line.back(), moves);
            if (moves.empty() || line.size() == 100) {
                line.resize(1);
                continue;
            }
            line.push_back(after<English>(line.back(), moves[random.below(moves.size())]));
            const int ply = static_cast<int>(line.size()) - 1;
            stack.set(ply, line.back());
            if (random.below(4) == 0) REQUIRE(stack.evaluate(ply) == network.evaluate(line.back()));
        }
    }
}

TEST_CASE("a network file gives back what was written", "[network]") {
    Random random(133);
    for (const Activation activation : {Activation::squared, Activation::clipped}) {
        const NetworkParameters written = random_network(random, 32, 3, activation);
        const auto read = parse_network(serialize(written), "English");
        REQUIRE(read);
        CHECK(*read == written);
        CHECK(Network(*read).sum() == Network(written).sum());
        NetworkParameters other = written;
        ++other.output_biases[0];
        CHECK(Network(other).sum() != Network(written).sum());
        CHECK(parse_network(serialize(written), "Russian").error() ==
              "this evaluation network is for English, not for Russian");
    }
}

TEST_CASE("a network file that is damaged is refused", "[network][hostile]") {
    Random random(134);
    const auto good = serialize(random_network(random, 16, 2, Activation::squared));
    REQUIRE(parse_network(good, "English"));
    for (std::size_t size = 0; size < good.size(); size += 1 + size / 16)
        CHECK_FALSE(parse_network(std::span(good).first(size), "English"));
    for (int i = 0; i < 1'000; ++i) {
        auto bad = good;
        const std::size_t changes = 1 + random.below(std::size_t{4});
        for (std::size_t change = 0; change < changes; ++change)
            bad[random.below(bad.size())] ^= static_cast<std::uint8_t>(1 + random.below(255));
        if (bad != good) REQUIRE_FALSE(parse_network(bad, "English"));
    }
}

TEST_CASE("a network file with numbers out of range is refused, whatever its checksum",
          "[network][hostile]") {
    Random random(135);
    const auto good = serialize(random_network(random, 16, 2, Activation::squared));
    const auto text_of = [&](std::size_t at, std::uint8_t value) {
        auto bad = good;
        bad[at] = value;
        bad.resize(bad.size() - 4);
        const std::uint32_t sum = checksum(bad);
        for (int i = 0; i < 4; ++i)
            bad.push_back(static_cast<std::uint8_t>(sum >> (8 * i)));
        const auto result = parse_network(bad, "English");
        return result ? std::string("taken") : result.error();
    };
    const std::size_t weights = 8 + 8 + 16 + std::string("random numbers").size();
    CHECK(text_of(0, good[0]) == "taken");
    CHECK(text_of(8, 2) == "this evaluation network has a format that this version does not know");
    CHECK(text_of(10, 2) == "this evaluation network has a shape that this version does not know");
    CHECK(text_of(11, 0) == "this evaluation network has a shape that this version does not know");
    CHECK(text_of(12, 17) == "this evaluation network has a shape that this version does not know");
    CHECK(text_of(12, 32) == "this evaluation network is cut off or damaged");
    CHECK(text_of(weights + 1, 0x7F) == "this evaluation network has numbers that are too large");
}
