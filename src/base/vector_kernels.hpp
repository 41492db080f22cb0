#pragma once

#include <defiance/base/row_kernels.hpp>

// For sources that are compiled for one kind of instructions. Everything is in an unnamed
// namespace: the linker keeps one of several copies of an inline function, and it must not be one
// with instructions that another processor lacks. For the same reason nothing of the standard
// library is used here.

// Before a loop of which compilers take all steps at once, for which there are too few registers.
// Sanitizers, and GCC without optimization, ignore it with a warning.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define DEFIANCE_UNROLL_TWICE _Pragma("GCC unroll 2")
#else
#define DEFIANCE_UNROLL_TWICE
#endif

namespace defiance {

/// The kernels of one kind of instructions: for rows of fast_row values, which the compiler can
/// unroll, and of any other length.
struct KernelFamily {
    RowKernels of_fast_row;
    RowKernels of_any;
};

extern const KernelFamily plain_kernels;
#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)
#define DEFIANCE_VECTOR_KERNELS 1
extern const KernelFamily sse2_kernels;
extern const KernelFamily avx2_kernels;
extern const KernelFamily avx_vnni_kernels;
extern const KernelFamily avx512_kernels;
extern const KernelFamily avx512_vnni_kernels;
#endif

namespace {

/// The kernels for vectors V, a type with `lanes` values of 16 bits and its operations, and rows of
/// `Size` values; 0 stands for the size that a call tells.
template <class V, int Size>
struct VectorKernels {
    using Values = typename V::Values;
    using Wide = typename V::Wide;

    static void update(std::int16_t* sums, const std::int16_t* old, const std::int16_t* table,
                       const RowChanges& changes, int any_size) {
        const int size = Size == 0 ? any_size : Size;
        for (int second = 0; second < 2; ++second) {
            const Rows added{table, changes.added[second], size};
            const Rows removed{table, changes.removed[second], size};
            // A block of the sums stays in registers while all rows are added.
            constexpr int block = Size == 0 ? 1 : 4;
            for (int i = 0; i < size; i += block * V::lanes) {
                if (changes.added_count == 1 && changes.removed_count == 1)
                    replace<block>(sums + i, old + i, added[0] + i, removed[0] + i);
                else
                    update_block<block>(sums + i, old + i, added, changes.added_count, removed,
                                        changes.removed_count, i);
            }
            sums += size;
            old += size;
        }
    }

    static PairSums weigh_pairs(const std::int16_t* rows, const PairLayers& layers, bool is_swapped,
                                int any_size) {
        const int size = Size == 0 ? any_size : Size;
        const Products products(rows, is_swapped, size);
        if constexpr (V::has_bytes) {
            Values bytes[Products::max_vectors / 2];
            for (int i = 0; i < size / (2 * V::lanes); ++i)
                bytes[i] = V::to_bytes(products.values[2 * i], products.values[2 * i + 1]);
            return weigh_layers(layers, layers.byte_rows, size, 2 * V::lanes,
                                [&](Wide sum, int i, const std::int8_t* weights) {
                                    return V::multiply_add_bytes(sum, bytes[i], V::load(weights));
                                });
        } else {
            return weigh_layers(layers, layers.rows, size, V::lanes,
                                [&](Wide sum, int i, const std::int16_t* weights) {
                                    return V::add_wide(
                                        sum, V::multiply_add(products.values[i], V::load(weights)));
                                });
        }
    }

private:
    /// The products of the pairs of both rows, in the order of their weights.
    struct Products {
        static constexpr int max_vectors = (Size == 0 ? max_row : Size) / V::lanes;
        Values values[max_vectors];

        Products(const std::int16_t* rows, bool is_swapped, int size) {
            Values* const rest = multiply(rows + (is_swapped ? size : 0), size, values);
            multiply(rows + (is_swapped ? 0 : size), size, rest);
        }

    private:
        static Values* multiply(const std::int16_t* row, int size, Values* products) {
            constexpr int half_group = pair_group / 2;
            for (int group = 0; group < size; group += pair_group)
                for (int i = group; i < group + half_group; i += V::lanes)
                    *products++ = V::rounded_product(V::clamp(V::load(row + i)),
                                                     V::clamp(V::load(row + half_group + i)));
            return products;
        }
    };

    /// `add` adds to a sum `lanes` products, from number i * lanes on, times their weights.
    template <class Weight, class Add>
    static PairSums weigh_layers(const PairLayers& layers, const Weight* weights, int size,
                                 int lanes, Add add) {
        // Four rows together read the products once and are added up with fewer instructions.
        const auto weigh_four = [&] {
            Wide sums[4] = {V::no_wide(), V::no_wide(), V::no_wide(), V::no_wide()};
            DEFIANCE_UNROLL_TWICE
            for (int i = 0; i < size / lanes; ++i)
                for (int row = 0; row < 4; ++row)
                    sums[row] = add(sums[row], i, weights + row * size + i * lanes);
            weights += 4 * size;
            return V::sum_each(sums);
        };
        auto units = V::no_units();
        static_assert(PairLayers::unit_step == 8);
        for (int unit = 0; unit < layers.units; unit += 8) {
            const auto first = weigh_four();
            const auto second = weigh_four();
            units = V::add_units(units, first, second, layers.biases + unit, layers.outputs + unit);
        }
        Wide output = V::no_wide();
        for (int i = 0; i < size / lanes; ++i)
            output = add(output, i, weights + i * lanes);
        return {V::sum(output), V::sum_units(units)};
    }

    /// Chosen rows of a table.
    struct Rows {
        const std::int16_t* table;
        const std::uint8_t* chosen;
        int size;

        const std::int16_t* operator[](int number) const { return table + chosen[number] * size; }
    };

    /// What most moves do: one row for another.
    template <int N>
    static void replace(std::int16_t* sums, const std::int16_t* old, const std::int16_t* added,
                        const std::int16_t* removed) {
        for (int j = 0; j < N * V::lanes; j += V::lanes)
            V::store(sums + j, V::subtract(V::add(V::load(old + j), V::load(added + j)),
                                           V::load(removed + j)));
    }

    template <int N>
    static void update_block(std::int16_t* sums, const std::int16_t* old, const Rows& added,
                             int added_count, const Rows& removed, int removed_count, int offset) {
        Values block[N];
        for (int j = 0; j < N; ++j)
            block[j] = V::load(old + j * V::lanes);
        for (int i = 0; i < added_count; ++i) {
            const std::int16_t* const row = added[i] + offset;
            for (int j = 0; j < N; ++j)
                block[j] = V::add(block[j], V::load(row + j * V::lanes));
        }
        for (int i = 0; i < removed_count; ++i) {
            const std::int16_t* const row = removed[i] + offset;
            for (int j = 0; j < N; ++j)
                block[j] = V::subtract(block[j], V::load(row + j * V::lanes));
        }
        for (int j = 0; j < N; ++j)
            V::store(sums + j * V::lanes, block[j]);
    }
};

template <class V, int Size>
constexpr RowKernels row_kernels_of = {&VectorKernels<V, Size>::update,
                                       &VectorKernels<V, Size>::weigh_pairs};

template <class V>
constexpr KernelFamily kernels_of = {row_kernels_of<V, fast_row>, row_kernels_of<V, 0>};

}  // namespace
}  // namespace defiance
