#pragma once

#include <cstdint>

namespace defiance {

/// The kinds of instructions that the kernels are compiled for.
enum class Instructions : std::uint8_t { plain, sse2, avx2, avx_vnni, avx512, avx512_vnni };
inline constexpr Instructions all_instructions[] = {
    Instructions::plain,    Instructions::sse2,   Instructions::avx2,
    Instructions::avx_vnni, Instructions::avx512, Instructions::avx512_vnni};

/// True when this program may use them on this processor; plain ones always.
[[nodiscard]] bool can_use(Instructions instructions);

/// The best that this program may use on this processor.
[[nodiscard]] Instructions best_instructions();

/// The numbers of the rows of a table to add to each row of a pair, and of those to subtract.
struct RowChanges {
    static constexpr int max_rows = 24;
    std::uint8_t added[2][max_rows];    ///< [row of the pair][number]
    std::uint8_t removed[2][max_rows];  ///< likewise
    int added_count = 0;                ///< as many to either row
    int removed_count = 0;
};

/// Values are paired in groups of so many: i and i + 32 of each.
inline constexpr int pair_group = 64;
inline constexpr int max_row = 512;
/// The length for which the kernels are unrolled: that of the engines' networks. Others are slower.
inline constexpr int fast_row = 256;

/// What is behind the products of paired values: a second layer of units, and an output. All
/// weights are within +-127, and there is a row of `size` of them for each unit, then the output's.
/// A unit is its sum of product * weight and its bias, clamped to 0..max_unit_sum and divided by
/// 64.
struct PairLayers {
    static constexpr int unit_step = 8;
    static constexpr int max_unit_sum = 254 * 64;

    const std::int16_t* rows;      ///< begins at a cache line
    const std::int8_t* byte_rows;  ///< the same weights in 8 bits, for kernels that prefer them
    const std::int32_t* biases;    ///< of the units
    const std::int16_t* outputs;   ///< the weights of the units' squares
    int units;                     ///< a multiple of unit_step
};
struct PairSums {
    std::int32_t products;  ///< the output's sum of product * weight
    std::int32_t units;     ///< the sum of unit * unit * weight
};

/// Arithmetic on pairs of rows of 16-bit values, for evaluation networks. `size` is the length of
/// one row, a multiple of pair_group up to max_row; the second row of a pair follows the first. All
/// sums wrap around, so their order does not matter, and each kind of instructions gives the same
/// numbers.
struct RowKernels {
    /// sums = old + the added rows - the removed rows; `sums` may be `old`.
    void (*update)(std::int16_t* sums, const std::int16_t* old, const std::int16_t* table,
                   const RowChanges& changes, int size);
    /// The layers behind paired values. The values of each pair are clamped to 0..255; their
    /// product is divided by 256 and rounded. The products of the first row come before those of
    /// the second, or after them if `is_swapped`.
    PairSums (*weigh_pairs)(const std::int16_t* rows, const PairLayers& layers, bool is_swapped,
                            int size);
};

/// The kernels for these instructions, which the processor must have, and for rows of this length.
[[nodiscard]] const RowKernels& row_kernels(Instructions instructions, int size);

}  // namespace defiance
