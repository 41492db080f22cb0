#include "reference_rules.hpp"

#include <algorithm>
#include <cstdlib>

namespace defiance::testing {
namespace {

int number_of(int x, int y) {
    return 4 * y + (7 - x) / 2 + 1;
}

bool on_board(int x, int y) {
    return x >= 0 && x <= 7 && y >= 0 && y <= 7;
}

/// True when a piece may move one row up (dy = 1) or down (dy = -1).
bool may_go(int piece, int dy) {
    return std::abs(piece) == 2 || dy == (piece > 0 ? 1 : -1);
}

/// Follows one piece through all its captures.
class Captures {
public:
    Captures(const ReferenceBoard& board, int x, int y, std::map<ReferenceMove, int>& found)
        : board_(board), piece_(board.piece[y][x]), found_(found) {
        board_.piece[y][x] = 0;
        from_ = number_of(x, y);
        go_on(x, y);
    }

private:
    void go_on(int x, int y) {
        bool stops = true;
        for (int dy = -1; dy <= 1; dy += 2) {
            for (int dx = -1; dx <= 1; dx += 2) {
                if (!may_go(piece_, dy) || !can_jump(x, y, dx, dy)) continue;
                stops = false;
                taken_.push_back(number_of(x + dx, y + dy));
                go_on(x + 2 * dx, y + 2 * dy);
                taken_.pop_back();
            }
        }
        if (!stops || taken_.empty()) return;
        ReferenceMove move{from_, number_of(x, y), taken_};
        std::sort(move.captured.begin(), move.captured.end());
        ++found_[move];
    }

    bool can_jump(int x, int y, int dx, int dy) const {
        if (!on_board(x + 2 * dx, y + 2 * dy)) return false;
        if (board_.piece[y + dy][x + dx] * piece_ >= 0) return false;
        if (board_.piece[y + 2 * dy][x + 2 * dx] != 0) return false;
        const int victim = number_of(x + dx, y + dy);
        return std::find(taken_.begin(), taken_.end(), victim) == taken_.end();
    }

    ReferenceBoard board_;
    int piece_;
    int from_;
    std::vector<int> taken_;
    std::map<ReferenceMove, int>& found_;
};

void add_steps(const ReferenceBoard& board, int x, int y, std::map<ReferenceMove, int>& found) {
    for (int dy = -1; dy <= 1; dy += 2)
        for (int dx = -1; dx <= 1; dx += 2)
            if (may_go(board.piece[y][x], dy) && on_board(x + dx, y + dy) &&
                board.piece[y + dy][x + dx] == 0)
                ++found[{number_of(x, y), number_of(x + dx, y + dy), {}}];
}

}  // namespace

int& ReferenceBoard::at(int number) {
    const int y = (number - 1) / 4;
    const int x = 6 - 2 * ((number - 1) % 4) + y % 2;
    return piece[static_cast<unsigned>(y)][static_cast<unsigned>(x)];
}

std::map<ReferenceMove, int> reference_moves(const ReferenceBoard& board) {
    std::map<ReferenceMove, int> captures;
    std::map<ReferenceMove, int> steps;
    for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) {
            if (board.piece[y][x] * board.side <= 0) continue;
            Captures(board, x, y, captures);
            add_steps(board, x, y, steps);
        }
    }
    return captures.empty() ? steps : captures;
}

ReferenceBoard reference_after(ReferenceBoard board, const ReferenceMove& move) {
    const int piece = board.at(move.from);
    board.at(move.from) = 0;
    for (int number : move.captured)
        board.at(number) = 0;
    const bool on_last_row = board.side == 1 ? move.to >= 29 : move.to <= 4;
    board.at(move.to) = on_last_row ? 2 * board.side : piece;
    board.side = -board.side;
    return board;
}

std::uint64_t reference_perft(const ReferenceBoard& board, int depth) {
    if (depth == 0) return 1;
    std::uint64_t total = 0;
    for (const auto& [move, ways] : reference_moves(board))
        total += reference_perft(reference_after(board, move), depth - 1);
    return total;
}

}  // namespace defiance::testing
