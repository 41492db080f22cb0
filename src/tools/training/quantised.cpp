#include <tools/training/quantised.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/parallel_for.hpp>
#include <tools/training/block_runner.hpp>
#include <tools/training/portable_math.hpp>

namespace defiance {
namespace {

/// The nearest whole number of units; halves away from zero.
int rounded(float value, int unit, int most) {
    const float scaled = value * static_cast<float>(unit);
    const int nearest = static_cast<int>(scaled < 0 ? scaled - 0.5F : scaled + 0.5F);
    return std::clamp(nearest, -most, most);
}

}  // namespace

NetworkParameters quantised(const FloatNetwork& network, std::string game,
                            std::string description) {
    using P = NetworkParameters;
    const NetworkShape& shape = network.shape();
    const ParameterLayout places = network.layout();
    const auto value = [&](int place) { return network.values()[static_cast<std::size_t>(place)]; };
    NetworkParameters result;
    result.game = std::move(game);
    result.description = std::move(description);
    result.hidden = shape.hidden;
    result.buckets = shape.buckets;
    result.second = shape.second;
    constexpr int unit_of_sums = P::pair_unit * P::output_unit;
    const auto weight = [&](int place) {
        return static_cast<std::int16_t>(
            rounded(value(place), P::output_unit, P::max_output_weight));
    };
    for (int input = 0; input < P::inputs; ++input)
        for (int unit = 0; unit < shape.hidden; ++unit)
            result.input_weights.push_back(static_cast<std::int16_t>(rounded(
                value(places.input_weight(input, unit)), P::hidden_unit, P::max_input_weight)));
    for (int unit = 0; unit < shape.hidden; ++unit)
        result.hidden_biases.push_back(static_cast<std::int16_t>(
            rounded(value(places.input_bias(unit)), P::hidden_unit, P::max_hidden_bias)));
    for (int bucket = 0; bucket < shape.buckets; ++bucket) {
        for (int feature = 0; feature < shape.features(); ++feature)
            result.output_weights.push_back(weight(places.output_weight(bucket, feature)));
        result.output_biases.push_back(
            rounded(value(places.output_bias(bucket)), unit_of_sums, P::max_output_bias));
        for (int unit = 0; unit < shape.second; ++unit) {
            for (int feature = 0; feature < shape.features(); ++feature)
                result.second_weights.push_back(
                    weight(places.second_weight(bucket, unit, feature)));
            result.second_biases.push_back(
                rounded(value(places.second_bias(bucket, unit)), unit_of_sums, P::max_second_bias));
            result.second_outputs.push_back(weight(places.second_output(bucket, unit)));
        }
    }
    return result;
}

double loss_of(const Network& network, std::span<const TrainingRecord> records, double result_share,
               int threads) {
    DEFIANCE_ASSERT(!records.empty() && threads > 0);
    constexpr std::size_t piece = 4096;
    std::vector<double> losses((records.size() + piece - 1) / piece);
    parallel_for(losses.size(), 1, threads, [&](std::uint64_t number, std::uint64_t, int) {
        const auto index = static_cast<std::size_t>(number);
        const std::size_t end = std::min((index + 1) * piece, records.size());
        for (std::size_t i = index * piece; i < end; ++i) {
            const double score = network.evaluate(records[i].position());
            const double error = sigmoid(score / NetworkParameters::score_unit) -
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
