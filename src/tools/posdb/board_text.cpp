#include <tools/posdb/board_text.hpp>

#include <algorithm>

#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/posdb/move_names.hpp>
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

/// The position without the moves after it.
std::optional<Position> parse_base(const GameRules& rules, std::string_view text) {
    const std::string_view inner = without_fen_tag(text);
    if (equal_ignoring_case(inner, "startpos")) return rules.start_position();
    Result<Position> position =
        inner.size() == hub_position_length && inner.find(':') == std::string_view::npos
            ? parse_hub_position(rules, inner)
            : parse_fen(rules, text);
    if (!position || !can_be_played_on(*position)) return std::nullopt;
    return *position;
}

/// The position after the moves; nothing when one of them is not legal.
std::optional<Position> play(const GameRules& rules, Position position, std::string_view moves) {
    int plies = 0;
    for (moves = trimmed(moves); !moves.empty(); moves = trimmed(moves)) {
        const std::size_t end = std::min(moves.find_first_of(" \t"), moves.size());
        if (++plies > max_board_moves) return std::nullopt;
        const Result<Move> move = parse_request_move(rules, position, moves.substr(0, end));
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
