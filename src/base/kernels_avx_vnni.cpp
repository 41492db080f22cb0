#include "vector_kernels.hpp"

#ifdef DEFIANCE_VECTOR_KERNELS
#include "avx2_vector.hpp"

namespace defiance {
namespace {

struct AvxVnniVector : Avx2Vector {
    static constexpr bool has_bytes = true;

    using Avx2Vector::load;
    static Values load(const std::int8_t* from) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    }
    static Values to_bytes(Values a, Values b) {
        // Packing works on each half of a vector.
        return _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xD8);
    }
    static Wide multiply_add_bytes(Wide sum, Values bytes, Values weights) {
        return _mm256_dpbusd_avx_epi32(sum, bytes, weights);
    }
};

}  // namespace

constinit const KernelFamily avx_vnni_kernels = kernels_of<AvxVnniVector>;

}  // namespace defiance
#endif
