// Compiled once for each set of instructions, with DEFIANCE_LANES, the numbers in a register, and
// DEFIANCE_KERNELS, the name of the table. Uses nothing of the standard library that could become a
// function shared with other sources.
#include <cmath>

#include <tools/training/training_kernels.hpp>

namespace defiance {
namespace {

constexpr int lanes = DEFIANCE_LANES;
#if DEFIANCE_LANES == 1
using Vector = float;
using StoredVector = float;
#else
using Vector = float __attribute__((vector_size(4 * DEFIANCE_LANES)));
// As it lies in memory, at any address.
using StoredVector = float __attribute__((vector_size(4 * DEFIANCE_LANES), aligned(4), may_alias));
#endif

inline Vector load(const float* from) {
    return *reinterpret_cast<const StoredVector*>(from);
}
inline void store(float* to, const Vector& value) {
    *reinterpret_cast<StoredVector*>(to) = value;
}
inline Vector broadcast(float value) {
    return Vector{} + value;
}
inline Vector clamped(Vector x) {
    const Vector zero = broadcast(0);
    const Vector one = broadcast(1);
    x = x > zero ? x : zero;
    return x < one ? x : one;
}

/// Calls action.operator()<Registers>(column) for blocks of a tile that fit into the registers.
template <class Action>
inline void for_columns(Action action) {
    constexpr int registers = tile_units < 8 * lanes ? tile_units / lanes : 8;
    for (int column = 0; column < tile_units; column += registers * lanes)
        action.template operator()<registers>(column);
}

/// Sums over inputs, or over rows: `from` has a tile of numbers for each of them.
template <int Registers>
inline void add_chosen(Vector (&sum)[Registers], const float* from, const std::uint8_t* chosen,
                       int count) {
    for (int i = 0; i < count; ++i) {
        const float* numbers = from + chosen[i] * tile_units;
        for (int r = 0; r < Registers; ++r)
            sum[r] += load(numbers + r * lanes);
    }
}

void forward(const NetworkShape& shape, const NetworkParts<const float>& network,
             MicroBatch& batch) {
    for (int tile = 0; tile < shape.tiles(); ++tile) {
        const float* weights = network.input_weights + input_count * tile_units * tile;
        const float* biases = network.hidden_biases + tile_units * tile;
        float* hidden = batch.hidden + micro_batch_rows * tile_units * tile;
        for (int row = 0; row < 2 * batch.positions; ++row) {
            for_columns([&]<int Registers>(int column) {
                Vector sum[Registers];
                for (int r = 0; r < Registers; ++r)
                    sum[r] = load(biases + column + r * lanes);
                add_chosen<Registers>(sum, weights + column, batch.inputs[row],
                                      batch.active_counts[row / 2]);
                for (int r = 0; r < Registers; ++r)
                    store(hidden + row * tile_units + column + r * lanes, clamped(sum[r]));
            });
        }
    }
}

constexpr int partial_sums = 16;  // of a scalar product, for any number of lanes

/// The same tree of additions everywhere.
inline float total(const Vector (&sums)[partial_sums / lanes]) {
    float parts[partial_sums];
    for (int i = 0; i < partial_sums / lanes; ++i)
        store(parts + i * lanes, sums[i]);
    for (int width = partial_sums / 2; width > 0; width /= 2)
        for (int i = 0; i < width; ++i)
            parts[i] += parts[i + width];
    return parts[0];
}

/// Calls action(hidden units) for each tile of both views of a position.
template <class Action>
inline void for_views(const NetworkShape& shape, MicroBatch& batch, int position, Action action) {
    for (int view = 0; view < 2; ++view)
        for (int tile = 0; tile < shape.tiles(); ++tile)
            action(batch.hidden + (micro_batch_rows * tile + 2 * position + view) * tile_units);
}

constexpr int tile_pairs = tile_units / 2;

void make_products(const NetworkShape& shape, MicroBatch& batch, int position) {
    float* products = batch.products + position * shape.products();
    for_views(shape, batch, position, [&](const float* hidden) {
        for (int i = 0; i < tile_pairs; i += lanes)
            store(products + i, load(hidden + i) * load(hidden + tile_pairs + i));
        products += tile_pairs;
    });
}

/// The gradients of the products become those of the sums of the hidden units, in their places.
/// The sum of a unit that is clamped has no effect, so its gradient is 0.
void backward_products(const NetworkShape& shape, const float* product_gradients, MicroBatch& batch,
                       int position) {
    const Vector zero = broadcast(0);
    const Vector one = broadcast(1);
    const auto if_unclamped = [&](Vector x, Vector gradient) {
        gradient = x > zero ? gradient : zero;
        return x < one ? gradient : zero;
    };
    for_views(shape, batch, position, [&](float* hidden) {
        for (int i = 0; i < tile_pairs; i += lanes) {
            const Vector x = load(hidden + i);
            const Vector y = load(hidden + tile_pairs + i);
            const Vector gradient = load(product_gradients + i);
            store(hidden + i, if_unclamped(x, gradient * y));
            store(hidden + tile_pairs + i, if_unclamped(y, gradient * x));
        }
        product_gradients += tile_pairs;
    });
}

inline float scalar_product(const float* a, const float* b, int size) {
    Vector sums[partial_sums / lanes] = {};
    for (int i = 0; i < size; i += partial_sums)
        for (int k = 0; k < partial_sums / lanes; ++k)
            sums[k] += load(a + i + k * lanes) * load(b + i + k * lanes);
    return total(sums);
}

inline float clamped_number(float x) {
    x = x > 0 ? x : 0;
    return x < 1 ? x : 1;
}

void output(const NetworkShape& shape, const NetworkParts<const float>& network,
            MicroBatch& batch) {
    const int size = shape.products();
    for (int i = 0; i < batch.positions; ++i) {
        make_products(shape, batch, i);
        const float* products = batch.products + i * size;
        const int bucket = batch.buckets[i];
        float sum = scalar_product(products, network.output_weights + bucket * size, size) +
                    network.output_biases[bucket];
        for (int k = 0; k < shape.second; ++k) {
            const int unit = bucket * shape.second + k;
            const float x = clamped_number(
                scalar_product(products, network.second_weights + unit * size, size) +
                network.second_biases[unit]);
            batch.second[i * shape.second + k] = x;
            sum += network.second_outputs[unit] * (x * x);
        }
        batch.outputs[i] = sum;
    }
}

/// gradients += slope * values
inline void add_multiple(float* gradients, float slope, const float* values, int size) {
    for (int i = 0; i < size; i += lanes)
        store(gradients + i, load(gradients + i) + broadcast(slope) * load(values + i));
}

/// Gradients of what the output is computed with; the hidden units become the gradients of their
/// sums.
void backward_output(const NetworkShape& shape, const NetworkParts<const float>& network,
                     MicroBatch& batch, int position, const NetworkParts<float>& gradients) {
    const int size = shape.products();
    const int bucket = batch.buckets[position];
    const float slope = batch.slopes[position];
    const float* products = batch.products + position * size;
    const float* weights = network.output_weights + bucket * size;
    float product_gradients[max_products];
    add_multiple(gradients.output_weights + bucket * size, slope, products, size);
    for (int i = 0; i < size; i += lanes)
        store(product_gradients + i, broadcast(slope) * load(weights + i));
    gradients.output_biases[bucket] += slope;
    for (int k = 0; k < shape.second; ++k) {
        const int unit = bucket * shape.second + k;
        const float x = batch.second[position * shape.second + k];
        gradients.second_outputs[unit] += slope * (x * x);
        // At 0 a squared unit has the slope 0 anyway.
        if (x <= 0 || x >= 1) continue;
        const float unit_slope = slope * network.second_outputs[unit] * (x + x);
        gradients.second_biases[unit] += unit_slope;
        add_multiple(gradients.second_weights + unit * size, unit_slope, products, size);
        add_multiple(product_gradients, unit_slope, network.second_weights + unit * size, size);
    }
    backward_products(shape, product_gradients, batch, position);
}

void backward_input(const NetworkShape& shape, const MicroBatch& batch,
                    const NetworkParts<float>& gradients) {
    std::uint8_t every_row[micro_batch_rows];
    for (int row = 0; row < micro_batch_rows; ++row)
        every_row[row] = static_cast<std::uint8_t>(row);
    for (int tile = 0; tile < shape.tiles(); ++tile) {
        const float* hidden = batch.hidden + micro_batch_rows * tile_units * tile;
        const auto collect = [&](const std::uint8_t* rows, int count, float* into) {
            for_columns([&]<int Registers>(int column) {
                Vector sum[Registers] = {};
                add_chosen<Registers>(sum, hidden + column, rows, count);
                for (int r = 0; r < Registers; ++r) {
                    float* place = into + column + r * lanes;
                    store(place, load(place) + sum[r]);
                }
            });
        };
        for (int input = 0; input < input_count; ++input)
            if (batch.row_counts[input] != 0)
                collect(
                    batch.rows[input], batch.row_counts[input],
                    gradients.input_weights + input_count * tile_units * tile + input * tile_units);
        collect(every_row, 2 * batch.positions, gradients.hidden_biases + tile_units * tile);
    }
}

void backward(const NetworkShape& shape, const NetworkParts<const float>& network,
              MicroBatch& batch, const NetworkParts<float>& gradients) {
    for (int i = 0; i < batch.positions; ++i)
        backward_output(shape, network, batch, i, gradients);
    backward_input(shape, batch, gradients);
}

constexpr auto first_decay = static_cast<float>(first_moment_decay);
constexpr auto second_decay = static_cast<float>(second_moment_decay);
constexpr float smallest_root = 1e-8F;

inline float limited(float value, float limit) {
    value = value > -limit ? value : -limit;
    return value < limit ? value : limit;
}

void step(const AdamStep& adam, const ParameterRange& range, const float* gradients, int count,
          std::int64_t stride) {
    constexpr int block = 64;
    for (int begin = range.first; begin < range.last; begin += block) {
        const int size = range.last - begin < block ? range.last - begin : block;
        float sum[block] = {};
        for (int k = 0; k < count; ++k)
            for (int i = 0; i < size; ++i)
                sum[i] += gradients[k * stride + begin + i];
        float* values = range.values + begin;
        float* first = range.first_moments + begin;
        float* second = range.second_moments + begin;
        for (int i = 0; i < size; ++i) {
            const float gradient = sum[i] / adam.divisor;
            first[i] = first_decay * first[i] + (1 - first_decay) * gradient;
            second[i] = second_decay * second[i] + (1 - second_decay) * gradient * gradient;
            const float root = std::sqrt(second[i] * adam.second_scale) + smallest_root;
            values[i] = limited(values[i] - adam.rate * first[i] / root, range.limit);
        }
    }
}

}  // namespace

extern const TrainingKernels DEFIANCE_KERNELS;
const TrainingKernels DEFIANCE_KERNELS = {forward, output, backward, step};

}  // namespace defiance
