#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <defiance/base/random.hpp>
#include <defiance/rules/position.hpp>
#include <tools/book/support_count.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

/// The first positions, nearest first, that follow from two kings against one; with all moves.
std::vector<BookPosition> ending_of_kings(const GameRules& rules, std::size_t size) {
    const Bitboard black = bit(index_of({0, 0})) | bit(index_of({2, 0}));
    const Bitboard white = bit(index_of({7, 7}));
    std::vector<Position> reached = {{black, white, black | white, Side::black}};
    std::unordered_set<Position, PositionHash> seen(reached.begin(), reached.end());
    std::vector<BookPosition> positions;
    for (std::size_t i = 0; i < reached.size(); ++i) {
        MoveList moves;
        rules.generate_moves(reached[i], moves);
        BookPosition entry{reached[i], {}};
        for (const Move& move : moves) {
            entry.moves.push_back({move, 0, 1, 0});
            const Position next = with_black_to_move(rules.after(entry.position, move));
            if (reached.size() < size && seen.insert(next).second) reached.push_back(next);
        }
        positions.push_back(std::move(entry));
    }
    return positions;
}

/// What count_support() does, in fewer words.
void count_support_by_recursion(const GameRules& rules, std::vector<BookPosition>& positions) {
    std::unordered_map<Position, std::size_t, PositionHash> places;
    for (std::size_t i = 0; i < positions.size(); ++i)
        places.emplace(positions[i].position, i);
    std::vector<int> counts(positions.size(), -1);
    const std::function<int(std::size_t)> count_behind = [&](std::size_t place) -> int {
        if (counts[place] != -1) return counts[place];
        counts[place] = 0;
        int sum = 1;
        BookPosition& entry = positions[place];
        for (BookMove& m : entry.moves) {
            const auto after = places.find(with_black_to_move(rules.after(entry.position, m.move)));
            if (after == places.end()) continue;
            const int behind = count_behind(after->second);
            m.support = static_cast<std::uint8_t>(behind);
            sum += behind;
        }
        counts[place] = std::min<int>(sum, BookMove::max_support);
        return counts[place];
    };
    for (std::size_t i = 0; i < positions.size(); ++i)
        static_cast<void>(count_behind(i));
}

/// A move that keeps the black kings on their first three rows and leads to none of the positions.
std::optional<Move> move_to_new_position(const GameRules& rules, const Position& position,
                                         const std::unordered_set<Position, PositionHash>& seen,
                                         Random& random) {
    MoveList moves;
    rules.generate_moves(position, moves);
    const std::size_t first = random.below(moves.size());
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const Move& move = moves[(first + i) % moves.size()];
        const Position next = with_black_to_move(rules.after(position, move));
        // Black's pieces are the white ones after the move.
        const bool has_left = (next.white & ~(row(5) | row(6) | row(7))) != 0;
        if (!has_left && !seen.contains(next)) return move;
    }
    return std::nullopt;
}

/// One line through so many positions, each with the move to the next one. The kings of each side
/// stay on its first three rows, so that there is nothing to capture.
std::vector<BookPosition> long_line_of_kings(const GameRules& rules, std::size_t length) {
    Random random(1517);
    const Bitboard black = row(0) | bit(index_of({1, 1})) | bit(index_of({3, 1}));
    const Position first{black, reversed(black), black | reversed(black), Side::black};
    std::unordered_set<Position, PositionHash> seen = {first};
    std::vector<BookPosition> line = {{first, {}}};
    while (line.size() < length) {
        BookPosition& last = line.back();
        last.moves.clear();
        const std::optional<Move> move = move_to_new_position(rules, last.position, seen, random);
        if (!move) {
            // A dead end: another way out of the position before.
            line.pop_back();
            continue;
        }
        last.moves.push_back({*move, 0, 1, 0});
        const Position next = with_black_to_move(rules.after(last.position, *move));
        seen.insert(next);
        line.push_back({next, {}});
    }
    return line;
}

}  // namespace

TEST_CASE("support counts positions, once where a line comes back", "[book][expansion]") {
    for (const GameCore* core : built_games()) {
        for (const std::size_t size : {1U, 50U, 500U}) {
            INFO(core->rules.name << ' ' << size);
            std::vector<BookPosition> positions = ending_of_kings(core->rules, size);
            REQUIRE(positions.size() == size);
            std::vector<BookPosition> wanted = positions;
            count_support(core->rules, positions);
            count_support_by_recursion(core->rules, wanted);
            std::size_t same = 0;
            for (std::size_t i = 0; i < size; ++i)
                same += positions[i].moves == wanted[i].moves ? 1U : 0U;
            CHECK(same == size);
        }
    }
}

TEST_CASE("support is counted along lines of any length", "[book][expansion]") {
    // So many calls within each other need more than the stack has.
    constexpr std::size_t length = 200'000;
    const GameRules& rules = find_game("english")->rules;
    std::vector<BookPosition> line = long_line_of_kings(rules, length);
    count_support(rules, line);
    std::size_t right = 0;
    for (std::size_t i = 0; i + 1 < length; ++i) {
        const std::size_t behind = std::min<std::size_t>(length - 1 - i, BookMove::max_support);
        right += line[i].moves[0].support == behind ? 1U : 0U;
    }
    CHECK(right == length - 1);
}

}  // namespace defiance
