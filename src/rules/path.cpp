#include <defiance/rules/path.hpp>

#include <algorithm>

#include <defiance/rules/steps.hpp>

namespace defiance {
namespace {

/// Only artificial positions with a dozen flying kings have more.
constexpr std::size_t max_paths = 1000;

/// Finds the orders in which a capture can take its pieces.
class PathFinder {
public:
    PathFinder(const GameRules& rules, const Position& p, const Move& move)
        : rules_(rules),
          move_(move),
          free_(p.empty() | bit(move.from)),
          others_(p.theirs() & ~move.captured),
          kings_(p.kings & move.captured),
          was_king_((p.kings & bit(move.from)) != 0),
          side_(p.side) {
        DEFIANCE_ASSERT(move.is_capture() && (p.own() & bit(move.from)) != 0);
        DEFIANCE_ASSERT((move.captured & ~p.theirs()) == 0);
    }

    std::vector<Path> find() {
        extend(bit(move_.from), move_.captured, was_king_);
        if (rules_.kings_are_taken_first) keep_first_kings();
        return std::move(found_);
    }

private:
    /// Leaves the paths that come to the kings first.
    void keep_first_kings() {
        const auto has_later_kings = [this](const Path& a, const Path& b) {
            return std::lexicographical_compare(
                a.begin(), a.end(), b.begin(), b.end(), [this](const Jump& x, const Jump& y) {
                    return (kings_ & bit(x.captured)) == 0 && (kings_ & bit(y.captured)) != 0;
                });
        };
        const auto best = std::max_element(found_.begin(), found_.end(), has_later_kings);
        if (best == found_.end()) return;
        const Path first = *best;
        std::erase_if(found_, [&](const Path& path) { return has_later_kings(path, first); });
    }

    [[nodiscard]] bool man_may_go(Direction direction) const {
        const bool up = direction == Direction::up_right || direction == Direction::up_left;
        return rules_.men_capture_backwards || up == (side_ == Side::black);
    }

    void extend(Bitboard at, Bitboard left, bool is_king) {
        DEFIANCE_ASSERT(count(at) == 1 && (at & free_) != 0 && (left & ~move_.captured) == 0);
        if (left == 0) {
            const bool fits = at == bit(move_.to) && crowned_on_the_way(is_king) == move_.crowned;
            if (fits && found_.size() < max_paths) found_.push_back(path_);
            return;
        }
        is_king |= rules_.crowned_in_passing && (at & crowning_row_of(side_)) != 0;
        for (Direction direction : all_directions)
            if (is_king || man_may_go(direction)) jump(direction, at, left, is_king);
    }

    void jump(Direction direction, Bitboard at, Bitboard left, bool is_king) {
        const bool flies = is_king && rules_.flying_kings;
        Bitboard ahead = step(direction, at);
        while (flies && (ahead & free_) != 0)
            ahead = step(direction, ahead);
        const Bitboard victim = ahead & left;
        Bitboard landing = step(direction, victim) & free_;
        if (flies && victim == left && must_go_on(direction, landing)) return;
        while (landing != 0) {
            path_.push_back({static_cast<std::uint8_t>(lowest(victim)),
                             static_cast<std::uint8_t>(lowest(landing))});
            extend(landing, left & ~victim, is_king);
            path_.pop_back();
            landing = flies ? step(direction, landing) & free_ : 0;
        }
    }

    /// True when a capture is not complete in this order: behind the last piece taken is a square,
    /// `landing` or one beyond, from which a flying king can take more. Which squares these are
    /// depends on the order, so the same move can be complete in one order and not in another.
    [[nodiscard]] bool must_go_on(Direction direction, Bitboard landing) const {
        for (; landing != 0; landing = step(direction, landing) & free_)
            if (can_fly_at_another(landing)) return true;
        return false;
    }

    /// True when a flying king on this square can take a piece that the capture leaves.
    [[nodiscard]] bool can_fly_at_another(Bitboard at) const {
        DEFIANCE_ASSERT(count(at) == 1);
        return std::any_of(all_directions.begin(), all_directions.end(), [&](Direction direction) {
            Bitboard ahead = step(direction, at);
            while ((ahead & free_) != 0)
                ahead = step(direction, ahead);
            return (step(direction, ahead & others_) & free_) != 0;
        });
    }

    [[nodiscard]] bool crowned_on_the_way(bool is_king) const {
        return is_king && !was_king_ && (bit(move_.to) & crowning_row_of(side_)) == 0;
    }

    const GameRules& rules_;
    Move move_;
    Bitboard free_;    ///< squares that the piece can cross and land on
    Bitboard others_;  ///< pieces of the opponent that the capture leaves
    Bitboard kings_;   ///< kings that it takes
    bool was_king_;
    Side side_;
    Path path_;
    std::vector<Path> found_;
};

}  // namespace

std::vector<Path> paths_of(const GameRules& rules, const Position& position, const Move& move) {
    if (!move.is_capture()) return {Path{}};
    return PathFinder(rules, position, move).find();
}

Path path_of(const GameRules& rules, const Position& position, const Move& move) {
    if (!move.is_capture()) return {};
    std::vector<Path> paths = paths_of(rules, position, move);
    return paths.empty() ? Path{} : std::move(paths.front());
}

}  // namespace defiance
