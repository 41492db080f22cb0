#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <defiance/base/assert.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/position.hpp>
#include <defiance/rules/steps.hpp>

namespace defiance {

/// Yes-or-no features about a quiet position with black to move, from which its value can be
/// guessed. Their numbers are part of the file format. "Own" is black, who is to move.
struct PositionFeatures {
    /// The first feature of each kind.
    enum Kind : std::uint8_t {
        own_men = 0,  ///< one for each square from here on, in the order of the board's bits
        their_men = 32,
        own_kings = 64,
        their_kings = 96,
        odd = 128,          ///< an odd number of pieces stands on odd rows (y = 1, 3, 5, 7)
        own_steps = 129,    ///< more than 0 to 7 steps are open to the mover
        their_steps = 137,  ///< the same for the other side, as if it were to move
        own_safe = 145,     ///< more than 0 to 7 of these are safe
        their_safe = 153,   ///< the same for the other side
        own_advance = 161,  ///< own men have advanced more than 1 to 16 rows together
        their_advance = 177,
        own_on_main_road = 193,  ///< a king of the mover on it
        their_on_main_road = 194,
        own_on_edge = 195,  ///< more than 0 to 2 of the mover's pieces stand on the edge
        their_on_edge = 198,
    };
    static constexpr int number = 201;

    std::array<std::uint64_t, 4> words{};

    [[nodiscard]] bool has(std::size_t feature) const {
        DEFIANCE_ASSERT(feature < number);
        return (words[feature / 64] >> (feature % 64) & 1) != 0;
    }
};

namespace detail {

inline constexpr Bitboard odd_rows = row(1) | row(3) | row(5) | row(7);

inline constexpr Bitboard edge_squares = [] {
    Bitboard squares = row(0) | row(7);
    for (int y = 0; y < 8; ++y)
        for (const int x : {0, 7})
            if (is_playable({x, y})) squares |= bit(index_of({x, y}));
    return squares;
}();

/// The features of a kind "more than `least` to `least` + `features` - 1", as the lowest bits.
[[nodiscard]] constexpr std::uint64_t more_than(int least, int features, int n) {
    return (std::uint64_t{1} << std::clamp(n - least, 0, features)) - 1;
}

struct Steps {
    int open = 0;  ///< to a free square
    int safe = 0;  ///< to one where a neighbour cannot take the piece
};

/// Counts the steps of side S in direction D. A piece on its new square can be taken by a
/// neighbour if the square behind it is free, which that from which it came is. Flying kings are
/// taken for short ones.
template <class Rules, Side S, Direction D>
constexpr void count_steps(const Position& p, Bitboard movers, Steps& steps) {
    using Theirs = Directions<opponent(S)>;
    const Bitboard free = p.empty();
    const Bitboard theirs = p.pieces(opponent(S));
    const Bitboard backward = Rules::men_capture_backwards ? theirs : theirs & p.kings;
    const Bitboard targets = step<D>(movers) & free;
    Bitboard taken = 0;
    const auto attack = [&]<Direction By>(Bitboard attackers) {
        const Bitboard landing = By == opposite(D) ? ~Bitboard{0} : step<opposite(By)>(free);
        taken |= step<By>(attackers) & landing;
    };
    attack.template operator()<Theirs::forward_right>(theirs);
    attack.template operator()<Theirs::forward_left>(theirs);
    attack.template operator()<Theirs::backward_right>(backward);
    attack.template operator()<Theirs::backward_left>(backward);
    steps.open += count(targets);
    steps.safe += count(targets & ~taken);
}

template <class Rules, Side S>
[[nodiscard]] constexpr Steps steps_of(const Position& p) {
    using Go = Directions<S>;
    const Bitboard own = p.pieces(S);
    Steps steps;
    count_steps<Rules, S, Go::forward_right>(p, own, steps);
    count_steps<Rules, S, Go::forward_left>(p, own, steps);
    count_steps<Rules, S, Go::backward_right>(p, own & p.kings, steps);
    count_steps<Rules, S, Go::backward_left>(p, own & p.kings, steps);
    return steps;
}

/// The sum of the rows (y) on which the pieces stand.
[[nodiscard]] constexpr int sum_of_rows(Bitboard pieces) {
    return count(pieces & odd_rows) + 2 * count(pieces & (row(2) | row(3) | row(6) | row(7))) +
           4 * count(pieces & (row(4) | row(5) | row(6) | row(7)));
}

}  // namespace detail

/// The features of a quiet position with black to move.
template <class Rules>
[[nodiscard]] constexpr PositionFeatures features_of(const Position& p) {
    using namespace detail;
    DEFIANCE_ASSERT(p.side == Side::black && p.is_consistent());
    const auto pair = [](Bitboard low, Bitboard high) { return std::uint64_t{high} << 32 | low; };
    const Bitboard black_men = p.black & ~p.kings;
    const Bitboard white_men = p.white & ~p.kings;
    const Steps own = steps_of<Rules, Side::black>(p);
    const Steps theirs = steps_of<Rules, Side::white>(p);
    const auto flag = [](bool is_so) { return std::uint64_t{is_so}; };
    PositionFeatures features;
    features.words[0] = pair(black_men, white_men);
    features.words[1] = pair(p.black & p.kings, p.white & p.kings);
    const auto in_word = [](PositionFeatures::Kind kind) { return kind % 64U; };
    features.words[2] =
        flag((count(p.occupied() & odd_rows) & 1) != 0) << in_word(PositionFeatures::odd) |
        more_than(0, 8, own.open) << in_word(PositionFeatures::own_steps) |
        more_than(0, 8, theirs.open) << in_word(PositionFeatures::their_steps) |
        more_than(0, 8, own.safe) << in_word(PositionFeatures::own_safe) |
        more_than(0, 8, theirs.safe) << in_word(PositionFeatures::their_safe) |
        more_than(1, 16, sum_of_rows(black_men)) << in_word(PositionFeatures::own_advance);
    // This kind reaches into the last word.
    const std::uint64_t their_advance =
        more_than(1, 16, 7 * count(white_men) - sum_of_rows(white_men));
    features.words[2] |= their_advance << in_word(PositionFeatures::their_advance);
    features.words[3] =
        their_advance >> (64 - in_word(PositionFeatures::their_advance)) |
        flag((p.black & p.kings & main_road_squares) != 0)
            << in_word(PositionFeatures::own_on_main_road) |
        flag((p.white & p.kings & main_road_squares) != 0)
            << in_word(PositionFeatures::their_on_main_road) |
        more_than(0, 3, count(p.black & edge_squares)) << in_word(PositionFeatures::own_on_edge) |
        more_than(0, 3, count(p.white & edge_squares)) << in_word(PositionFeatures::their_on_edge);
    return features;
}

}  // namespace defiance
