#pragma once

#include <immintrin.h>

#include <cstdint>

#include "sse2_units.hpp"

// For sources that are compiled for AVX-512 or more; vector_kernels.hpp says why
// nothing has a name outside them.

namespace defiance {
namespace {

/// Vectors of 512 bits, for VectorKernels.
struct Avx512Vector : Sse2Units {
    using Values = __m512i;
    using Wide = __m512i;
    static constexpr int lanes = 32;
    static constexpr bool has_bytes = false;

    static Values load(const std::int16_t* from) { return _mm512_loadu_si512(from); }
    static void store(std::int16_t* to, Values v) { _mm512_storeu_si512(to, v); }
    static Values add(Values a, Values b) { return _mm512_add_epi16(a, b); }
    static Values subtract(Values a, Values b) { return _mm512_sub_epi16(a, b); }
    static Values clamp(Values v) {
        return _mm512_min_epi16(_mm512_max_epi16(v, _mm512_setzero_si512()),
                                _mm512_set1_epi16(255));
    }
    static Values rounded_product(Values a, Values b) {
        return _mm512_srli_epi16(_mm512_add_epi16(_mm512_mullo_epi16(a, b), _mm512_set1_epi16(128)),
                                 8);
    }
    static Wide no_wide() { return _mm512_setzero_si512(); }
    static Wide add_wide(Wide a, Wide b) { return _mm512_add_epi32(a, b); }
    static Wide multiply_add(Values a, Values b) { return _mm512_madd_epi16(a, b); }
    static std::int32_t sum(Wide total) { return _mm512_reduce_add_epi32(total); }
    static Four sum_each(const Wide (&totals)[4]) {
        const auto half = [](Wide total) {
            return _mm256_add_epi32(_mm512_castsi512_si256(total),
                                    _mm512_extracti64x4_epi64(total, 1));
        };
        const __m256i all = _mm256_hadd_epi32(_mm256_hadd_epi32(half(totals[0]), half(totals[1])),
                                              _mm256_hadd_epi32(half(totals[2]), half(totals[3])));
        return _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    }
};

}  // namespace
}  // namespace defiance
