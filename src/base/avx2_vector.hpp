#pragma once

#include <immintrin.h>

#include <cstdint>

#include "sse2_units.hpp"

// For sources that are compiled for AVX2 or more; vector_kernels.hpp says why
// nothing has a name outside them.

namespace defiance {
namespace {

/// Vectors of 256 bits, for VectorKernels.
struct Avx2Vector : Sse2Units {
    using Values = __m256i;
    using Wide = __m256i;
    static constexpr int lanes = 16;
    static constexpr bool has_bytes = false;

    static Values load(const std::int16_t* from) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    }
    static void store(std::int16_t* to, Values v) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v);
    }
    static Values add(Values a, Values b) { return _mm256_add_epi16(a, b); }
    static Values subtract(Values a, Values b) { return _mm256_sub_epi16(a, b); }
    static Values clamp(Values v) {
        return _mm256_min_epi16(_mm256_max_epi16(v, _mm256_setzero_si256()),
                                _mm256_set1_epi16(255));
    }
    static Values rounded_product(Values a, Values b) {
        return _mm256_srli_epi16(_mm256_add_epi16(_mm256_mullo_epi16(a, b), _mm256_set1_epi16(128)),
                                 8);
    }
    static Wide no_wide() { return _mm256_setzero_si256(); }
    static Wide add_wide(Wide a, Wide b) { return _mm256_add_epi32(a, b); }
    static Wide multiply_add(Values a, Values b) { return _mm256_madd_epi16(a, b); }
    static std::int32_t sum(Wide total) {
        return sum_units(
            _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1)));
    }
    static Four sum_each(const Wide (&totals)[4]) {
        const Wide all = _mm256_hadd_epi32(_mm256_hadd_epi32(totals[0], totals[1]),
                                           _mm256_hadd_epi32(totals[2], totals[3]));
        return _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    }
};

}  // namespace
}  // namespace defiance
