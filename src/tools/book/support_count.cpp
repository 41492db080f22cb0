#include <tools/book/support_count.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include <defiance/base/assert.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {
namespace {

/// A run of count_support().
class SupportCount {
public:
    SupportCount(const GameRules& rules, std::vector<BookPosition>& positions)
        : rules_(rules), positions_(positions), counts_(positions.size(), unknown) {
        for (std::size_t i = 0; i < positions.size(); ++i)
            places_.emplace(positions[i].position, i);
    }

    void run() {
        for (std::size_t i = 0; i < positions_.size(); ++i) {
            if (counts_[i] != unknown) continue;
            enter(i);
            while (!line_.empty())
                go_on();
        }
    }

private:
    static constexpr int unknown = -1;

    /// A position of the line that is being followed.
    struct Step {
        std::size_t place;
        std::size_t next_move;
        int sum;  // the position itself and those behind the moves before the next one
    };

    void enter(std::size_t place) {
        // A line that comes back to where it was counts nothing more.
        counts_[place] = 0;
        line_.push_back({place, 0, 1});
    }

    /// Goes on with the last position of the line: one move further, into the position after the
    /// move, or back when there is no move left.
    void go_on() {
        Step& step = line_.back();
        BookPosition& entry = positions_[step.place];
        if (step.next_move == entry.moves.size()) {
            DEFIANCE_ASSERT(step.sum >= 1);
            counts_[step.place] = std::min<int>(step.sum, BookMove::max_support);
            line_.pop_back();
            return;
        }
        BookMove& m = entry.moves[step.next_move];
        const auto after = places_.find(with_black_to_move(rules_.after(entry.position, m.move)));
        if (after != places_.end()) {
            const int behind = counts_[after->second];
            if (behind == unknown) {
                // The move comes again when that position has its count.
                enter(after->second);
                return;
            }
            m.support = static_cast<std::uint8_t>(behind);
            step.sum += behind;
        }
        ++step.next_move;
    }

    const GameRules& rules_;
    std::vector<BookPosition>& positions_;
    std::unordered_map<Position, std::size_t, PositionHash> places_;
    std::vector<int> counts_;  // the position and those behind it, at most max_support
    // No calls within each other: the stack has no room for those of a long line of kings.
    std::vector<Step> line_;
};

}  // namespace

void count_support(const GameRules& rules, std::vector<BookPosition>& positions) {
    SupportCount(rules, positions).run();
}

}  // namespace defiance
