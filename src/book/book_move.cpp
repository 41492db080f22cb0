#include <defiance/book/book_move.hpp>

#include <algorithm>
#include <tuple>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

constexpr unsigned to_shift = 5;
constexpr unsigned place_shift = 10;
constexpr unsigned square_mask = 31;

/// The captures of the position between two squares, or its one quiet move, in a fixed order.
std::vector<Move> moves_between(const GameRules& rules, const Position& position, unsigned from,
                                unsigned to) {
    MoveList list;
    rules.generate_moves(position, list);
    std::vector<Move> moves;
    for (const Move& move : list)
        if (move.from == from && move.to == to) moves.push_back(move);
    std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) {
        return std::tie(a.captured, a.crowned) < std::tie(b.captured, b.crowned);
    });
    return moves;
}

}  // namespace

Move turned(const Move& move) {
    return {reversed(move.captured), static_cast<std::uint8_t>(31 - move.from),
            static_cast<std::uint8_t>(31 - move.to), move.crowned};
}

std::uint16_t book_move_code(const GameRules& rules, const Position& position, const Move& move) {
    DEFIANCE_ASSERT(position.side == Side::black);
    const std::vector<Move> same = moves_between(rules, position, move.from, move.to);
    const auto place = std::find(same.begin(), same.end(), move) - same.begin();
    DEFIANCE_ASSERT(static_cast<std::size_t>(place) < same.size() && place < 64);
    return static_cast<std::uint16_t>(static_cast<unsigned>(place) << place_shift |
                                      unsigned{move.to} << to_shift | move.from);
}

std::optional<Move> find_book_move(const GameRules& rules, const Position& position,
                                   std::uint16_t code) {
    DEFIANCE_ASSERT(position.side == Side::black);
    const std::vector<Move> same =
        moves_between(rules, position, code & square_mask, code >> to_shift & square_mask);
    const std::size_t place = code >> place_shift;
    if (place >= same.size()) return std::nullopt;
    return same[place];
}

void sort_book_moves(const GameRules& rules, BookPosition& entry) {
    const bool is_white = entry.position.side == Side::white;
    const Position seen = with_black_to_move(entry.position);
    const auto rank = [&](const BookMove& m) {
        const Move move = is_white ? turned(m.move) : m.move;
        return std::tuple(-m.score, -int{m.depth}, book_move_code(rules, seen, move));
    };
    std::sort(entry.moves.begin(), entry.moves.end(),
              [&](const BookMove& a, const BookMove& b) { return rank(a) < rank(b); });
}

}  // namespace defiance
