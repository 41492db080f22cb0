#include "reference_rules.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>

namespace defiance::testing {
namespace {

int number_of(int x, int y) {
    return 4 * y + (7 - x) / 2 + 1;
}

bool on_board(int x, int y) {
    return x >= 0 && x <= 7 && y >= 0 && y <= 7;
}

int forward_of(int piece) {
    return piece > 0 ? 1 : -1;
}

struct Square {
    int x;
    int y;
};

/// One way to carry out a capture, with what the choice among captures looks at.
struct Way {
    ReferenceMove move;
    bool by_king = false;
    std::vector<int> ranks;  ///< of the pieces taken, in this order: 1 a man, 2 a king
};

int kings_in(const Way& way) {
    return static_cast<int>(std::count(way.ranks.begin(), way.ranks.end(), 2));
}

/// Follows one piece through all its captures.
class Captures {
public:
    Captures(const ReferenceGame& game, const ReferenceBoard& board, Square from,
             std::vector<Way>& found)
        : game_(game),
          board_(board),
          piece_(at(from)),
          starts_as_king_(std::abs(piece_) == 2),
          from_(number_of(from.x, from.y)),
          found_(found) {
        at(from) = 0;
        go_on(from, starts_as_king_);
    }

private:
    struct Jump {
        Square victim;
        std::vector<Square> landings;
    };

    int& at(Square s) {
        return board_.piece[static_cast<unsigned>(s.y)][static_cast<unsigned>(s.x)];
    }

    bool is_last_row(Square s) const { return s.y == (piece_ > 0 ? 7 : 0); }

    void go_on(Square here, bool is_king) {
        if (game_.crowned_in_passing && is_last_row(here)) is_king = true;
        const std::vector<Jump> jumps = jumps_from(here, is_king);
        if (jumps.empty() && !taken_.empty()) note(here, is_king);
        for (const Jump& jump : jumps) {
            taken_.push_back(number_of(jump.victim.x, jump.victim.y));
            ranks_.push_back(std::abs(at(jump.victim)));
            for (const Square& landing : best_landings(jump, is_king))
                go_on(landing, is_king);
            taken_.pop_back();
            ranks_.pop_back();
        }
    }

    // Of several squares to land on, those from which the capture can go on, if there are such.
    std::vector<Square> best_landings(const Jump& jump, bool is_king) {
        std::vector<Square> going_on;
        for (const Square& landing : jump.landings)
            if (!jumps_from(landing, is_king).empty()) going_on.push_back(landing);
        return going_on.empty() || jump.landings.size() == 1 ? jump.landings : going_on;
    }

    std::vector<Jump> jumps_from(Square here, bool is_king) {
        std::vector<Jump> jumps;
        for (int dy = -1; dy <= 1; dy += 2) {
            if (!is_king && !game_.men_capture_backwards && dy != forward_of(piece_)) continue;
            for (int dx = -1; dx <= 1; dx += 2) {
                const Jump jump = jump_in(here, dx, dy, is_king);
                if (!jump.landings.empty()) jumps.push_back(jump);
            }
        }
        return jumps;
    }

    Jump jump_in(Square here, int dx, int dy, bool is_king) {
        const bool flies = is_king && game_.flying_kings;
        Square next{here.x + dx, here.y + dy};
        while (flies && on_board(next.x, next.y) && at(next) == 0)
            next = {next.x + dx, next.y + dy};
        if (!on_board(next.x, next.y) || !may_take(next, is_king)) return {};
        Jump jump{next, {}};
        for (Square s{next.x + dx, next.y + dy}; on_board(s.x, s.y) && at(s) == 0;
             s = {s.x + dx, s.y + dy}) {
            jump.landings.push_back(s);
            if (!flies) break;
        }
        return jump;
    }

    bool may_take(Square s, bool is_king) {
        if (at(s) * piece_ >= 0) return false;
        if (!is_king && !game_.men_take_kings && std::abs(at(s)) == 2) return false;
        return std::find(taken_.begin(), taken_.end(), number_of(s.x, s.y)) == taken_.end();
    }

    void note(Square here, bool is_king) {
        Way way{{from_, number_of(here.x, here.y), is_king && !starts_as_king_, taken_},
                starts_as_king_,
                ranks_};
        if (is_last_row(here)) way.move.crowned_on_the_way = false;
        std::sort(way.move.captured.begin(), way.move.captured.end());
        found_.push_back(way);
    }

