#include <tools/training/quantised.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/parallel_for.hpp>
#include <tools/training/micro_batch_runner.hpp>
#include <tools/training/portable_math.hpp>

namespace defiance {
namespace {

/// The whole number for a value; halves are rounded away from zero.
int rounded(float value, int scale, int most) {
    const float scaled = value * static_cast<float>(scale);
    const int nearest = static_cast<int>(scaled < 0 ? scaled - 0.5F : scaled + 0.5F);
    return std::clamp(nearest, -most, most);
}

/// How a kind of parameters is kept in whole numbers, and what bounds it in a training.
struct NumberKind {
    int scale;    ///< the whole number that stands for 1
    int most;     ///< the largest whole number
    float limit;  ///< the largest number in a training
};

struct NumberKinds {
    using P = NetworkParameters;
    static constexpr int sum_scale = P::product_scale * P::output_scale;
    static constexpr NumberKind input_weight{P::hidden_scale, P::max_input_weight, input_limit};
    static constexpr NumberKind hidden_bias{P::hidden_scale, P::max_hidden_bias, input_limit};
    static constexpr NumberKind output_weight{P::output_scale, P::max_output_weight, output_limit};
    static constexpr NumberKind output_bias{sum_scale, P::max_output_bias, output_bias_limit};
    static constexpr NumberKind second_bias{sum_scale, P::max_second_bias, output_bias_limit};
};

/// Calls `action(place, number, kind)` for each parameter: its place in a network of a training,
/// the whole number of the engine's network, and its kind.
template <class Parameters, class Action>
void for_each_number(Parameters& p, const ParameterLayout& places, Action action) {
    const auto at = [](int row, int columns, int column) {
        return static_cast<std::size_t>(row * columns + column);
    };
    for (int input = 0; input < NetworkParameters::inputs; ++input)
        for (int unit = 0; unit < p.hidden; ++unit)
            action(places.input_weight(input, unit), p.input_weights[at(input, p.hidden, unit)],
                   NumberKinds::input_weight);
    for (int unit = 0; unit < p.hidden; ++unit)
        action(places.hidden_bias(unit), p.hidden_biases[at(0, 0, unit)], NumberKinds::hidden_bias);
    const int products = p.products();
    for (int bucket = 0; bucket < p.buckets; ++bucket) {
        for (int product = 0; product < products; ++product)
            action(places.output_weight(bucket, product),
                   p.output_weights[at(bucket, products, product)], NumberKinds::output_weight);
        action(places.output_bias(bucket), p.output_biases[at(0, 0, bucket)],
               NumberKinds::output_bias);
        for (int unit = 0; unit < p.second; ++unit) {
            const int row = bucket * p.second + unit;
            for (int product = 0; product < products; ++product)
                action(places.second_weight(bucket, unit, product),
                       p.second_weights[at(row, products, product)], NumberKinds::output_weight);
            action(places.second_bias(bucket, unit), p.second_biases[at(0, 0, row)],
                   NumberKinds::second_bias);
            action(places.second_output(bucket, unit), p.second_outputs[at(0, 0, row)],
                   NumberKinds::output_weight);
        }
    }
}

}  // namespace

NetworkParameters quantised(const FloatNetwork& network, std::string game,
                            std::string description) {
    const NetworkShape& shape = network.shape();
    NetworkParameters result;
    result.game = std::move(game);
    result.description = std::move(description);
    result.hidden = shape.hidden;
    result.buckets = shape.buckets;
    result.second = shape.second;
    const auto size = [](int rows, int columns) {
        return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    };
    result.input_weights.resize(size(NetworkParameters::inputs, shape.hidden));
    result.hidden_biases.resize(size(1, shape.hidden));
    result.output_weights.resize(size(shape.buckets, shape.products()));
    result.output_biases.resize(size(shape.buckets, 1));
    result.second_weights.resize(size(shape.buckets * shape.second, shape.products()));
    result.second_biases.resize(size(shape.buckets, shape.second));
    result.second_outputs.resize(size(shape.buckets, shape.second));
    for_each_number(result, network.layout(), [&](int place, auto& number, const NumberKind& kind) {
        const float value = network.values()[static_cast<std::size_t>(place)];
        number = static_cast<std::remove_reference_t<decltype(number)>>(
            rounded(value, kind.scale, kind.most));
    });
    return result;
}

FloatNetwork in_fractions(const NetworkParameters& parameters) {
    FloatNetwork network({parameters.hidden, parameters.buckets, parameters.second});
    for_each_number(
        parameters, network.layout(), [&](int place, auto number, const NumberKind& kind) {
            const float value = static_cast<float>(number) / static_cast<float>(kind.scale);
            network.values()[static_cast<std::size_t>(place)] =
                std::clamp(value, -kind.limit, kind.limit);
        });
    return network;
}

double loss_of(const Network& network, std::span<const TrainingRecord> records, double result_share,
               int threads) {
    DEFIANCE_ASSERT(!records.empty() && threads > 0);
    constexpr std::size_t block = 4096;
    std::vector<double> losses((records.size() + block - 1) / block);
    parallel_for(losses.size(), 1, threads, [&](std::uint64_t number, std::uint64_t, int) {
        const auto index = static_cast<std::size_t>(number);
        const std::size_t end = std::min((index + 1) * block, records.size());
        for (std::size_t i = index * block; i < end; ++i) {
            const double score = network.evaluate(records[i].position());
            const double error = sigmoid(score / NetworkParameters::score_scale) -
                                 target_of(records[i], static_cast<float>(result_share));
            losses[index] += error * error;
        }
    });
    double sum = 0;
    for (const double loss : losses)
        sum += loss;
    return sum / static_cast<double>(records.size());
}

}  // namespace defiance
