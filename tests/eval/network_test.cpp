#include <cstdlib>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <defiance/base/checksum.hpp>
#include <defiance/eval/accumulator_stack.hpp>
#include <defiance/eval/network.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/generator.hpp>

#include "../base/temporary.hpp"
#include "../rules/random_position.hpp"
#include "random_network.hpp"

using namespace defiance;
using testing::random_network;

namespace {

/// The hidden units of one view, clamped to 0..255.
std::vector<std::int64_t> hidden_units(const NetworkParameters& n, const Position& p) {
    std::vector<std::int64_t> units;
    for (int unit = 0; unit < n.hidden; ++unit) {
        std::int64_t x = n.hidden_biases[static_cast<std::size_t>(unit)];
        for (int square = 0; square < 32; ++square) {
            const Bitboard here = bit(square);
            if ((p.occupied() & here) == 0) continue;
            const int kind = ((p.white & here) != 0 ? 2 : 0) + ((p.kings & here) != 0 ? 1 : 0);
            x += n.input_weights[static_cast<std::size_t>((kind * 32 + square) * n.hidden + unit)];
        }
        units.push_back(std::clamp<std::int64_t>(x, 0, 255));
    }
    return units;
}

std::vector<std::int64_t> products_of(const NetworkParameters& n, const Position& position) {
    std::vector<std::int64_t> products;
    for (int view = 0; view < 2; ++view) {
        // The side that looks plays black.
        const bool turn = (position.side == Side::white) != (view == 1);
        const auto units = hidden_units(n, turn ? flipped(position) : position);
        for (std::size_t unit = 0; unit < units.size(); ++unit) {
            const std::int64_t x = units[unit];
            if (unit % 64 < 32) products.push_back((x * units[unit + 32] + 128) / 256);
        }
    }
    return products;
}

/// The network's score by its definition, in numbers that cannot overflow.
Score reference(const NetworkParameters& n, const Position& position) {
    const auto products = products_of(n, position);
    const auto size = products.size();
    const auto bucket = static_cast<std::size_t>((count(position.occupied()) - 1) * n.buckets / 24);
    const auto weighed = [&](const std::vector<std::int16_t>& weights, std::size_t row) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < size; ++i)
            sum += products[i] * weights[row * size + i];
        return sum;
    };
    std::int64_t sum = (weighed(n.output_weights, bucket) + n.output_biases[bucket]) * 254;
    constexpr std::int64_t unit = 254 * 254 * 64;
    const auto second = static_cast<std::size_t>(n.second);
    for (std::size_t i = bucket * second; i < (bucket + 1) * second; ++i) {
        const std::int64_t x = std::clamp<std::int64_t>(
                                   weighed(n.second_weights, i) + n.second_biases[i], 0, 254 * 64) /
                               64;
        sum += x * x * n.second_outputs[i];
    }
    return static_cast<Score>(
        std::clamp<std::int64_t>(sum * 200 / unit, -evaluation_limit, evaluation_limit));
}

/// Requires that every kind of instructions gives the scores of the definition.
void follows_definition(const NetworkParameters& parameters, Random& random) {
    for (const Instructions instructions : all_instructions) {
        if (!can_use(instructions)) continue;
        const Network network(parameters, instructions);
        for (int i = 0; i < 40; ++i) {
            const Position p = testing::random_position(random, i % 2 == 0 ? 60 : 10);
            REQUIRE(network.evaluate(p) == reference(parameters, p));
            REQUIRE(network.evaluate(p) == network.evaluate(flipped(p)));
        }
    }
}

}  // namespace

TEST_CASE("a network computes what it is defined to on every processor", "[network]") {
    Random random(131);
    for (const int hidden : {64, 128, 192, 256, 512})
        for (const int second : {0, 1, 8, 32})
            follows_definition(random_network(random, hidden, 1 + random.below(10), second),
                               random);
}

