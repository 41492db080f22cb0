#include <defiance/cb/board.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

#include <defiance/base/assert.hpp>
#include <defiance/rules/path.hpp>

namespace defiance {
namespace {

coor place_of(int square) {
    const Coordinate c = coordinate_of(square);
    return {c.x, c.y};
}

/// Puts the piece with this code on the square; false when there is no such piece.
bool put(Position& position, Bitboard square, int code) {
    switch (code) {
        case 0:
            return true;
        case cb_white | cb_man:
            position.white |= square;
            return true;
        case cb_black | cb_man:
            position.black |= square;
            return true;
        case cb_white | cb_king:
            position.white |= square;
            position.kings |= square;
            return true;
        case cb_black | cb_king:
            position.black |= square;
            position.kings |= square;
            return true;
        default:
            return false;
    }
}

}  // namespace

Result<Position> read_board(const int board[8][8], int color) {
    if (board == nullptr) return Error{"no board given"};
    if (color != cb_white && color != cb_black)
        return Error{"color " + std::to_string(color) + " is neither white (1) nor black (2)"};
    Position position;
    position.side = color == cb_white ? Side::white : Side::black;
    for (int x = 0; x < 8; ++x) {
        for (int y = 0; y < 8; ++y) {
            const int code = board[x][y];
            if (!is_playable({x, y})) {
                if (code != 0) return Error{"a piece stands on a square that is not played on"};
                continue;
            }
            if (!put(position, bit(index_of({x, y})), code))
                return Error{"piece code " + std::to_string(code) + " does not exist"};
        }
    }
    DEFIANCE_ASSERT((position.white & position.black) == 0);
    const auto fault = find_fault(position);
    if (fault && !has_lost_all(position)) return Error{std::string(describe(*fault))};
    return position;
}

bool has_lost_all(const Position& position) {
    const auto fault = find_fault(position);
    return (fault == PositionFault::no_black || fault == PositionFault::no_white) &&
           position.occupied() != 0;
}

void write_board(const Position& position, int board[8][8]) {
    for (int square = 0; square < 32; ++square) {
        const Coordinate c = coordinate_of(square);
        board[c.x][c.y] = piece_code(position, square);
    }
}

int piece_code(const Position& position, int square) {
    DEFIANCE_ASSERT(square >= 0 && square < 32);
    const Bitboard here = bit(square);
    if ((position.occupied() & here) == 0) return 0;
    return ((position.white & here) != 0 ? cb_white : cb_black) |
           ((position.kings & here) != 0 ? cb_king : cb_man);
}

CBmove describe_legal_move(const GameRules& rules, const Position& position, const Move& move) {
    const Path path = path_of(rules, position, move);
    CBmove result{};
    // More jumps than the structure has room for do not occur on this board.
    DEFIANCE_ASSERT(path.size() < std::size(result.del));
    DEFIANCE_ASSERT(path.size() == static_cast<std::size_t>(count(move.captured)));
    const std::size_t jumps = std::min(path.size(), std::size(result.del) - 1);
    result.jumps = static_cast<int>(path.size());
    result.oldpiece = piece_code(position, move.from);
    result.newpiece = piece_code(rules.after(position, move), move.to);
    result.from = place_of(move.from);
    result.to = place_of(move.to);
    result.path[0] = result.from;
    for (std::size_t i = 0; i < jumps; ++i) {
        result.path[i + 1] = place_of(path[i].landing);
        result.del[i] = place_of(path[i].captured);
        result.delpiece[i] = piece_code(position, path[i].captured);
    }
    return result;
}

CBmove describe_nothing(const int board[8][8]) {
    CBmove result{};
    if (board != nullptr) result.oldpiece = result.newpiece = board[0][0];
    return result;
}

}  // namespace defiance
