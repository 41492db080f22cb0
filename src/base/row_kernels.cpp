#include <defiance/base/row_kernels.hpp>

#include <defiance/base/assert.hpp>
#include <defiance/base/processor.hpp>

#include "vector_kernels.hpp"

namespace defiance {

bool can_use(Instructions instructions) {
    if (instructions == Instructions::plain) return true;
#ifdef DEFIANCE_VECTOR_KERNELS
    const Processor processor = detect_processor();
    switch (instructions) {
        case Instructions::plain:
        case Instructions::sse2:
            return true;
        case Instructions::avx2:
            return processor.has_avx2;
        case Instructions::avx_vnni:
            return processor.has_avx_vnni;
        case Instructions::avx512:
            return processor.has_avx512;
        case Instructions::avx512_vnni:
            return processor.has_avx512_vnni;
    }
#endif
    return false;
}

Instructions best_instructions() {
    Instructions best = Instructions::plain;
    for (const Instructions instructions : all_instructions)
        if (can_use(instructions)) best = instructions;
    return best;
}

namespace {

const KernelFamily& family(Instructions instructions) {
#ifdef DEFIANCE_VECTOR_KERNELS
    switch (instructions) {
        case Instructions::plain:
            break;
        case Instructions::sse2:
            return sse2_kernels;
        case Instructions::avx2:
            return avx2_kernels;
        case Instructions::avx_vnni:
            return avx_vnni_kernels;
        case Instructions::avx512:
            return avx512_kernels;
        case Instructions::avx512_vnni:
            return avx512_vnni_kernels;
    }
#endif
    DEFIANCE_ASSERT(instructions == Instructions::plain);
    return plain_kernels;
}

}  // namespace

const RowKernels& row_kernels(Instructions instructions, int size) {
    DEFIANCE_ASSERT(size > 0 && size <= max_row && size % pair_group == 0);
    const KernelFamily& kernels = family(instructions);
    return size == fast_row ? kernels.of_fast_row : kernels.of_any;
}

}  // namespace defiance
