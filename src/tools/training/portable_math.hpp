#pragma once

#include <bit>
#include <cstdint>

namespace defiance {

// Made of basic operations only, so that every machine and library gives the same bits.

/// e to the power x, for |x| up to 500, to 14 digits.
[[nodiscard]] inline double portable_exp(double x) {
    constexpr double log2_e = 1.4426950408889634;
    constexpr double ln2_high = 0x1.62e42fefa3800p-1;
    constexpr double ln2_low = 0x1.ef35793c76730p-45;
    constexpr double to_integer = 0x1.8p52;  // adding it rounds to an integer in the low bits
    const double shifted = x * log2_e + to_integer;
    const double n = shifted - to_integer;
    const double r = (x - n * ln2_high) - n * ln2_low;
    double sum = 1;
    for (int k = 13; k >= 1; --k)
        sum = 1 + sum * r * (1.0 / k);
    const auto exponent = static_cast<std::uint64_t>(static_cast<std::int64_t>(n) + 1023);
    return sum * std::bit_cast<double>(exponent << 52);
}

/// The expected result, 0 to 1, that an output of the network stands for.
[[nodiscard]] inline double sigmoid(double x) {
    constexpr double enough = 40;
    if (x > enough) x = enough;
    if (x < -enough) x = -enough;
    return 1 / (1 + portable_exp(-x));
}

}  // namespace defiance
