#include <tools/support/hub_hints.hpp>

#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/hub_notation.hpp>

namespace defiance {
namespace {

/// Longest list of moves that is read; no position has as many, and no line is used as far.
constexpr std::size_t most_hinted_moves = 256;
/// Largest score of a hint, in men: those of won positions lie below.
constexpr double largest_hinted_score = 300;

constexpr const char* hint_usage = "hint takes score= depth= pv=, or clear";

/// The score in men, with a sign or without.
std::optional<Score> parse_score_in_men(std::string_view text) {
    const bool is_negative = text.starts_with('-');
    if (is_negative || text.starts_with('+')) text.remove_prefix(1);
    const auto men = parse_decimal(text, largest_hinted_score);
    if (!men) return std::nullopt;
    const Score score = from_centimen(static_cast<int>(std::lround(*men * 100)));
    return is_negative ? -score : score;
}

/// The moves, all of this position. Error: one is not legal, or there are too many or none.
Result<std::vector<Move>> parse_choice(const GameRules& rules, const Position& position,
                                       std::string_view text) {
    std::vector<Move> moves;
    while (!trimmed(text).empty()) {
        if (moves.size() == most_hinted_moves) return Error{"too many moves"};
        const Result<Move> move = parse_hub_move(rules, position, take_word(text));
        if (!move) return Error{move.error()};
        moves.push_back(*move);
    }
    if (moves.empty()) return Error{"there is no move"};
    return moves;
}

/// The moves one after the other, up to the first that is not legal.
std::vector<Move> parse_variation(const GameRules& rules, Position position,
                                  std::string_view text) {
    std::vector<Move> moves;
    while (!trimmed(text).empty() && moves.size() < most_hinted_moves) {
        const Result<Move> move = parse_hub_move(rules, position, take_word(text));
        if (!move) break;
        moves.push_back(*move);
        position = rules.after(position, *move);
    }
    return moves;
}

/// What is wrong with the hint of this name, or an empty text.
std::string give_move_hint(Engine& engine, const GameRules& rules, const Position& position,
                           const HubLine& line, std::string_view name, HintSource source) {
    if (!line.has(name)) return {};
    const Result<Move> move = parse_hub_move(rules, position, line.value(name).value_or(""));
    if (!move) return std::string(name) + ": " + move.error();
    [[maybe_unused]] const bool is_taken = engine.hint_move(position, source, *move);
    DEFIANCE_ASSERT(is_taken);
    return {};
}

}  // namespace

std::string give_move_hints(Engine& engine, const GameRules& rules, const Position& position,
                            const HubLine& line) {
    std::string problem =
        give_move_hint(engine, rules, position, line, "bookmove", HintSource::book);
    const auto add = [&](const std::string& next) {
        problem += (problem.empty() || next.empty() ? "" : "; ") + next;
    };
    add(give_move_hint(engine, rules, position, line, "egtbmove", HintSource::endgames));
    if (!line.has("searchmoves")) return problem;
    const auto search_moves = parse_choice(rules, position, line.value("searchmoves").value_or(""));
    if (!search_moves) {
        add("searchmoves: " + search_moves.error());
        return problem;
    }
    [[maybe_unused]] const bool is_taken = engine.restrict_moves(position, *search_moves);
    DEFIANCE_ASSERT(is_taken);
    return problem;
}

std::string give_line_hint(Engine& engine, const GameRules& rules, const Position& position,
                           const HubLine& line) {
    if (line.has("clear")) {
        engine.clear_hints();
        return {};
    }
    const auto score = parse_score_in_men(line.value("score").value_or(""));
    const auto depth = parse_integer(line.value("depth").value_or(""), 0, INT16_MAX);
    if (!score || !depth || !line.value("pv")) return hint_usage;
    LineHint hint;
    hint.score = *score;
    hint.depth = static_cast<int>(*depth);
    hint.moves = parse_variation(rules, position, *line.value("pv"));
    if (engine.hint_line(position, hint) == 0) return "hint: the first move of pv is not legal";
    return {};
}

}  // namespace defiance
