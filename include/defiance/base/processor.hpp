#pragma once

namespace defiance {

/// The instructions beyond the basic ones that this program may use on the processor it runs on.
struct Processor {
    bool has_popcnt = false;
    bool has_avx2 = false;         ///< and the operating system keeps the registers it needs
    bool has_avx512 = false;       ///< the same of AVX-512F and AVX-512BW
    bool has_avx_vnni = false;     ///< AVX2, and AVX-VNNI
    bool has_avx512_vnni = false;  ///< AVX-512 as above, and AVX512-VNNI
};

/// Asks the machine. Features of other processor families than x86 are reported as missing.
[[nodiscard]] Processor detect_processor();

}  // namespace defiance
