#include "vector_kernels.hpp"

#ifdef DEFIANCE_VECTOR_KERNELS
#include "avx512_vector.hpp"

namespace defiance {

constinit const KernelFamily avx512_kernels = kernels_of<Avx512Vector>;

}  // namespace defiance
#endif
