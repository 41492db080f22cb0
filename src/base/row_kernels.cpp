#include <defiance/base/row_kernels.hpp>

#include <defiance/base/assert.hpp>
#include <defiance/base/processor.hpp>

#include "vector_kernels.hpp"

namespace defiance {

Instructions best_instructions() {
#ifdef DEFIANCE_VECTOR_KERNELS
    return detect_processor().has_avx2 ? Instructions::avx2 : Instructions::sse2;
#else
    return Instructions::plain;
#endif
}

const RowKernels& row_kernels(Instructions instructions) {
#ifdef DEFIANCE_VECTOR_KERNELS
    if (instructions == Instructions::avx2) return avx2_kernels;
    if (instructions == Instructions::sse2) return sse2_kernels;
#endif
    DEFIANCE_ASSERT(instructions == Instructions::plain);
    return plain_kernels;
}

}  // namespace defiance
