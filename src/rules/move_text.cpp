#include <defiance/rules/move_text.hpp>

#include <algorithm>
#include <optional>
#include <vector>

#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/path.hpp>

namespace defiance {
namespace {

/// No capture visits more squares, so a text that names more is not a move.
constexpr std::size_t max_squares = 14;

/// Takes the part before the first hyphen or sign of a capture off the text; `has_more` tells
/// whether there was one.
std::string_view take_squares(std::string_view& text, bool& has_more) {
    const std::size_t sign = text.find_first_of("-x:");
    const std::size_t dash = text.find(en_dash);
    const std::size_t end = std::min(sign, dash);
    const std::string_view part = text.substr(0, end);
    has_more = end != std::string_view::npos;
    if (has_more) text.remove_prefix(end + (end == dash ? en_dash.size() : 1));
    return part;
}

/// Appends the square that the part names, or those of one such as c3d4; false when it names none.
bool add_squares(const GameRules& rules, std::string_view part, std::vector<int>& squares) {
    constexpr std::size_t name_size = 2;  // of an algebraic square
    const bool is_row = rules.algebraic_squares && part.size() > name_size &&
                        part.size() % name_size == 0 && part.size() / name_size <= max_squares;
    do {
        const std::string_view name = is_row ? part.substr(0, name_size) : part;
        // Digits alone are the number of one square.
        if (is_row && is_digit(name[0])) return false;
        const std::optional<int> square = find_square(rules, name);
        if (!square) return false;
        squares.push_back(*square);
        part.remove_prefix(name.size());
    } while (!part.empty());
    return true;
}

/// The indices of the squares in a text such as 2x11x18; empty when it is not of this form.
std::vector<int> read_squares(const GameRules& rules, std::string_view text) {
    std::vector<int> squares;
    bool has_more = true;
    while (has_more)
        if (!add_squares(rules, take_squares(text, has_more), squares) ||
            squares.size() > max_squares)
            return {};
    return squares;
}

/// True when the path visits all squares between start and end, in this order.
bool passes(const Path& path, const std::vector<int>& squares) {
    DEFIANCE_ASSERT(squares.size() >= 2);
    std::size_t next = 1;
    for (std::size_t i = 0; i + 1 < path.size() && next + 1 < squares.size(); ++i)
        if (path[i].landing == squares[next]) ++next;
    return next + 1 == squares.size();
}

bool fits(const GameRules& rules, const Position& position, const Move& move,
          const std::vector<int>& squares) {
    DEFIANCE_ASSERT(squares.size() >= 2);
    if (move.from != squares.front() || move.to != squares.back()) return false;
    if (squares.size() == 2) return true;
    const std::vector<Path> paths = paths_of(rules, position, move);
    return std::any_of(paths.begin(), paths.end(),
                       [&](const Path& path) { return passes(path, squares); });
}

/// True when the text names every landing square, so that no longer capture through the same
/// squares can be meant.
bool names_all(const Move& move, const std::vector<int>& squares) {
    return squares.size() == static_cast<std::size_t>(count(move.captured)) + 1;
}

/// The legal moves that two or more squares fit; only the one of which every landing square is
/// named, if there is such a move.
std::vector<Move> fitting_moves(const GameRules& rules, const Position& position,
                                const std::vector<int>& squares) {
    MoveList moves;
    rules.generate_moves(position, moves);
    std::vector<Move> found;
    for (const Move& move : moves) {
        if (!fits(rules, position, move, squares)) continue;
        if (names_all(move, squares)) return {move};
        found.push_back(move);
    }
    return found;
}

bool has_twin(const GameRules& rules, const Position& position, const Move& move) {
    MoveList moves;
    rules.generate_moves(position, moves);
    return std::any_of(moves.begin(), moves.end(), [&](const Move& other) {
        return other != move && other.from == move.from && other.to == move.to;
    });
}

}  // namespace

std::string to_text(const GameRules& rules, const Position& position, const Move& move,
                    MoveTextStyle style) {
    DEFIANCE_ASSERT((position.own() & bit(move.from)) != 0);
    std::string text = std::to_string(rules.number(move.from));
    if (!move.is_capture()) return text + '-' + std::to_string(rules.number(move.to));
    if (style == MoveTextStyle::shortened && !has_twin(rules, position, move))
        return text + 'x' + std::to_string(rules.number(move.to));
    for (const Jump& jump : path_of(rules, position, move))
        text += 'x' + std::to_string(rules.number(jump.landing));
    return text;
}

Result<Move> parse_move(const GameRules& rules, const Position& position, std::string_view text) {
    const std::vector<int> squares = read_squares(rules, text);
    if (squares.size() < 2) return Error{"'" + shown(text) + "' is not a move"};
    const std::vector<Move> found = fitting_moves(rules, position, squares);
    if (found.size() > 1) return Error{"'" + shown(text) + "' fits more than one capture"};
    if (found.empty()) return Error{"'" + shown(text) + "' is not a legal move"};
    return found.front();
}

bool is_ambiguous(const GameRules& rules, const Position& position, std::string_view text) {
    const std::vector<int> squares = read_squares(rules, text);
    return squares.size() >= 2 && fitting_moves(rules, position, squares).size() > 1;
}

}  // namespace defiance
