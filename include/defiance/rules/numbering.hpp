#pragma once

#include <array>
#include <optional>
#include <string_view>

#include <defiance/base/text.hpp>
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

/// The square (an index) that a text such as 14 names; in games written so also c3, with White's
/// rows at the bottom, letters of either case. Nothing when it names no square.
template <class Rules>
[[nodiscard]] std::optional<int> find_square(std::string_view text) {
    if (const auto number = parse_integer(text, 1, 32))
        return Numbering<Rules>::index(static_cast<int>(*number));
    if (!Rules::algebraic_squares || text.size() != 2) return std::nullopt;
    const char letter = text[0] >= 'a' ? 'a' : 'A';
    const Coordinate c = {7 - (text[0] - letter), 7 - (text[1] - '1')};
    if (!is_playable(c)) return std::nullopt;
    return index_of(c);
}

}  // namespace defiance
