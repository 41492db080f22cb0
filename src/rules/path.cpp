#include <defiance/rules/path.hpp>

#include <defiance/rules/english.hpp>
#include <defiance/rules/steps.hpp>

namespace defiance {
namespace {

/// Collects the orders in which the pieces of one move can be taken.
class PathFinder {
public:
    PathFinder(const Position& p, const Move& move)
        : move_(move),
          free_(p.empty() | bit(move.from)),
          king_((p.kings & bit(move.from)) != 0),
          side_(p.side) {}

    std::vector<Path> find() {
        extend(bit(move_.from), move_.captured);
        return std::move(found_);
    }

private:
    [[nodiscard]] bool may_go(Direction direction) const {
        const bool up = direction == Direction::up_right || direction == Direction::up_left;
        return king_ || up == (side_ == Side::black);
    }

    void extend(Bits at, Bits left) {
        if (left == 0) {
            if (at == bit(move_.to)) found_.push_back(path_);
            return;
        }
        for (Direction direction : all_directions) {
            if (!may_go(direction)) continue;
            const Bits victim = step(direction, at) & left;
            const Bits landing = step(direction, victim) & free_;
            if (landing == 0) continue;
            path_.push_back({static_cast<std::uint8_t>(lowest(victim)),
                             static_cast<std::uint8_t>(lowest(landing))});
            extend(landing, left & ~victim);
            path_.pop_back();
        }
    }

    Move move_;
    Bits free_;
    bool king_;
    Side side_;
    Path path_;
    std::vector<Path> found_;
};

}  // namespace

template <class Rules>
std::vector<Path> paths_of(const Position& position, const Move& move) {
    if (!move.is_capture()) return {Path{}};
    return PathFinder(position, move).find();
}

template <class Rules>
Path path_of(const Position& position, const Move& move) {
    std::vector<Path> paths = paths_of<Rules>(position, move);
    return paths.empty() ? Path{} : std::move(paths.front());
}

template std::vector<Path> paths_of<English>(const Position&, const Move&);
template Path path_of<English>(const Position&, const Move&);

}  // namespace defiance
