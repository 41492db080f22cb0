#pragma once

#include <defiance/base/row_kernels.hpp>

// For sources that are compiled for one kind of instructions. Everything is in an unnamed
// namespace: the linker keeps one of several copies of an inline function, and it must not be one
// with instructions that another processor lacks. For the same reason nothing of the standard
// library is used here.

namespace defiance {

extern const RowKernels plain_kernels;
#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)
#define DEFIANCE_VECTOR_KERNELS 1
extern const RowKernels sse2_kernels;
extern const RowKernels avx2_kernels;
#endif

namespace {

/// The kernels for vectors V: a type with `lanes` values of 16 bits and its operations.
template <class V>
struct VectorKernels {
    using Values = typename V::Values;
    using Wide = typename V::Wide;

    static void update(std::int16_t* sums, const std::int16_t* old, const RowChanges& changes,
                       int hidden) {
        // A block of the sums stays in registers while all rows are added.
        constexpr int block = 4;
        int i = 0;
        for (; i + block * V::lanes <= hidden; i += block * V::lanes)
            update_block<block>(sums + i, old + i, changes, i);
        for (; i < hidden; i += V::lanes)
            update_block<1>(sums + i, old + i, changes, i);
    }

    static std::int32_t weigh_squared(const std::int16_t* sums, const std::int16_t* weights,
                                      int hidden) {
        Wide total = V::no_wide();
        for (int i = 0; i < hidden; i += V::lanes) {
            const Values v = V::clamp(V::load(sums + i));
            // 255 * 127 fits into 16 bits.
            total = V::add_wide(total, V::multiply_add(V::multiply(v, V::load(weights + i)), v));
        }
        return V::sum(total);
    }

    static std::int32_t weigh_clipped(const std::int16_t* sums, const std::int16_t* weights,
                                      int hidden) {
        Wide total = V::no_wide();
        for (int i = 0; i < hidden; i += V::lanes) {
            const Values v = V::clamp(V::load(sums + i));
            total = V::add_wide(total, V::multiply_add(v, V::load(weights + i)));
        }
        return V::sum(total);
    }

private:
    template <int N>
    static void update_block(std::int16_t* sums, const std::int16_t* old, const RowChanges& changes,
                             int offset) {
        Values block[N];
        for (int j = 0; j < N; ++j)
            block[j] = V::load(old + j * V::lanes);
        for (int row = 0; row < changes.added_count; ++row)
            for (int j = 0; j < N; ++j)
                block[j] = V::add(block[j], V::load(changes.added[row] + offset + j * V::lanes));
        for (int row = 0; row < changes.removed_count; ++row)
            for (int j = 0; j < N; ++j)
                block[j] =
                    V::subtract(block[j], V::load(changes.removed[row] + offset + j * V::lanes));
        for (int j = 0; j < N; ++j)
            V::store(sums + j * V::lanes, block[j]);
    }
};

template <class V>
constexpr RowKernels kernels_of = {&VectorKernels<V>::update, &VectorKernels<V>::weigh_squared,
                                   &VectorKernels<V>::weigh_clipped};

}  // namespace
}  // namespace defiance
