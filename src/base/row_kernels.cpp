#include <defiance/base/row_kernels.hpp>

#include <defiance/base/assert.hpp>
#include <defiance/base/processor.hpp>

#include "vector_kernels.hpp"

namespace defiance {

Instructions best_instructions() {
#ifdef DEFIANCE_VECTOR_KERNELS
    const Processor processor = detect_processor();
    if (processor.has_avx512) return Instructions::avx512;
    return processor.has_avx2 ? Instructions::avx2 : Instructions::sse2;
#else
    return Instructions::plain;
#endif
}

namespace {

const KernelFamily& family(Instructions instructions) {
#ifdef DEFIANCE_VECTOR_KERNELS
    if (instructions == Instructions::avx512) return avx512_kernels;
    if (instructions == Instructions::avx2) return avx2_kernels;
    if (instructions == Instructions::sse2) return sse2_kernels;
#endif
    DEFIANCE_ASSERT(instructions == Instructions::plain);
    return plain_kernels;
}

}  // namespace

const RowKernels& row_kernels(Instructions instructions, int size) {
    DEFIANCE_ASSERT(size > 0 && size % row_kernel_step == 0);
    // A row of AVX-512 is read 32 values at a time.
    if (instructions == Instructions::avx512 && size % 32 != 0) instructions = Instructions::avx2;
    const KernelFamily& kernels = family(instructions);
    return size == 128 ? kernels.of_128 : size == 256 ? kernels.of_256 : kernels.of_any;
}

}  // namespace defiance
