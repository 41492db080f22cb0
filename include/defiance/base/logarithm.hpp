#pragma once

#include <defiance/base/assert.hpp>

namespace defiance {

/// The natural logarithm of a number from 1 on, made of basic operations only, so that it is the
/// same on every build: ln x = k ln 2 + 2 artanh((m - 1) / (m + 1)).
[[nodiscard]] constexpr double natural_log(int number) {
    DEFIANCE_ASSERT(number >= 1);
    constexpr double log_of_2 = 0.69314718055994531;
    double mantissa = number;
    int exponent = 0;
    for (; mantissa >= 2; mantissa /= 2)
        ++exponent;
    const double x = (mantissa - 1) / (mantissa + 1);
    double power = x;
    double sum = 0;
    for (int i = 1; i < 40; i += 2) {
        sum += power / i;
        power *= x * x;
    }
    return exponent * log_of_2 + 2 * sum;
}

}  // namespace defiance
