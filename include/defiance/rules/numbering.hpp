#pragma once

#include <array>

#include <defiance/rules/board.hpp>

namespace defiance {

/// The square numbers 1 to 32 of a game and the board indices they stand for.
template <class Rules>
class Numbering {
public:
    /// Number of the square with this index (0 to 31).
    [[nodiscard]] static constexpr int number(int index) {
        return Rules::square_number(coordinate_of(index));
    }
    /// Index of the square with this number, which must be 1 to 32.
    [[nodiscard]] static constexpr int index(int number) {
        return indices_[static_cast<unsigned>(number)];
    }
    [[nodiscard]] static constexpr bool is_number(long long number) {
        return number >= 1 && number <= 32;
    }

private:
    static constexpr std::array<int, 33> make_indices() {
        std::array<int, 33> table{};
        for (int i = 0; i < 32; ++i)
            table[static_cast<unsigned>(number(i))] = i;
        return table;
    }
    static constexpr std::array<int, 33> indices_ = make_indices();
};

}  // namespace defiance
