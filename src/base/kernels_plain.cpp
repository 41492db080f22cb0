#include "vector_kernels.hpp"

namespace defiance {
namespace {

/// One value at a time, for processors of other kinds, and as the reference of the others.
struct PlainVector {
    using Values = std::int16_t;
    using Wide = std::uint32_t;
    static constexpr int lanes = 1;
    static constexpr bool has_bytes = false;

    static Values load(const std::int16_t* from) { return *from; }
    static void store(std::int16_t* to, Values v) { *to = v; }
    static Values add(Values a, Values b) { return static_cast<Values>(a + b); }
    static Values subtract(Values a, Values b) { return static_cast<Values>(a - b); }
    static Values clamp(Values v) { return v < 0 ? Values{0} : v > 255 ? Values{255} : v; }
    static Values rounded_product(Values a, Values b) {
        return static_cast<Values>((a * b + 128) >> 8);
    }
    static Wide no_wide() { return 0; }
    static Wide add_wide(Wide a, Wide b) { return a + b; }
    static Wide multiply_add(Values a, Values b) { return static_cast<Wide>(a * b); }
    static std::int32_t sum(Wide total) { return static_cast<std::int32_t>(total); }
    struct Four {
        std::int32_t sums[4];
    };
    static Four sum_each(const Wide (&totals)[4]) {
        return {{sum(totals[0]), sum(totals[1]), sum(totals[2]), sum(totals[3])}};
    }
    static std::int32_t no_units() { return 0; }
    static std::int32_t add_units(std::int32_t total, const Four& first, const Four& second,
                                  const std::int32_t* biases, const std::int16_t* outputs) {
        for (int i = 0; i < 8; ++i) {
            const std::int32_t biased = (i < 4 ? first.sums[i] : second.sums[i - 4]) + biases[i];
            const std::int32_t unit =
                (biased < 0                          ? 0
                 : biased > PairLayers::max_unit_sum ? PairLayers::max_unit_sum
                                                     : biased) /
                64;
            total += unit * unit * outputs[i];
        }
        return total;
    }
    static std::int32_t sum_units(std::int32_t total) { return total; }
};

}  // namespace

constinit const KernelFamily plain_kernels = kernels_of<PlainVector>;

}  // namespace defiance
