#pragma once

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include <defiance/base/random.hpp>
#include <defiance/book/opening_book.hpp>
#include <defiance/rules/game_rules.hpp>

namespace defiance::testing {

struct PositionHash {
    std::size_t operator()(const Position& p) const { return static_cast<std::size_t>(key_of(p)); }
};

/// Positions of random games with some of their moves and random scores; both sides to move, each
/// once whatever the colours.
inline std::vector<BookPosition> random_book(const GameRules& rules, Random& random,
                                             std::size_t size) {
    std::vector<BookPosition> positions;
    std::unordered_set<Position, PositionHash> seen;
    Position position = rules.start_position();
    for (int ply = 0; positions.size() < size; ++ply) {
        MoveList moves;
        rules.generate_moves(position, moves);
        if (moves.empty() || ply == 60) {
            position = rules.start_position();
            ply = 0;
            continue;
        }
        if (seen.insert(with_black_to_move(position)).second) {
            BookPosition entry{position, {}};
            for (const Move& move : moves)
                if (entry.moves.empty() || random.below(4) != 0)
                    entry.moves.push_back({move, random.below(401) - 200,
                                           static_cast<std::uint8_t>(random.below(256)),
                                           static_cast<std::uint8_t>(random.below(256))});
            sort_book_moves(rules, entry);
            positions.push_back(entry);
        }
        position = rules.after(position, moves[random.below(moves.size())]);
    }
    return positions;
}

}  // namespace defiance::testing
