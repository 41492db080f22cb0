#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <tools/training/portable_math.hpp>
#include <tools/training/quantised.hpp>
#include <tools/training/trainer.hpp>

#include "training_samples.hpp"

using namespace defiance;

namespace {

constexpr auto never = [](std::uint64_t) { return false; };

float value_of(const FloatNetwork& network, int place) {
    return network.values()[static_cast<std::size_t>(place)];
}

/// The clamped hidden units of one view of a position.
std::vector<double> plain_units(const FloatNetwork& network, const TrainingRecord& record,
                                int view) {
    const ParameterLayout places = network.layout();
    const Bitboard mine = view == 0 ? record.own : reversed(record.theirs);
    const Bitboard theirs = view == 0 ? record.theirs : reversed(record.own);
    const Bitboard kings = view == 0 ? record.kings : reversed(record.kings);
    std::vector<double> units;
    for (int unit = 0; unit < network.shape().hidden; ++unit) {
        double sum = value_of(network, places.hidden_bias(unit));
        for (const int square : Squares(mine | theirs)) {
            const int kind =
                ((mine & bit(square)) != 0 ? 0 : 2) + ((kings & bit(square)) != 0 ? 1 : 0);
            sum += value_of(network, places.input_weight(kind * 32 + square, unit));
        }
        units.push_back(std::clamp(sum, 0.0, 1.0));
    }
    return units;
}

/// What the network says of a position, computed one piece and unit at a time.
double plain_output(const FloatNetwork& network, const TrainingRecord& record) {
    const NetworkShape& shape = network.shape();
    const ParameterLayout places = network.layout();
    std::vector<double> products;
    for (int view = 0; view < 2; ++view) {
        const std::vector<double> units = plain_units(network, record, view);
        for (std::size_t i = 0; i < units.size(); ++i) {
            if (i % 64 < 32) products.push_back(units[i] * units[i + 32]);
        }
    }
    const int bucket = bucket_of(count(record.own | record.theirs), shape.buckets);
    double output = value_of(network, places.output_bias(bucket));
    const int size = static_cast<int>(products.size());
    for (int i = 0; i < size; ++i)
        output += products[static_cast<std::size_t>(i)] *
                  value_of(network, places.output_weight(bucket, i));
    for (int unit = 0; unit < shape.second; ++unit) {
        double sum = value_of(network, places.second_bias(bucket, unit));
        for (int i = 0; i < size; ++i)
            sum += products[static_cast<std::size_t>(i)] *
                   value_of(network, places.second_weight(bucket, unit, i));
        const double x = std::clamp(sum, 0.0, 1.0);
        output += x * x * value_of(network, places.second_output(bucket, unit));
    }
    return output;
}

std::vector<TrainingRecord> some_records(int number) {
    Random random(3);
    std::vector<TrainingRecord> records;
    for (int i = 0; i < number; ++i)
        records.push_back(material_record(random));
    return records;
}

TrainerSettings small_settings() {
    TrainerSettings settings;
    settings.shape = {64, 2, 0};
    settings.epochs = 4;
    settings.batch = 500;
    settings.rate = 0.005;
    settings.result_share = 0.65;
    return settings;
}

/// The state after all epochs.
std::string trained(const TrainerSettings& settings, const Dataset& data,
                    const TrainingKernels& kernels) {
    Trainer trainer(settings, data, kernels);
    while (!trainer.is_done())
        REQUIRE(trainer.run_epoch(never).has_value());
    return trainer.state();
}

}  // namespace

TEST_CASE("a network in training says what its formula says", "[training]") {
    const std::vector<TrainingRecord> records = some_records(50);
    for (const int second : {0, 5})
        for (const int hidden : {64, 128, 192})
            for (const TrainingKernels* kernels :
                 {&fastest_training_kernels(), &basic_training_kernels()}) {
                const NetworkShape shape{hidden, 8, second};
                const FloatNetwork network(shape, 11);
                MicroBatchRunner runner(shape, *kernels, 0.5F);
                runner.load(records);
                (void)runner.forward(network.parts());
                CAPTURE(second, hidden);
                for (int i = 0; i < 50; ++i)
                    CHECK(runner.output(i) ==
                          Approx(plain_output(network, records[static_cast<std::size_t>(i)]))
                              .margin(1e-5));
            }
}

TEST_CASE("gradients are the slopes of the loss", "[training]") {
    const std::vector<TrainingRecord> records = some_records(20);
    const int second = GENERATE(0, 5);
    const NetworkShape shape{128, 3, second};
    FloatNetwork network(shape, 5);
    MicroBatchRunner runner(shape, fastest_training_kernels(), 0.7F);
    runner.load(records);
    const auto loss = [&] { return runner.forward(network.parts()); };
    AlignedArray<float> gradients(network.values().size());
    (void)loss();
    runner.backward(network.parts(), network.layout().parts(gradients.data()));
    constexpr float step = 1.0F / 512;
    int clear = 0;
    int wrong = 0;
    for (std::size_t place = 0; place < gradients.size(); place += 7) {
        const float before = network.values()[place];
        network.values()[place] = before + step;
        const double above = loss();
        network.values()[place] = before - step;
        const double below = loss();
        network.values()[place] = before;
        const double slope = (above - below) / (2.0 * step);
        wrong += gradients[place] != Approx(slope).epsilon(0.02).margin(0.004);
        clear += std::abs(slope) > 0.02;
    }
    CAPTURE(second, clear);
    // A sum that passes a bend of the activation while it is moved has no one slope.
    CHECK(wrong <= clear / 10);
    CHECK(clear > 100);
}