TEST_CASE("accumulators follow the line of a search", "[network]") {
    Random random(132);
    const Network network(random_network(random, 64, 4, 8));
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
            if (moves.size() == 1) stack.mark_forced(static_cast<int>(line.size()) - 1);
            line.push_back(after<English>(line.back(), moves[random.below(moves.size())]));
            const int ply = static_cast<int>(line.size()) - 1;
            stack.set(ply, line.back());
            if (random.below(4) == 0) REQUIRE(stack.evaluate(ply) == network.evaluate(line.back()));
            // A position that was evaluated before may be asked for again.
            const std::size_t any = random.below(line.size());
            if (random.below(4) == 0)
                REQUIRE(stack.evaluate(static_cast<int>(any)) == network.evaluate(line[any]));
        }
    }
}

TEST_CASE("a network file gives back what was written", "[network]") {
    Random random(133);
    for (const int second : {0, 5}) {
        const NetworkParameters written = random_network(random, 64, 3, second);
        CHECK(parse_network(serialize(written)));
        const auto read = parse_network(serialize(written), "English");
        REQUIRE(read);
        CHECK(*read == written);
        CHECK(Network(*read).checksum() == Network(written).checksum());
        NetworkParameters other = written;
        ++other.output_biases[0];
        CHECK(Network(other).checksum() != Network(written).checksum());
        CHECK(parse_network(serialize(written), "Russian").error() ==
              "this evaluation network is for English, not for Russian");
    }
}

TEST_CASE("the largest network can be read from its file", "[network]") {
    using P = NetworkParameters;
    Random random(136);
    const NetworkParameters written =
        random_network(random, P::max_hidden, P::max_buckets, P::max_second);
    const std::vector<std::uint8_t> bytes = serialize(written);
    const TemporaryFile file(std::string(bytes.begin(), bytes.end()));
    const auto read = read_network_file(file.path());
    const std::string error = read ? std::string() : read.error();
    INFO(error);
    REQUIRE(read);
    CHECK(*read == written);
}

TEST_CASE("a network file that is damaged is refused", "[network][hostile]") {
    Random random(134);
    const auto good = serialize(random_network(random, 64, 2, GENERATE(0, 3)));
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
    const auto good = serialize(random_network(random, 64, 2, 3));
    const auto with_change = [](std::vector<std::uint8_t> bad, std::size_t at, std::uint8_t value) {
        bad[at] = value;
        bad.resize(bad.size() - 4);
        const std::uint32_t sum = checksum(bad);
        for (int i = 0; i < 4; ++i)
            bad.push_back(static_cast<std::uint8_t>(sum >> (8 * i)));
        const auto result = parse_network(bad, "English");
        return result ? std::string("taken") : result.error();
    };
    const auto text_of = [&](std::size_t at, std::uint8_t value) {
        return with_change(good, at, value);
    };
    constexpr std::size_t second = 8 + 8 + 16;
    const std::size_t weights = second + 1 + std::string("random numbers").size();
    CHECK(text_of(0, good[0]) == "taken");
    for (const int other : {good[8] - 1, good[8] + 1})
        CHECK(text_of(8, static_cast<std::uint8_t>(other)) ==
              "this evaluation network has a format that this version does not know");
    CHECK(text_of(10, 1) == "this evaluation network has a format that this version does not know");
    CHECK(text_of(11, 0) == "this evaluation network has a shape that this version does not know");
    CHECK(text_of(12, 17) == "this evaluation network has a shape that this version does not know");
    CHECK(text_of(12, 32) == "this evaluation network has a shape that this version does not know");
    CHECK(text_of(12, 128) == "this evaluation network is cut off or damaged");
    CHECK(text_of(weights + 1, 0x7F) == "this evaluation network has numbers that are too large");
    CHECK(text_of(second, 3) == "taken");
    CHECK(text_of(second, 33) ==
          "this evaluation network has a shape that this version does not know");
    CHECK(text_of(second, 4) == "this evaluation network is cut off or damaged");
    CHECK(text_of(good.size() - 5, 0x7F) ==
          "this evaluation network has numbers that are too large");
}
