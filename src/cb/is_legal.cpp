#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/cb/board.hpp>
#include <defiance/cb/checkerboard_engine.hpp>
#include <defiance/rules/game_rules.hpp>

namespace defiance {
namespace {

/// The first legal move between two squares, given by their numbers.
std::optional<Move> find_move(const GameRules& rules, const Position& position, int from, int to) {
    DEFIANCE_ASSERT(is_square_number(from) && is_square_number(to));
    MoveList moves;
    rules.generate_moves(position, moves);
    for (const Move& move : moves)
        if (move.from == rules.index(from) && move.to == rules.index(to)) return move;
    return std::nullopt;
}

// CheckerBoard (up to 1.77a) keeps its three-move openings as English square numbers. For every
// game that White opens it turns a number n round to 33 - n, which is wrong in Spanish and Czech,
// where White has the low numbers already. It then carries out what islegal has described, even
// when islegal says no.

bool has_wrong_openings(const GameRules& rules) {
    return rules.first_side == Side::white && rules.number(index_of({7, 7})) <= 12;
}

/// The square that CheckerBoard means by a wrong number: the English board turned by half a turn,
/// so that White has Black's side of it. The row changes and the place in the row stays.
int meant_number(int number) {
    DEFIANCE_ASSERT(is_square_number(number));
    const int row = (number - 1) / 4;
    return number + 4 * (7 - 2 * row);
}

bool is_reached_within(const GameRules& rules, const Position& start, const Position& position,
                       int plies) {
    if (start == position) return true;
    if (plies == 0) return false;
    MoveList moves;
    rules.generate_moves(start, moves);
    return std::any_of(moves.begin(), moves.end(), [&](const Move& move) {
        return is_reached_within(rules, rules.after(start, move), position, plies - 1);
    });
}

/// True before the first, second and third move of a game.
bool is_in_opening(const GameRules& rules, const Position& position) {
    return is_reached_within(rules, rules.start_position(), position, 2);
}

/// A question to islegal as a number. The next square number makes it larger by 1 or by 64.
std::uint64_t question_of(const Position& position, int from, int to) {
    constexpr std::uint64_t per_from = 64;
    return key_of(position) + static_cast<std::uint64_t>(from) * per_from +
           static_cast<std::uint64_t>(to);
}

}  // namespace

int CheckerBoardEngine::is_legal(const int board[8][8], int color, int from, int to,
                                 CBmove* move) const {
    const Result<Position> position = read_board(board, color);
    if (!position || !is_square_number(from) || !is_square_number(to)) return 0;
    const std::uint64_t question = question_of(*position, from, to);
    const std::uint64_t before = last_question_.exchange(question, std::memory_order_relaxed);
    if (const auto legal = find_move(rules_, *position, from, to)) {
        if (move != nullptr) *move = describe_legal_move(rules_, *position, *legal);
        return 1;
    }
    // On a click CheckerBoard asks for one square with each of 1 to 32 and plays what is left in
    // `move`. So nothing is written for an illegal pair, but for single questions of openings.
    const bool is_loop = before == question_of(*position, from - 1, to) ||
                         before == question_of(*position, from, to - 1);
    if (move == nullptr || is_loop || !has_wrong_openings(rules_) ||
        !is_in_opening(rules_, *position))
        return 0;
    if (const auto meant = find_move(rules_, *position, meant_number(from), meant_number(to)))
        *move = describe_legal_move(rules_, *position, *meant);
    return 0;
}

}  // namespace defiance