TEST_CASE("a training finds out what pieces are worth", "[training]") {
    const Dataset data = material_data(1000);
    // What always saying the same would lose.
    double mean = 0;
    for (const TrainingRecord& record : data.holdout)
        mean += target_of(record, 0.65F) / static_cast<double>(data.holdout.size());
    double constant_loss = 0;
    for (const TrainingRecord& record : data.holdout)
        constant_loss +=
            std::pow(target_of(record, 0.65F) - mean, 2) / static_cast<double>(data.holdout.size());
    TrainerSettings settings = small_settings();
    settings.shape.second = GENERATE(0, 5);
    Trainer trainer(settings, data);
    for (int epoch = 1; !trainer.is_done(); ++epoch) {
        REQUIRE(trainer.run_epoch(never).has_value());
        CHECK(trainer.epoch() == epoch);
    }
    const double loss = trainer.history().back().holdout;
    CHECK(loss < constant_loss / 4);
    CHECK(loss == trainer.holdout_loss());
    CHECK(loss < trainer.history().front().holdout);
    CHECK(trainer.history().back().rate == Approx(0.01 * settings.rate));

    const Network network(quantised(trainer.network(), "English", "test"));
    CHECK(loss_of(network, data.holdout, settings.result_share, 2) == Approx(loss).epsilon(0.02));
    CHECK(loss_of(network, data.holdout, settings.result_share, 1) ==
          loss_of(network, data.holdout, settings.result_share, 3));
}

TEST_CASE("threads, instructions and an interruption do not change what is learned", "[training]") {
    const Dataset data = material_data(300);
    TrainerSettings settings = small_settings();
    settings.shape.second = GENERATE(0, 5);
    const std::string state = trained(settings, data, fastest_training_kernels());
    CHECK(trained(settings, data, basic_training_kernels()) == state);
    for (const int threads : {2, 5}) {
        TrainerSettings parallel = settings;
        parallel.threads = threads;
        CHECK(trained(parallel, data, fastest_training_kernels()) == state);
    }
    TrainerSettings other = settings;
    other.seed = 2;
    CHECK(trained(other, data, fastest_training_kernels()) != state);

    Trainer first(settings, data);
    REQUIRE(first.run_epoch(never).has_value());
    REQUIRE(first.run_epoch(never).has_value());
    const std::string middle = first.state();
    int batches = 0;
    CHECK_FALSE(first.run_epoch([&](std::uint64_t) { return ++batches == 3; }).has_value());
    Trainer second(settings, data);
    REQUIRE(second.restore(middle));
    CHECK(second.epoch() == 2);
    while (!second.is_done())
        REQUIRE(second.run_epoch(never).has_value());
    CHECK(second.state() == state);
}

TEST_CASE("a state of another size is refused", "[training]") {
    const Dataset data = material_data(30);
    Trainer trainer(small_settings(), data);
    REQUIRE(trainer.run_epoch(never).has_value());
    const std::string state = trainer.state();
    Trainer other(small_settings(), data);
    CHECK_FALSE(other.restore(""));
    CHECK_FALSE(other.restore(state.substr(1)));
    CHECK_FALSE(other.restore(state + std::string(sizeof(EpochLosses) * 4, '\0')));
    CHECK(other.epoch() == 0);
    CHECK(other.restore(state));
}

TEST_CASE("weights stay where they can be rounded", "[training]") {
    const Dataset data = material_data(100);
    TrainerSettings settings = small_settings();
    settings.shape = {64, 2, 4};
    settings.rate = 1;  // far too fast
    Trainer trainer(settings, data);
    REQUIRE(trainer.run_epoch(never).has_value());
    const ParameterLayout places = trainer.network().layout();
    const auto largest = [&](int first, int last) {
        float most = 0;
        for (int place = first; place < last; ++place)
            most = std::max(most, std::abs(value_of(trainer.network(), place)));
        return most;
    };
    CHECK(largest(0, places.output_weight(0, 0)) <= input_limit);
    CHECK(largest(places.output_weight(0, 0), places.output_bias(0)) <= output_limit);
    CHECK(largest(places.second_weight(0, 0, 0), places.second_bias(0, 0)) <= output_limit);
    CHECK(largest(places.second_output(0, 0), places.size()) <= output_limit);
}

