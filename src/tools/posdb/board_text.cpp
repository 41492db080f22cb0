#include <tools/posdb/board_text.hpp>

#include <algorithm>
#include <cctype>

#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/support/hub_notation.hpp>

namespace defiance {
namespace {

constexpr std::size_t hub_position_length = 33;
constexpr std::string_view moves_word = " moves";

bool can_be_played_on(const Position& position) {
    if (position.occupied() == 0) return false;
    const auto fault = find_fault(position);
    return !fault || *fault == PositionFault::no_black || *fault == PositionFault::no_white;
}

/// What stands between `[FEN "` and `"]`, or between quotes; else the text itself.
std::string_view without_tag(std::string_view text) {
    if (text.size() >= 2 && text.front() == '[' && text.back() == ']')
        text = trimmed(text.substr(1, text.size() - 2));
    constexpr std::size_t word = 3;
    if (text.size() > word && equal_ignoring_case(text.substr(0, word), "fen") &&
        std::isspace(static_cast<unsigned char>(text[word])) != 0)
        text = trimmed(text.substr(word));
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
        text = trimmed(text.substr(1, text.size() - 2));
    return text;
}

/// Without the counters of moves that follow the pieces, each with a letter H or F before it; the
/// last may end with a point.
std::string_view without_counters(std::string_view fen) {
    for (bool is_last = true;; is_last = false) {
        const std::size_t colon = fen.rfind(':');
        if (colon == std::string_view::npos || colon + 2 > fen.size()) return fen;
        std::string_view part = trimmed(fen.substr(colon + 1));
        if (is_last && part.ends_with('.')) part = trimmed(part.substr(0, part.size() - 1));
        const bool is_counter = part.size() >= 2 &&
                                (equal_ignoring_case(part.substr(0, 1), "h") ||
                                 equal_ignoring_case(part.substr(0, 1), "f")) &&
                                part.find_first_not_of("0123456789", 1) == std::string_view::npos;
        if (!is_counter) return fen;
        fen = fen.substr(0, colon);
    }
}

/// The position without the moves after it.
std::optional<Position> parse_base(const GameRules& rules, std::string_view text) {
    text = without_tag(trimmed(text));
    if (equal_ignoring_case(text, "startpos")) return rules.start_position();
    Result<Position> position =
        text.size() == hub_position_length && text.find(':') == std::string_view::npos
            ? parse_hub_position(rules, text)
            : parse_fen(rules, without_counters(text));
    if (!position || !can_be_played_on(*position)) return std::nullopt;
    return *position;
}

/// The position after the moves; nothing when one of them is not legal.
std::optional<Position> play(const GameRules& rules, Position position, std::string_view moves) {
    int plies = 0;
    for (moves = trimmed(moves); !moves.empty(); moves = trimmed(moves)) {
        const std::size_t end = std::min(moves.find_first_of(" \t"), moves.size());
        if (++plies > max_board_moves) return std::nullopt;
        const Result<Move> move = parse_move(rules, position, moves.substr(0, end));
        if (!move) return std::nullopt;
        position = rules.after(position, *move);
        moves.remove_prefix(end);
    }
    return position;
}

}  // namespace

std::optional<Position> parse_board(const GameRules& rules, std::string_view text) {
    if (text.size() > max_board_text) return std::nullopt;
    const std::size_t word = text.find(moves_word);
    const auto base = parse_base(rules, text.substr(0, word));
    if (!base || word == std::string_view::npos) return base;
    std::string_view moves = text.substr(word + moves_word.size());
    if (!moves.empty() && moves.front() != ' ') return std::nullopt;
    return play(rules, *base, moves);
}

}  // namespace defiance
