#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <defiance/base/assert.hpp>
#include <defiance/egdb/slice_index.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/rules/position.hpp>
#include <defiance/rules/steps.hpp>

namespace defiance {

/// Yes-or-no facts about a position and the values of some that come before it in its block, from
/// which its own value can be predicted. The numbers of the features are part of the file format.
struct Features {
    /// First feature of each kind. A value takes three: is it a draw, a win, a loss?
    enum Kind : std::uint8_t {
        previous = 0,           ///< value one position before
        second_previous = 3,    ///< two before
        above = 6,              ///< one row before: the slower pieces stand elsewhere
        above_next = 9,         ///< the one after that
        above_previous = 12,    ///< the one before that
        second_above = 15,      ///< two rows before
        above_page = 18,        ///< one page of rows before
        odd = 21,               ///< the sum of the rows of all pieces
        same_before = 22,       ///< more than 1, 3, 7, 15, 31 positions with the same value
        own_steps = 27,         ///< more than 1 to 5 steps open to the mover
        their_steps = 32,       ///< the same for the other side
        distance = 37,          ///< nearest pieces of both sides more than 1 to 5 steps apart
        own_on_main_road = 42,  ///< a king of the mover on it
        their_on_main_road = 43,
        own_men = 64,  ///< one for each square from here on
        their_men = 96,
        own_kings = 128,
        their_kings = 160,
    };
    static constexpr int number = 192;

    std::array<std::uint64_t, number / 64> words{};

    [[nodiscard]] bool has(std::size_t feature) const {
        return (words[feature / 64] >> (feature % 64) & 1) != 0;
    }
};

namespace detail {

inline constexpr Bitboard odd_rows = row(1) | row(3) | row(5) | row(7);

[[nodiscard]] constexpr Bitboard spread(Bitboard set) {
    return set | step<Direction::up_right>(set) | step<Direction::up_left>(set) |
           step<Direction::down_right>(set) | step<Direction::down_left>(set);
}

/// The lowest bits set, as many as the number reaches beyond 1, at most five.
[[nodiscard]] constexpr std::uint64_t beyond_one(int n) {
    return n <= 1 ? 0 : (std::uint64_t{1} << (n > 6 ? 5 : n - 1)) - 1;
}

/// Steps of single pieces, those of men forward, to free squares.
template <Side S>
[[nodiscard]] constexpr int steps_open(const Position& p) {
    using Go = Directions<S>;
    const Bitboard own = p.pieces(S);
    const Bitboard kings = own & p.kings;
    const Bitboard free = p.empty();
    return count(that_can_step<Go::forward_right>(own, free)) +
           count(that_can_step<Go::forward_left>(own, free)) +
           count(that_can_step<Go::backward_right>(kings, free)) +
           count(that_can_step<Go::backward_left>(kings, free));
}

[[nodiscard]] constexpr std::uint64_t distance_features(const Position& p) {
    std::uint64_t features = 0;
    Bitboard reached = spread(p.black);
    for (int i = 0; i < 5 && (reached & p.white) == 0; ++i) {
        features = features << 1 | 1;
        reached = spread(reached);
    }
    return features;
}

}  // namespace detail

/// The features that a position with black to move gives by itself.
[[nodiscard]] constexpr Features features_of(const Position& p) {
    using namespace detail;
    const auto pair = [](Bitboard low, Bitboard high) { return std::uint64_t{high} << 32 | low; };
    const auto flag = [](bool is_so, Features::Kind feature) {
        return std::uint64_t{is_so} << feature;
    };
    Features features;
    features.words[0] =
        flag((count(p.occupied() & odd_rows) & 1) != 0, Features::odd) |
        beyond_one(steps_open<Side::black>(p)) << Features::own_steps |
        beyond_one(steps_open<Side::white>(p)) << Features::their_steps |
        distance_features(p) << Features::distance |
        flag((p.black & p.kings & main_road_squares) != 0, Features::own_on_main_road) |
        flag((p.white & p.kings & main_road_squares) != 0, Features::their_on_main_road);
    features.words[1] = pair(p.black & ~p.kings, p.white & ~p.kings);
    features.words[2] = pair(p.black & p.kings, p.white & p.kings);
    return features;
}

/// The values of a block as they become known one after the other, and the features they give to
/// the next position.
class ValueHistory {
public:
    static constexpr std::size_t block_size = positions_per_block;

    ValueHistory(const SliceIndex& index, std::array<std::uint8_t, block_size>& values)
        : values_(values), row_(index.row_size()), page_(index.page_size()) {}

    [[nodiscard]] std::uint64_t features() const {
        const std::uint64_t features = std::uint64_t{1} << (Features::previous + last_) |
                                       std::uint64_t{1}
                                           << (Features::second_previous + second_last_) |
                                       detail::beyond_one(run_) << Features::same_before;
        return features | value_feature(row_, Features::above) |
               value_feature(row_ - 1, Features::above_next) |
               value_feature(row_ + 1, Features::above_previous) |
               value_feature(2 * row_, Features::second_above) |
               value_feature(page_, Features::above_page);
    }

    /// The value of the next position.
    void add(std::uint8_t value) {
        DEFIANCE_ASSERT(value <= 2 && known_ < block_size);
        if (value == last_) {
            if (++same_ >= 2 && (same_ & (same_ - 1)) == 0 && run_ < 6) ++run_;
        } else {
            same_ = 0;
            run_ = 1;
        }
        second_last_ = last_;
        last_ = value;
        values_[known_++] = value;
    }

    /// A position that is not quiet: its value is not kept, and it gets that of the one before.
    void skip() {
        DEFIANCE_ASSERT(known_ < block_size);
        values_[known_++] = last_;
    }

    [[nodiscard]] std::size_t known() const { return known_; }

private:
    /// What lies before the block counts as drawn.
    [[nodiscard]] std::uint64_t value_feature(std::uint64_t back, Features::Kind feature) const {
        const unsigned value =
            back <= known_ && back != 0 ? values_[known_ - static_cast<std::size_t>(back)] : 0U;
        DEFIANCE_ASSERT(value <= 2);
        return std::uint64_t{1} << (feature + value);
    }

    std::array<std::uint8_t, block_size>& values_;
    std::uint64_t row_;
    std::uint64_t page_;
    std::size_t known_ = 0;
    std::uint8_t last_ = 0;         // value of a quiet position
    std::uint8_t second_last_ = 0;  // of the quiet position before it
    int same_ = 0;                  // quiet positions with the same value before the last one
    int run_ = 1;                   // features of same_before that hold, and 1
};

}  // namespace defiance
