#include "vector_kernels.hpp"

#ifdef DEFIANCE_VECTOR_KERNELS
#include "sse2_units.hpp"

namespace defiance {
namespace {

struct Sse2Vector : Sse2Units {
    using Values = __m128i;
    using Wide = __m128i;
    static constexpr int lanes = 8;
    static constexpr bool has_bytes = false;

    static Values load(const std::int16_t* from) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    }
    static void store(std::int16_t* to, Values v) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), v);
    }
    static Values add(Values a, Values b) { return _mm_add_epi16(a, b); }
    static Values subtract(Values a, Values b) { return _mm_sub_epi16(a, b); }
    static Values clamp(Values v) {
        return _mm_min_epi16(_mm_max_epi16(v, _mm_setzero_si128()), _mm_set1_epi16(255));
    }
    static Values rounded_product(Values a, Values b) {
        return _mm_srli_epi16(_mm_add_epi16(_mm_mullo_epi16(a, b), _mm_set1_epi16(128)), 8);
    }
    static Wide no_wide() { return _mm_setzero_si128(); }
    static Wide add_wide(Wide a, Wide b) { return _mm_add_epi32(a, b); }
    static Wide multiply_add(Values a, Values b) { return _mm_madd_epi16(a, b); }
    static std::int32_t sum(Wide total) { return sum_units(total); }
    static Four sum_each(const Wide (&totals)[4]) {
        // A transposition: the first two interleaved, the other two, then both.
        const Wide a = add_wide(_mm_unpacklo_epi32(totals[0], totals[1]),
                                _mm_unpackhi_epi32(totals[0], totals[1]));
        const Wide b = add_wide(_mm_unpacklo_epi32(totals[2], totals[3]),
                                _mm_unpackhi_epi32(totals[2], totals[3]));
        return add_wide(_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b));
    }
};

}  // namespace

constinit const KernelFamily sse2_kernels = kernels_of<Sse2Vector>;

}  // namespace defiance
#endif
