#include "vector_kernels.hpp"

#ifdef DEFIANCE_VECTOR_KERNELS
#include <immintrin.h>

namespace defiance {
namespace {

struct Avx512Vector {
    using Values = __m512i;
    using Wide = __m512i;
    static constexpr int lanes = 32;

    static Values load(const std::int16_t* from) { return _mm512_loadu_si512(from); }
    static void store(std::int16_t* to, Values v) { _mm512_storeu_si512(to, v); }
    static Values add(Values a, Values b) { return _mm512_add_epi16(a, b); }
    static Values subtract(Values a, Values b) { return _mm512_sub_epi16(a, b); }
    static Values multiply(Values a, Values b) { return _mm512_mullo_epi16(a, b); }
    static Values clamp(Values v) {
        return _mm512_min_epi16(_mm512_max_epi16(v, _mm512_setzero_si512()),
                                _mm512_set1_epi16(255));
    }
    static Values rounded_product(Values a, Values b) {
        return _mm512_srli_epi16(_mm512_add_epi16(multiply(a, b), _mm512_set1_epi16(128)), 8);
    }
    static Wide no_wide() { return _mm512_setzero_si512(); }
    static Wide add_wide(Wide a, Wide b) { return _mm512_add_epi32(a, b); }
    static Wide multiply_add(Values a, Values b) { return _mm512_madd_epi16(a, b); }
    static std::int32_t sum(Wide total) { return _mm512_reduce_add_epi32(total); }
};

}  // namespace

const KernelFamily avx512_kernels = kernels_of<Avx512Vector>;

}  // namespace defiance
#endif
