#pragma once

#include <cstdint>

namespace defiance {

/// The kinds of instructions that the kernels are compiled for.
enum class Instructions : std::uint8_t { plain, sse2, avx2 };

/// The best that this program may use on this processor.
[[nodiscard]] Instructions best_instructions();

/// Rows of values to add to another row and to subtract from it.
struct RowChanges {
    static constexpr int max_rows = 24;
    const std::int16_t* added[max_rows];
    const std::int16_t* removed[max_rows];
    int added_count = 0;
    int removed_count = 0;
};

/// Arithmetic on rows of 16-bit values, for evaluation networks. `size` is a multiple of
/// row_kernel_step. All sums wrap around, so their order does not matter, and each kind of
/// instructions gives the same numbers.
struct RowKernels {
    /// sums = old + the added rows - the removed rows; `sums` may be `old`.
    void (*update)(std::int16_t* sums, const std::int16_t* old, const RowChanges& changes,
                   int size);
    /// The sum of v * v * weight over the values v of the row, clamped to 0..255. Weights are
    /// within +-127.
    std::int32_t (*weigh_squared)(const std::int16_t* row, const std::int16_t* weights, int size);
    /// The sum of v * weight.
    std::int32_t (*weigh_clipped)(const std::int16_t* row, const std::int16_t* weights, int size);
};
inline constexpr int row_kernel_step = 16;

/// The kernels for these instructions, which the processor must have.
[[nodiscard]] const RowKernels& row_kernels(Instructions instructions);

}  // namespace defiance
