#include "vector_kernels.hpp"

#ifdef DEFIANCE_VECTOR_KERNELS
#include "avx512_vector.hpp"

namespace defiance {
namespace {

struct Avx512VnniVector : Avx512Vector {
    static constexpr bool has_bytes = true;

    using Avx512Vector::load;
    static Values load(const std::int8_t* from) { return _mm512_loadu_si512(from); }
    static Values to_bytes(Values a, Values b) {
        // Packing works on each quarter of a vector.
        return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7),
                                        _mm512_packus_epi16(a, b));
    }
    static Wide multiply_add_bytes(Wide sum, Values bytes, Values weights) {
        return _mm512_dpbusd_epi32(sum, bytes, weights);
    }
};

}  // namespace

constinit const KernelFamily avx512_vnni_kernels = kernels_of<Avx512VnniVector>;

}  // namespace defiance
#endif
