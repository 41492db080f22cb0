#include <tools/support/hub_notation.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

constexpr int squares = 32;
constexpr std::size_t position_length = 1 + squares;
/// Of a move: two squares, and twelve pieces at most.
constexpr std::size_t longest_hub_move = 64;

char letter_of(const Position& position, Bitboard square) {
    if ((position.occupied() & square) == 0) return 'e';
    const bool is_king = (position.kings & square) != 0;
    if ((position.white & square) != 0) return is_king ? 'W' : 'w';
    return is_king ? 'B' : 'b';
}

/// What the text of a move names, legal or not.
struct NamedMove {
    int from = 0;
    int to = 0;
    Bitboard captured = 0;
};

std::optional<NamedMove> parse_named(const GameRules& rules, std::string_view text) {
    if (text.size() > longest_hub_move) return std::nullopt;
    const char separator = text.find('x') == std::string_view::npos ? '-' : 'x';
    NamedMove move;
    int count_of_squares = 0;
    for (;;) {
        const std::size_t end = std::min(text.find(separator), text.size());
        const auto number = parse_integer(text.substr(0, end), 1, squares);
        if (!number) return std::nullopt;
        const int square = rules.index(static_cast<int>(*number));
        ++count_of_squares;
        if (count_of_squares == 1) {
            move.from = square;
        } else if (count_of_squares == 2) {
            move.to = square;
        } else {
            if ((move.captured & bit(square)) != 0) return std::nullopt;
            move.captured |= bit(square);
        }
        if (end == text.size()) break;
        text.remove_prefix(end + 1);
    }
    const bool is_whole = separator == '-' ? count_of_squares == 2 : count_of_squares > 2;
    return is_whole ? std::optional(move) : std::nullopt;
}

}  // namespace

std::string to_hub_position(const GameRules& rules, const Position& position) {
    DEFIANCE_ASSERT(position.is_consistent());
    std::string text(1, position.side == Side::white ? 'W' : 'B');
    for (int number = 1; number <= squares; ++number)
        text += letter_of(position, bit(rules.index(number)));
    DEFIANCE_ASSERT(text.size() == position_length);
    return text;
}

Result<Position> parse_hub_position(const GameRules& rules, std::string_view text) {
    if (text.size() != position_length)
        return Error{"a position has 33 characters, not " + std::to_string(text.size())};
    if (text[0] != 'W' && text[0] != 'B')
        return Error{"a position begins with W or B, the side to move"};
    Position position{0, 0, 0, text[0] == 'W' ? Side::white : Side::black};
    for (int number = 1; number <= squares; ++number) {
        const Bitboard square = bit(rules.index(number));
        switch (text[static_cast<std::size_t>(number)]) {
            case 'W':
                position.kings |= square;
                [[fallthrough]];
            case 'w':
                position.white |= square;
                break;
            case 'B':
                position.kings |= square;
                [[fallthrough]];
            case 'b':
                position.black |= square;
                break;
            case 'e':
                break;
            default:
                return Error{"the squares of a position are w, b, W, B or e; square " +
                             std::to_string(number) + " is none of them"};
        }
    }
    if (std::string problem = find_problem(position); !problem.empty())
        return Error{std::move(problem)};
    return position;
}

std::string to_hub_move(const GameRules& rules, const Move& move) {
    const char* separator = move.is_capture() ? "x" : "-";
    std::string text =
        std::to_string(rules.number(move.from)) + separator + std::to_string(rules.number(move.to));
    for (int number = 1; number <= squares; ++number)
        if ((move.captured & bit(rules.index(number))) != 0)
            text += separator + std::to_string(number);
    DEFIANCE_ASSERT(text.size() <= longest_hub_move);
    return text;
}

Result<Move> parse_hub_move(const GameRules& rules, const Position& position,
                            std::string_view text) {
    const std::optional<NamedMove> named = parse_named(rules, text);
    if (!named) return Error{"'" + shown(text) + "' is not the text of a move"};
    MoveList moves;
    rules.generate_moves(position, moves);
    const auto found = std::find_if(moves.begin(), moves.end(), [&](const Move& move) {
        return move.from == named->from && move.to == named->to && move.captured == named->captured;
    });
    if (found == moves.end()) return Error{"'" + shown(text) + "' is not a legal move"};
    return *found;
}

}  // namespace defiance
