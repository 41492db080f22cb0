#include <defiance/base/processor.hpp>
#include <tools/training/training_kernels.hpp>

namespace defiance {

// Each is a compilation of training_kernels.cpp.
extern const TrainingKernels plain_training_kernels;
#ifdef DEFIANCE_AVX2_TRAINING
extern const TrainingKernels avx2_training_kernels;
#endif

const TrainingKernels& fastest_training_kernels() {
#ifdef DEFIANCE_AVX2_TRAINING
    if (detect_processor().has_avx2) return avx2_training_kernels;
#endif
    return plain_training_kernels;
}

const TrainingKernels& basic_training_kernels() {
    return plain_training_kernels;
}

}  // namespace defiance
