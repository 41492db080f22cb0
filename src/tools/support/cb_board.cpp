#include <tools/support/cb_board.hpp>

#include <defiance/base/assert.hpp>
#include <defiance/cb/api.hpp>

namespace defiance {
namespace {

int code_of(const Position& position, Bitboard square) {
    DEFIANCE_ASSERT((position.kings & ~position.occupied()) == 0);
    DEFIANCE_ASSERT((position.black & position.white) == 0);
    if ((position.occupied() & square) == 0) return 0;
    return ((position.white & square) != 0 ? cb_white : cb_black) |
           ((position.kings & square) != 0 ? cb_king : cb_man);
}

char letter_of(int code) {
    switch (code) {
        case cb_black | cb_man:
            return 'b';
        case cb_white | cb_man:
            return 'w';
        case cb_black | cb_king:
            return 'B';
        case cb_white | cb_king:
            return 'W';
        default:
            return '.';
    }
}

}  // namespace

CbBoard to_cb_board(const Position& position) {
    CbBoard board;
    for (int square = 0; square < 32; ++square) {
        const Coordinate c = coordinate_of(square);
        board.squares[c.x][c.y] = code_of(position, bit(square));
    }
    return board;
}

int color_to_move(const Position& position) {
    return position.side == Side::white ? cb_white : cb_black;
}

std::string picture_of(const Position& position) {
    const CbBoard board = to_cb_board(position);
    std::string text;
    for (int y = 7; y >= 0; --y) {
        for (int x = 0; x < 8; ++x) {
            text += ' ';
            text += is_playable({x, y}) ? letter_of(board.squares[x][y]) : ' ';
        }
        text += '\n';
    }
    return text;
}

}  // namespace defiance
