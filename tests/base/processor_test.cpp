#include <defiance/base/processor.hpp>

#include <catch2/catch.hpp>

using namespace defiance;

TEST_CASE("the features of the processor do not change", "[base]") {
    const Processor first = detect_processor();
    const Processor second = detect_processor();
    CHECK(first.has_popcnt == second.has_popcnt);
    CHECK(first.has_avx2 == second.has_avx2);
    // No processor has AVX2 without POPCNT.
    CHECK((!first.has_avx2 || first.has_popcnt));
    CHECK(first.has_avx512 == second.has_avx512);
    CHECK((!first.has_avx512 || first.has_avx2));
    CHECK(first.has_avx_vnni == second.has_avx_vnni);
    CHECK((!first.has_avx_vnni || first.has_avx2));
    CHECK(first.has_avx512_vnni == second.has_avx512_vnni);
    CHECK((!first.has_avx512_vnni || first.has_avx512));
}
