#include <tools/support/hub_hints.hpp>

#include <cmath>
#include <string>
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

/// Error: what is wrong with the hint of this name.
std::optional<Error> give_move_hint(Engine& engine, const GameRules& rules,
                                    const Position& position, const HubLine& line,
                                    std::string_view name, HintSource source) {
    if (!line.has(name)) return std::nullopt;
    const Result<Move> move = parse_hub_move(rules, position, line.value(name).value_or(""));
    if (!move) return Error{std::string(name) + ": " + move.error()};
    [[maybe_unused]] const bool is_taken = engine.hint_move(position, source, *move);
    DEFIANCE_ASSERT(is_taken);
    return std::nullopt;
}

std::optional<Error> give_search_moves(Engine& engine, const GameRules& rules,
                                       const Position& position, const HubLine& line) {
    if (!line.has("searchmoves")) return std::nullopt;
    const auto moves = parse_choice(rules, position, line.value("searchmoves").value_or(""));
    if (!moves) return Error{"searchmoves: " + moves.error()};
    [[maybe_unused]] const bool is_taken = engine.restrict_moves(position, *moves);
    DEFIANCE_ASSERT(is_taken);
    return std::nullopt;
}

}  // namespace

std::optional<Error> give_move_hints(Engine& engine, const GameRules& rules,
                                     const Position& position, const HubLine& line) {
    std::string problems;
    const auto add = [&](const std::optional<Error>& problem) {
        if (problem) problems += (problems.empty() ? "" : "; ") + problem->text;
    };
    add(give_move_hint(engine, rules, position, line, "bookmove", HintSource::book));
    add(give_move_hint(engine, rules, position, line, "egtbmove", HintSource::endgames));
    add(give_search_moves(engine, rules, position, line));
    return problems.empty() ? std::nullopt : std::optional(Error{problems});
}

std::optional<Error> give_line_hint(Engine& engine, const GameRules& rules,
                                    const Position& position, const HubLine& line) {
    if (line.has("clear")) {
        engine.clear_hints();
        return std::nullopt;
    }
    const auto score = parse_score_in_men(line.value("score").value_or(""));
    const auto depth = parse_integer(line.value("depth").value_or(""), 0, INT16_MAX);
    if (!score || !depth || !line.value("pv")) return Error{hint_usage};
    LineHint hint;
    hint.score = *score;
    hint.depth = static_cast<int>(*depth);
    hint.moves = parse_variation(rules, position, *line.value("pv"));
    if (engine.hint_line(position, hint) == 0)
        return Error{"hint: the first move of pv is not legal"};
    return std::nullopt;
}

}  // namespace defiance