    const ReferenceGame& game_;
    ReferenceBoard board_;
    int piece_;
    bool starts_as_king_;
    int from_;
    std::vector<int> taken_;
    std::vector<int> ranks_;
    std::vector<Way>& found_;
};

/// Keeps the ways of which no other has a greater rank.
template <class Rank>
void keep_greatest(std::vector<Way>& ways, Rank rank_of) {
    if (ways.empty()) return;
    auto greatest = rank_of(ways.front());
    for (const Way& way : ways)
        greatest = std::max(greatest, rank_of(way));
    ways.erase(std::remove_if(ways.begin(), ways.end(),
                              [&](const Way& way) { return rank_of(way) < greatest; }),
               ways.end());
}

void choose(ReferenceGame::Choice choice, std::vector<Way>& ways) {
    using enum ReferenceGame::Choice;
    if (choice == king_first) keep_greatest(ways, [](const Way& way) { return way.by_king; });
    if (choice == most || choice == most_then_kings || choice == italian)
        keep_greatest(ways, [](const Way& way) { return way.ranks.size(); });
    if (choice == italian) keep_greatest(ways, [](const Way& way) { return way.by_king; });
    if (choice == most_then_kings || choice == italian) keep_greatest(ways, kings_in);
    if (choice == italian) keep_greatest(ways, [](const Way& way) { return way.ranks; });
}

void add_steps(const ReferenceGame& game, const ReferenceBoard& board, int x, int y,
               std::map<ReferenceMove, int>& found) {
    const auto piece_at = [&](int px, int py) {
        return board.piece[static_cast<unsigned>(py)][static_cast<unsigned>(px)];
    };
    const int piece = piece_at(x, y);
    const bool is_king = std::abs(piece) == 2;
    for (int dy = -1; dy <= 1; dy += 2) {
        if (!is_king && dy != forward_of(piece)) continue;
        for (int dx = -1; dx <= 1; dx += 2) {
            const int farthest = is_king && game.flying_kings ? 7 : 1;
            for (int n = 1; n <= farthest; ++n) {
                if (!on_board(x + n * dx, y + n * dy) || piece_at(x + n * dx, y + n * dy) != 0)
                    break;
                ++found[{number_of(x, y), number_of(x + n * dx, y + n * dy), false, {}}];
            }
        }
    }
}

}  // namespace

ReferenceGame reference_game(int game_type) {
    using enum ReferenceGame::Choice;
    switch (game_type) {
        case 21:
            return {};  // as ReferenceGame says
        case 22:
            return {.men_take_kings = false, .choice = italian};
        case 24:
            return {.flying_kings = true, .choice = most_then_kings};
        case 25:
            return {
                .flying_kings = true, .men_capture_backwards = true, .crowned_in_passing = true};
        case 26:
            return {.flying_kings = true, .men_capture_backwards = true, .choice = most};
        case 29:
            return {.flying_kings = true, .choice = king_first};
        default:
            throw std::logic_error("no reference for game " + std::to_string(game_type));
    }
}

int& ReferenceBoard::at(int number) {
    const int y = (number - 1) / 4;
    const int x = 6 - 2 * ((number - 1) % 4) + y % 2;
    return piece[static_cast<unsigned>(y)][static_cast<unsigned>(x)];
}

std::map<ReferenceMove, int> reference_moves(const ReferenceGame& game,
                                             const ReferenceBoard& board) {
    std::vector<Way> ways;
    std::map<ReferenceMove, int> steps;
    for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) {
            const int piece = board.piece[static_cast<unsigned>(y)][static_cast<unsigned>(x)];
            if (piece * board.side <= 0) continue;
            Captures(game, board, {x, y}, ways);
            add_steps(game, board, x, y, steps);
        }
    }
    if (ways.empty()) return steps;
    choose(game.choice, ways);
    std::map<ReferenceMove, int> captures;
    for (const Way& way : ways)
        ++captures[way.move];
    return captures;
}

ReferenceBoard reference_after(ReferenceBoard board, const ReferenceMove& move) {
    const int piece = board.at(move.from);
    board.at(move.from) = 0;
    for (int number : move.captured)
        board.at(number) = 0;
    const bool on_last_row = board.side == 1 ? move.to >= 29 : move.to <= 4;
    const bool is_king = on_last_row || move.crowned_on_the_way;
    board.at(move.to) = is_king ? 2 * board.side : piece;
    board.side = -board.side;
    return board;
}

std::uint64_t reference_perft(const ReferenceGame& game, const ReferenceBoard& board, int depth) {
    if (depth == 0) return 1;
    std::uint64_t total = 0;
    for (const auto& [move, ways] : reference_moves(game, board))
        total += reference_perft(game, reference_after(board, move), depth - 1);
    return total;
}

}  // namespace defiance::testing
