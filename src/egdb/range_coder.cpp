#include <defiance/egdb/range_coder.hpp>

#include <utility>

namespace defiance {

std::vector<std::uint8_t> RangeEncoder::take() {
    // The number between the borders with the most zeros at its end.
    std::uint32_t number = 0;
    for (int zeros = 24; number < low_; zeros -= 8) {
        const std::uint64_t unit = std::uint64_t{1} << zeros;
        const std::uint64_t rounded_up = (low_ + unit - 1) / unit * unit;
        if (rounded_up <= high_) number = static_cast<std::uint32_t>(rounded_up);
    }
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes_.push_back(static_cast<std::uint8_t>(number >> shift));
    while (!bytes_.empty() && bytes_.back() == 0)
        bytes_.pop_back();
    low_ = 0;
    high_ = ~std::uint32_t{0};
    return std::exchange(bytes_, {});
}

}  // namespace defiance
