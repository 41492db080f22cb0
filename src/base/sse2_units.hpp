#pragma once

#include <emmintrin.h>

#include <cstdint>

#include <defiance/base/row_kernels.hpp>

// For sources that are compiled for SSE2 or more; vector_kernels.hpp says why nothing has a name
// outside them.

namespace defiance {
namespace {

/// The units of a second layer, for all vectors of this family of processors.
struct Sse2Units {
    using Four = __m128i;

    static Four no_units() { return _mm_setzero_si128(); }

    /// Adds what eight units weigh.
    static Four add_units(Four total, Four first, Four second, const std::int32_t* biases,
                          const std::int16_t* outputs) {
        const auto load = [](const auto* from) {
            return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
        };
        // Packing to 16 bits changes no sum that is within the bounds.
        __m128i units = _mm_packs_epi32(_mm_add_epi32(first, load(biases)),
                                        _mm_add_epi32(second, load(biases + 4)));
        units = _mm_min_epi16(_mm_max_epi16(units, _mm_setzero_si128()),
                              _mm_set1_epi16(PairLayers::max_unit_sum));
        units = _mm_srli_epi16(units, 6);
        // 254 * 127 fits into 16 bits.
        return _mm_add_epi32(total, _mm_madd_epi16(_mm_mullo_epi16(units, load(outputs)), units));
    }

    static std::int32_t sum_units(Four total) {
        total = _mm_add_epi32(total, _mm_shuffle_epi32(total, 0x4E));
        total = _mm_add_epi32(total, _mm_shuffle_epi32(total, 0xB1));
        return _mm_cvtsi128_si32(total);
    }
};

}  // namespace
}  // namespace defiance
