#pragma once

#include <cstdint>

namespace defiance {

/// The weights of the inputs that a position gains and loses.
struct RowChanges {
    static constexpr int max_rows = 24;
    const std::int16_t* added[max_rows];
    const std::int16_t* removed[max_rows];
    int added_count = 0;
    int removed_count = 0;
};

/// The arithmetic of networks. `hidden` is a multiple of NetworkParameters::hidden_step; sums wrap
/// around, so their order does not matter.
struct NetworkKernels {
    /// sums = old + the added rows - the removed rows; `sums` may be `old`.
    void (*update)(std::int16_t* sums, const std::int16_t* old, const RowChanges& changes,
                   int hidden);
    /// The sum of v * v * weight (squared) or v * weight over v = sums clamped to 0..255.
    std::int32_t (*weigh_squared)(const std::int16_t* sums, const std::int16_t* weights,
                                  int hidden);
    std::int32_t (*weigh_clipped)(const std::int16_t* sums, const std::int16_t* weights,
                                  int hidden);
};

extern const NetworkKernels plain_kernels;
#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)
#define DEFIANCE_VECTOR_KERNELS 1
extern const NetworkKernels sse2_kernels;
extern const NetworkKernels avx2_kernels;
#endif

}  // namespace defiance