TEST_CASE("rounding keeps what the network says", "[training]") {
    const NetworkShape shape{64, 8, GENERATE(0, 5)};
    const FloatNetwork network(shape, 3);
    const Network rounded(quantised(network, "English", "test"));
    for (const TrainingRecord& record : some_records(200)) {
        const double exact = NetworkParameters::score_scale * plain_output(network, record);
        CHECK(rounded.evaluate(record.position()) == Approx(exact).margin(10));
    }
}

TEST_CASE("a network in whole numbers comes back from fractions as it was", "[training]") {
    const NetworkShape shape{64, 3, GENERATE(0, 5)};
    const NetworkParameters whole = quantised(FloatNetwork(shape, 4), "English", "test");
    CHECK(in_fractions(whole).shape() == shape);
    CHECK(quantised(in_fractions(whole), "English", "test") == whole);

    NetworkParameters wide = whole;
    wide.input_weights.front() = NetworkParameters::max_input_weight;
    CHECK(in_fractions(wide).values()[0] == input_limit);
}

TEST_CASE("games are held out whole", "[training]") {
    Dataset data;
    Random random(1);
    // Two files; the records of each game have a score of their own.
    constexpr int games = 2000;
    for (int game = 0; game < games; ++game)
        for (int i = 0; i < 5; ++i) {
            TrainingRecord record = material_record(random);
            record.score = static_cast<std::int16_t>(game);
            record.flags = i == 0 && game != 1000 ? TrainingRecord::first_of_game : 0;
            REQUIRE(data.add(record, i == 0 && (game == 0 || game == 1000), 0.2, 9));
        }
    CHECK(data.games == games);
    CHECK(data.training.size() + data.holdout.size() == 5 * games);
    std::set<int> learned;
    std::set<int> held_out;
    for (const TrainingRecord& record : data.training)
        learned.insert(record.score);
    for (const TrainingRecord& record : data.holdout)
        held_out.insert(record.score);
    CHECK(learned.size() + held_out.size() == games);
    CHECK(held_out.size() == data.holdout_games);
    CHECK(held_out.size() > games / 6);
    CHECK(held_out.size() < games / 4);
}

TEST_CASE("what is no position is not learned from", "[training]") {
    Dataset data;
    const auto accepted = [&](Bitboard own, Bitboard theirs, Bitboard kings, int result) {
        return data.add({own, theirs, kings, 0, static_cast<std::int8_t>(result), 1}, true, 0, 1);
    };
    CHECK(accepted(1, 2, 3, 1));
    CHECK_FALSE(accepted(0, 0, 0, 0));
    CHECK_FALSE(accepted(1, 3, 0, 0));
    CHECK_FALSE(accepted(1, 2, 4, 0));
    CHECK_FALSE(accepted(1, 2, 0, 2));
    CHECK_FALSE(accepted(1, 2, 0, -2));
    CHECK_FALSE(accepted(0x0000FFFF, 0x01FF0000, 0, 0));
    CHECK(data.training.size() == 1);
}

TEST_CASE("a permutation holds each number once", "[training]") {
    for (const std::uint64_t size : {1, 2, 3, 4, 5, 17, 64, 1000, 4097}) {
        const Permutation order(size, size + 1);
        std::set<std::uint64_t> numbers;
        for (std::uint64_t i = 0; i < size; ++i)
            numbers.insert(order[i]);
        CHECK(numbers.size() == size);
        CHECK(*numbers.rbegin() == size - 1);
    }
    // Neighbours come from everywhere: their mean distance is a third of the size.
    constexpr std::uint64_t size = 100'000;
    const Permutation order(size, 5);
    double distance = 0;
    int same_as_other = 0;
    for (std::uint64_t i = 1; i < size; ++i) {
        distance += std::abs(static_cast<double>(order[i]) - static_cast<double>(order[i - 1]));
        same_as_other += order[i] == Permutation(size, 6)[i];
    }
    CHECK(distance / size == Approx(size / 3.0).epsilon(0.02));
    CHECK(same_as_other < 10);
}

TEST_CASE("the rate of learning rises, then falls to a hundredth", "[training]") {
    constexpr std::int64_t steps = 20'000;
    CHECK(rate_factor(0, steps) < 0.01);
    CHECK(rate_factor(499, steps) > 0.99);
    CHECK(rate_factor(steps / 2, steps) == Approx(0.505).margin(0.01));
    CHECK(rate_factor(steps - 1, steps) == Approx(0.01));
    for (std::int64_t step = 500; step < steps; step += 100)
        CHECK(rate_factor(step, steps) < rate_factor(step - 1, steps));
    CHECK(rate_factor(0, 1) == Approx(0.01));
}

TEST_CASE("the sigmoid without a library is that of the library", "[training]") {
    for (double x = -39; x <= 39; x += 0.37)
        CHECK(sigmoid(x) == Approx(1 / (1 + std::exp(-x))).epsilon(1e-13));
    CHECK(sigmoid(1e9) == sigmoid(40));
    CHECK(sigmoid(-1e9) == sigmoid(-40));
    CHECK(sigmoid(0) == 0.5);
}
