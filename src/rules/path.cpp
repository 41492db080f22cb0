#include <defiance/rules/path.hpp>

#include <defiance/rules/steps.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// Enough for every position of a game; made-up ones with a dozen flying kings can have more.
constexpr std::size_t max_paths = 1000;

/// Collects the ways in which the pieces of one move can be taken.
template <class Rules>
class PathFinder {
public:
    PathFinder(const Position& p, const Move& move)
        : move_(move),
          free_(p.empty() | bit(move.from)),
          was_king_((p.kings & bit(move.from)) != 0),
          side_(p.side) {}

    std::vector<Path> find() {
        extend(bit(move_.from), move_.captured, was_king_);
        return std::move(found_);
    }

private:
    [[nodiscard]] bool man_may_go(Direction direction) const {
        const bool up = direction == Direction::up_right || direction == Direction::up_left;
        return Rules::men_capture_backwards || up == (side_ == Side::black);
    }

    void extend(Bitboard at, Bitboard left, bool is_king) {
        if (left == 0) {
            const bool fits = at == bit(move_.to) && crowned_on_the_way(is_king) == move_.crowned;
            if (fits && found_.size() < max_paths) found_.push_back(path_);
            return;
        }
        is_king |= Rules::crowned_in_passing && (at & crowning_row_of(side_)) != 0;
        for (Direction direction : all_directions)
            if (is_king || man_may_go(direction)) jump(direction, at, left, is_king);
    }

    void jump(Direction direction, Bitboard at, Bitboard left, bool is_king) {
        const bool flies = is_king && Rules::flying_kings;
        Bitboard ahead = step(direction, at);
        while (flies && (ahead & free_) != 0)
            ahead = step(direction, ahead);
        const Bitboard victim = ahead & left;
        Bitboard landing = step(direction, victim) & free_;
        while (landing != 0) {
            path_.push_back({static_cast<std::uint8_t>(lowest(victim)),
                             static_cast<std::uint8_t>(lowest(landing))});
            extend(landing, left & ~victim, is_king);
            path_.pop_back();
            landing = flies ? step(direction, landing) & free_ : 0;
        }
    }

    [[nodiscard]] bool crowned_on_the_way(bool is_king) const {
        return is_king && !was_king_ && (bit(move_.to) & crowning_row_of(side_)) == 0;
    }

    Move move_;
    Bitboard free_;
    bool was_king_;
    Side side_;
    Path path_;
    std::vector<Path> found_;
};

}  // namespace

template <class Rules>
std::vector<Path> paths_of(const Position& position, const Move& move) {
    if (!move.is_capture()) return {Path{}};
    return PathFinder<Rules>(position, move).find();
}

template <class Rules>
Path path_of(const Position& position, const Move& move) {
    std::vector<Path> paths = paths_of<Rules>(position, move);
    return paths.empty() ? Path{} : std::move(paths.front());
}

template std::vector<Path> paths_of<DEFIANCE_GAME>(const Position&, const Move&);
template Path path_of<DEFIANCE_GAME>(const Position&, const Move&);

}  // namespace defiance
