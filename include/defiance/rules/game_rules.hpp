#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include <defiance/base/assert.hpp>
#include <defiance/rules/board.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// The most pieces, all of them kings, of the wins that longest_win_of_kings is the longest of.
inline constexpr int max_pieces_of_longest_win = 5;

/// The rules of one game as a value: the constants of its rules type and the functions that are
/// compiled for it.
///
/// For code that is called a few times a move, such as notation, protocols and referees: it is
/// compiled once and serves every game. Code that runs at every node of a search or for every
/// position of a database takes the rules type as a template argument instead.
///
/// Immutable; rules_of<English> and its like are the only objects, so they can be compared by
/// address.
struct GameRules {
    std::string_view name;           ///< for people: "English"
    std::string_view file_word;      ///< in file names and after --game: "english"
    int game_type;                   ///< CheckerBoard's and PDN's number
    std::string_view pdn_game_type;  ///< PDN 3.0 tag value: "21,B,8,8,N1,0"
    Side first_side;                 ///< the side that opens the game
    bool algebraic_squares;          ///< squares may be written c3
    bool flying_kings;
    bool men_capture_backwards;
    bool crowned_in_passing;
    bool kings_are_taken_first;  ///< of the orders of a capture those that meet kings first are
                                 ///< legal
    int repetitions_to_draw;
    int min_reversible_limit;  ///< the smallest value that reversible_limit() has in this game
    int longest_win_of_kings;  ///< plies, with kings alone, max_pieces_of_longest_win at most

    std::array<std::int8_t, 32> numbers;  ///< number of the square with an index
    std::array<std::int8_t, 33> indices;  ///< index of the square with a number; entry 0 unused

    // The functions of the same names in generator.hpp, position.hpp and draws.hpp.
    void (*generate_moves)(const Position&, MoveList&);
    std::uint64_t (*count_moves)(const Position&);
    bool (*can_capture)(const Position&);
    Position (*after)(const Position&, const Move&);
    int (*reversible_limit)(const Position&);
    bool (*main_road_is_held)(std::span<const Position>);
    std::uint64_t (*perft)(const Position&, int);

    /// Number of the square with this index (0 to 31).
    [[nodiscard]] constexpr int number(int index) const {
        DEFIANCE_ASSERT(index >= 0 && index < 32);
        return numbers[static_cast<unsigned>(index)];
    }
    /// Index of the square with this number, which must be 1 to 32.
    [[nodiscard]] constexpr int index(int number) const {
        DEFIANCE_ASSERT(is_square_number(number));
        return indices[static_cast<unsigned>(number)];
    }

    [[nodiscard]] Position start_position() const { return defiance::start_position(first_side); }
};

namespace detail {

template <class Rules>
constexpr std::array<std::int8_t, 32> make_numbers() {
    std::array<std::int8_t, 32> numbers{};
    for (int square = 0; square < 32; ++square)
        numbers[static_cast<unsigned>(square)] =
            static_cast<std::int8_t>(Numbering<Rules>::number(square));
    return numbers;
}

template <class Rules>
constexpr std::array<std::int8_t, 33> make_indices() {
    std::array<std::int8_t, 33> indices{};
    for (int number = 1; number <= 32; ++number)
        indices[static_cast<unsigned>(number)] =
            static_cast<std::int8_t>(Numbering<Rules>::index(number));
    return indices;
}

}  // namespace detail

/// The rules of the game with this rules type.
template <class Rules>
inline constexpr GameRules rules_of = {
    .name = Rules::name,
    .file_word = Rules::file_word,
    .game_type = Rules::game_type,
    .pdn_game_type = Rules::pdn_game_type,
    .first_side = Rules::first_side,
    .algebraic_squares = Rules::algebraic_squares,
    .flying_kings = Rules::flying_kings,
    .men_capture_backwards = Rules::men_capture_backwards,
    .crowned_in_passing = Rules::crowned_in_passing,
    .kings_are_taken_first = Rules::capture_choice == CaptureChoice::italian,
    .repetitions_to_draw = Rules::repetitions_to_draw,
    .min_reversible_limit = min_reversible_limit<Rules>,
    .longest_win_of_kings = Rules::longest_win_of_kings,
    .numbers = detail::make_numbers<Rules>(),
    .indices = detail::make_indices<Rules>(),
    .generate_moves = &generate_moves<Rules>,
    .count_moves = &count_moves<Rules>,
    .can_capture = &can_capture<Rules>,
    .after = &after<Rules>,
    .reversible_limit = &reversible_limit<Rules>,
    .main_road_is_held = &main_road_is_held<Rules>,
    .perft = &perft<Rules>,
};

}  // namespace defiance
