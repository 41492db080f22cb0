#pragma once

#include <cstdint>

#include <defiance/base/row_kernels.hpp>

namespace defiance {

// The arithmetic of training, on blocks of positions small enough for the first cache. It is
// compiled once for each set of instructions; all of them give the same bits, because every sum is
// taken in the same order and no multiplication is fused with an addition.

// NetworkParameters::inputs and max_active. Its header is not included here, because the standard
// library would come with it; micro_batch_runner.cpp checks that they agree.
inline constexpr int input_count = 128;
inline constexpr int max_active = 24;  ///< active inputs of a view
inline constexpr int max_products = max_row;

/// Hidden units are kept in tiles of this many, so that the weights of a tile stay in the cache.
/// Within a tile, the units of one input lie beside each other.
inline constexpr int tile_units = pair_group;

inline constexpr int micro_batch_positions = 64;
inline constexpr int micro_batch_rows = 2 * micro_batch_positions;

/// Where the parameters of a network begin, or their gradients.
template <class Number>
struct NetworkParts {
    Number* input_weights;   ///< input_count * hidden, in tiles
    Number* hidden_biases;   ///< hidden
    Number* output_weights;  ///< for each bucket those of the products: side to move, opponent
    Number* output_biases;   ///< one for each bucket
    Number* second_weights;  ///< for each bucket and unit of the second layer those of the products
    Number* second_biases;   ///< for each bucket and unit
    Number* second_outputs;  ///< for each bucket and unit: what it adds to the output
};

/// The size of a network.
struct NetworkShape {
    int hidden;  ///< a multiple of tile_units
    int buckets;
    int second;  ///< units of a second layer beside the sum of the products

    /// The products of both views together: half as many as units in each.
    [[nodiscard]] int products() const { return hidden; }
    [[nodiscard]] int tiles() const { return hidden / tile_units; }
    [[nodiscard]] bool operator==(const NetworkShape&) const = default;
};

/// Some positions on their way through the network. Each has two rows: 2 * i is the view of the
/// side to move, 2 * i + 1 that of the opponent.
struct MicroBatch {
    int positions;
    std::uint8_t active_counts[micro_batch_positions];  ///< active inputs of each of its rows
    std::uint8_t buckets[micro_batch_positions];        ///< of the output
    std::uint8_t inputs[micro_batch_rows][max_active];  ///< those that are active
    std::uint8_t rows[input_count][micro_batch_rows];   ///< for each input the rows it is active in
    std::uint8_t row_counts[input_count];               ///< how many these are
    float targets[micro_batch_positions];               ///< expected result, 0 to 1
    float outputs[micro_batch_positions];               ///< of the network; 1.0 is 200 points
    float slopes[micro_batch_positions];                ///< of the loss by the output
    float* hidden;    ///< micro_batch_rows rows of each tile, one after another
    float* products;  ///< of one position after another
    float* second;    ///< its units, clamped, of one position after another
};
// The bytes of a MicroBatch hold what they count or number.
static_assert(input_count - 1 <= UINT8_MAX && max_active <= UINT8_MAX);
static_assert(micro_batch_rows <= UINT8_MAX);

/// What the moments of Adam keep of themselves in a step: the values that its authors recommend.
inline constexpr double first_moment_decay = 0.9;
inline constexpr double second_moment_decay = 0.999;

/// One step of Adam (Kingma, Ba: Adam: A Method for Stochastic Optimization, 2014).
struct AdamStep {
    float rate;          ///< with the correction of the first moment
    float second_scale;  ///< correction of the second moment
    float divisor;       ///< of the gradients: positions in the batch
};

/// The parameters from `first` to `last` - 1 and what belongs to them.
struct ParameterRange {
    int first;
    int last;
    float* values;
    float* first_moments;
    float* second_moments;
    float limit;  ///< values are kept within +-limit
};

/// The same functions for one set of instructions.
struct TrainingKernels {
    /// MicroBatch::hidden: the clamped sums of all rows.
    void (*forward)(const NetworkShape&, const NetworkParts<const float>&, MicroBatch&);
    /// MicroBatch::products, second and outputs from MicroBatch::hidden.
    void (*output)(const NetworkShape&, const NetworkParts<const float>&, MicroBatch&);
    /// Adds to the gradients what MicroBatch::slopes tells. Overwrites MicroBatch::hidden.
    void (*backward)(const NetworkShape&, const NetworkParts<const float>&, MicroBatch&,
                     const NetworkParts<float>&);
    /// Adds up `count` arrays of gradients, `stride` numbers apart, in their order, and takes a
    /// step.
    void (*step)(const AdamStep&, const ParameterRange&, const float* gradients, int count,
                 std::int64_t stride);
};

/// Those for the processor this runs on.
[[nodiscard]] const TrainingKernels& fastest_training_kernels();
/// Those that every processor has.
[[nodiscard]] const TrainingKernels& basic_training_kernels();

}  // namespace defiance
