#include "vector_kernels.hpp"

namespace defiance {
namespace {

/// One value at a time, for processors of other kinds, and as the reference of the others.
struct PlainVector {
    using Values = std::int16_t;
    using Wide = std::uint32_t;
    static constexpr int lanes = 1;

    static Values load(const std::int16_t* from) { return *from; }
    static void store(std::int16_t* to, Values v) { *to = v; }
    static Values add(Values a, Values b) { return static_cast<Values>(a + b); }
    static Values subtract(Values a, Values b) { return static_cast<Values>(a - b); }
    static Values multiply(Values a, Values b) { return static_cast<Values>(a * b); }
    static Values clamp(Values v) { return v < 0 ? Values{0} : v > 255 ? Values{255} : v; }
    static Values rounded_product(Values a, Values b) {
        return static_cast<Values>((a * b + 128) >> 8);
    }
    static Wide no_wide() { return 0; }
    static Wide add_wide(Wide a, Wide b) { return a + b; }
    static Wide multiply_add(Values a, Values b) { return static_cast<Wide>(a * b); }
    static std::int32_t sum(Wide total) { return static_cast<std::int32_t>(total); }
};

}  // namespace

const KernelFamily plain_kernels = kernels_of<PlainVector>;

}  // namespace defiance
