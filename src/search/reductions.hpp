#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <defiance/base/assert.hpp>
#include <defiance/base/logarithm.hpp>
#include <defiance/search/parameters.hpp>

namespace defiance {

/// Late move reductions in plies: ln(depth) * ln(number of the move) / divisor + offset, rounded.
/// Computed in whole numbers, so that it is the same on every build.
class ReductionTable {
public:
    explicit ReductionTable(const SearchParameters& parameters = {}) {
        DEFIANCE_ASSERT(parameters.reduction_divisor > 0);
        for (std::size_t depth = 1; depth < size; ++depth)
            for (std::size_t number = 1; number < size; ++number)
                plies_[depth][number] = rounded(logarithms[depth] * logarithms[number] * 100 /
                                                    parameters.reduction_divisor +
                                                parameters.reduction_offset * (unit / 100));
    }

    /// Plies for this depth and number of the move, both from 1.
    [[nodiscard]] int plies(int depth, int number) const {
        DEFIANCE_ASSERT(depth >= 1 && number >= 1);
        return plies_[limited(depth)][limited(number)];
    }

private:
    static constexpr std::size_t size = 64;
    static constexpr std::int64_t log_unit = 10'000'000;  // of a logarithm
    static constexpr std::int64_t unit = log_unit * log_unit;

    static constexpr auto logarithms = [] {
        std::array<std::int64_t, size> table{};
        for (std::size_t i = 1; i < size; ++i)
            table[i] = static_cast<std::int64_t>(natural_log(static_cast<int>(i)) * log_unit + 0.5);
        return table;
    }();

    [[nodiscard]] static std::size_t limited(int n) {
        return std::min(static_cast<std::size_t>(n), size - 1);
    }
    /// Whole plies, never less than none.
    [[nodiscard]] static std::int8_t rounded(std::int64_t value) {
        return static_cast<std::int8_t>(std::max<std::int64_t>(0, value + unit / 2) / unit);
    }

    std::array<std::array<std::int8_t, size>, size> plies_{};
};

}  // namespace defiance
