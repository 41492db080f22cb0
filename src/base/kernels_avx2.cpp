#include "vector_kernels.hpp"

#ifdef DEFIANCE_VECTOR_KERNELS
#include "avx2_vector.hpp"

namespace defiance {

constinit const KernelFamily avx2_kernels = kernels_of<Avx2Vector>;

}  // namespace defiance
#endif
