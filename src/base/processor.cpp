#include <defiance/base/processor.hpp>

#include <array>

#include <defiance/base/assert.hpp>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define DEFIANCE_X86 1
#elif defined(_M_X64) || defined(_M_IX86)
#include <intrin.h>
#define DEFIANCE_X86 1
#endif

namespace defiance {
namespace {

#ifdef DEFIANCE_X86

/// The four registers that the CPUID instruction fills.
struct Registers {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
};

#ifdef _MSC_VER

Registers cpuid(unsigned leaf, unsigned part = 0) {
    std::array<int, 4> r{};
    __cpuidex(r.data(), 0, 0);
    if (static_cast<unsigned>(r[0]) < leaf) return {};
    __cpuidex(r.data(), static_cast<int>(leaf), static_cast<int>(part));
    return {static_cast<unsigned>(r[0]), static_cast<unsigned>(r[1]), static_cast<unsigned>(r[2]),
            static_cast<unsigned>(r[3])};
}

unsigned register_states() {
    return static_cast<unsigned>(_xgetbv(0));
}

#else

Registers cpuid(unsigned leaf, unsigned part = 0) {
    Registers r;
    if (__get_cpuid_count(leaf, part, &r.a, &r.b, &r.c, &r.d) == 0) return {};
    return r;
}

unsigned register_states() {
    unsigned low = 0;
    unsigned high = 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

#endif

// Bit numbers: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CPUID.
void find_features(Processor& processor) {
    const Registers basic = cpuid(1);
    processor.has_popcnt = (basic.c & (1U << 23)) != 0;
    constexpr unsigned xgetbv_and_avx = (1U << 27) | (1U << 28);
    if ((basic.c & xgetbv_and_avx) != xgetbv_and_avx) return;
    // AVX is usable only if the system saves the XMM and YMM registers on a thread switch.
    constexpr unsigned avx_states = 0x06;
    const unsigned saved = register_states();
    if ((saved & avx_states) != avx_states) return;
    const Registers extended = cpuid(7);
    processor.has_avx2 = (extended.b & (1U << 5)) != 0;
    // Register a of the first part is the number of the last one.
    processor.has_avx_vnni =
        processor.has_avx2 && extended.a >= 1 && (cpuid(7, 1).a & (1U << 4)) != 0;
    // AVX-512 has mask registers, wider registers and more of them.
    constexpr unsigned avx512_states = avx_states | 0xE0;
    constexpr unsigned avx512_features = (1U << 16) | (1U << 30);
    processor.has_avx512 = processor.has_avx2 && (saved & avx512_states) == avx512_states &&
                           (extended.b & avx512_features) == avx512_features;
    processor.has_avx512_vnni = processor.has_avx512 && (extended.c & (1U << 11)) != 0;
}

#else

void find_features(Processor&) {}

#endif

}  // namespace

Processor detect_processor() {
    Processor processor;
    find_features(processor);
    DEFIANCE_ASSERT(!processor.has_avx2 || processor.has_popcnt);
    return processor;
}

}  // namespace defiance
