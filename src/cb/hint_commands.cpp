#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/cb/checkerboard_engine.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move_text.hpp>

#include "reply.hpp"

namespace defiance {
namespace {

/// Longest command with a hint, in bytes, as the API has it; a history may be longer.
constexpr std::size_t max_hint_command = 255;
/// Longest answer, in bytes.
constexpr std::size_t max_hint_reply = 1000;
/// Largest score of a hint, in 1/100 man: scores of won positions lie below.
constexpr std::int64_t max_hint_score = 30000;

constexpr const char* line_usage = "hint takes: score S depth D pv MOVES, or clear";

/// `rest` up to the word `fen`, which it then begins behind; all of it without that word.
std::vector<std::string_view> take_words_before_fen(std::string_view& rest, bool& has_fen) {
    std::vector<std::string_view> words;
    has_fen = false;
    while (!rest.empty() && !has_fen) {
        const std::string_view word = take_word(rest);
        has_fen = word == "fen";
        if (!has_fen) words.push_back(word);
    }
    return words;
}

/// The moves that the words name, one after the other, up to the first that is not legal.
std::vector<Move> parse_line(const GameRules& rules, Position position,
                             std::span<const std::string_view> words) {
    std::vector<Move> line;
    for (const std::string_view word : words) {
        const Result<Move> move = parse_move(rules, position, word);
        if (!move) break;
        line.push_back(*move);
        position = rules.after(position, *move);
    }
    return line;
}

/// The moves, each after a space: one after the other, or all of the same position.
std::string moves_text(const GameRules& rules, Position position, const std::vector<Move>& moves,
                       bool is_line) {
    std::string text;
    for (const Move& move : moves) {
        text += ' ' + to_text(rules, position, move);
        if (is_line) position = rules.after(position, move);
    }
    return text;
}

/// The score in 1/100 man. One that favours the side to move may have the sign that the status line
/// gives it.
std::optional<std::int64_t> parse_score(std::string_view text) {
    if (text.size() > 1 && text[0] == '+' && is_digit(text[1])) text.remove_prefix(1);
    return parse_integer(text, -max_hint_score, max_hint_score);
}

std::string line_text(const GameRules& rules, const Position& position, const LineHint& line) {
    return "hint score " + std::to_string(in_centimen(line.score)) + " depth " +
           std::to_string(line.depth) + " pv" + moves_text(rules, position, line.moves, true);
}

std::string pending_text(const GameRules& rules, const PendingHints& pending) {
    const auto& [position, hints] = pending;
    std::string text = "fen " + to_fen(rules, position);
    if (hints.book_move) text += "; bookmove " + to_text(rules, position, *hints.book_move);
    if (hints.endgame_move) text += "; egtbmove " + to_text(rules, position, *hints.endgame_move);
    if (hints.line) text += "; " + line_text(rules, position, *hints.line);
    if (!hints.search_moves.empty())
        text += "; searchmoves" + moves_text(rules, position, hints.search_moves, false);
    if (text.size() > max_hint_reply) text.resize(max_hint_reply);
    return text;
}

Reply accepted(std::string text) {
    text += " accepted";
    if (text.size() > max_hint_reply) text.resize(max_hint_reply);
    return done(std::move(text));
}

const Reply illegal_move = {0, "illegal move"};

/// The answer to a text that names no move. One that several captures fit is not illegal: more of
/// its squares are needed.
Reply refused_move(const GameRules& rules, const Position& position, const std::string& verb,
                   std::string_view text) {
    if (!is_ambiguous(rules, position, text)) return illegal_move;
    return refused(verb + ": " + parse_move(rules, position, text).error());
}

}  // namespace

/// `fen` and what follows it in a hint, or else the position expected next.
Result<Position> CheckerBoardEngine::position_of_hint(bool has_fen, std::string_view fen) const {
    const auto expected = [this]() -> Result<Position> {
        const std::lock_guard lock(mutex_);
        if (!position_fault_.empty()) return Error{position_fault_};
        return engine_.expected_position();
    };
    Result<Position> position = has_fen ? parse_fen(rules_, fen) : expected();
    if (!position) return position;
    // A game may have ended with the last piece of a side.
    if (const auto fault = find_fault(*position)) return Error{std::string(describe(*fault))};
    return position;
}

Reply CheckerBoardEngine::hint_move(HintSource source, const Position& position,
                                    std::span<const std::string_view> words) {
    if (words.size() != 1) return illegal_move;
    const std::string name = source == HintSource::book ? "bookmove" : "egtbmove";
    const Result<Move> move = parse_move(rules_, position, words[0]);
    if (!move) return refused_move(rules_, position, name, words[0]);
    if (!engine_.hint_move(position, source, *move)) return illegal_move;
    return accepted(name + ' ' + to_text(rules_, position, *move));
}

Reply CheckerBoardEngine::hint_line(const Position& position,
                                    std::span<const std::string_view> words) {
    constexpr std::size_t first_move = 5;
    if (words.size() <= first_move || words[0] != "score" || words[2] != "depth" ||
        words[4] != "pv")
        return refused(line_usage);
    const auto score = parse_score(words[1]);
    const auto depth = parse_integer(words[3], 0, INT16_MAX);
    if (!score || !depth) return refused(line_usage);
    LineHint line;
    line.score = from_centimen(static_cast<int>(*score));
    line.depth = static_cast<int>(*depth);
    line.moves = parse_line(rules_, position, words.subspan(first_move));
    line.moves.resize(engine_.hint_line(position, line));
    if (line.moves.empty()) return refused_move(rules_, position, "hint", words[first_move]);
    return accepted(line_text(rules_, position, line));
}

Reply CheckerBoardEngine::restrict_moves(const Position& position,
                                         std::span<const std::string_view> words) {
    std::vector<Move> search_moves;
    for (const std::string_view word : words) {
        const Result<Move> move = parse_move(rules_, position, word);
        if (!move) return refused_move(rules_, position, "searchmoves", word);
        search_moves.push_back(*move);
    }
    const std::string text = "searchmoves" + moves_text(rules_, position, search_moves, false);
    if (!engine_.restrict_moves(position, search_moves)) return illegal_move;
    return accepted(text);
}

Reply CheckerBoardEngine::answer_hints() const {
    const auto pending = engine_.pending_hints();
    return done(pending && !pending->hints.is_empty() ? pending_text(rules_, *pending) : "none");
}

Reply CheckerBoardEngine::set_hint_policy(std::string_view text) {
    const auto policy = find_hint_policy(text);
    if (!policy) return refused("hintpolicy takes trust, verify or ignore");
    engine_.set_hint_policy(*policy);
    return done("hintpolicy " + std::string(text));
}

std::optional<Reply> CheckerBoardEngine::take_hint(std::string_view verb, std::string_view rest) {
    const bool is_line = verb == "hint" && !rest.empty();
    if (!is_line && verb != "bookmove" && verb != "egtbmove" && verb != "searchmoves")
        return std::nullopt;
    if (verb.size() + 1 + rest.size() > max_hint_command)
        return refused("a hint has at most " + std::to_string(max_hint_command) + " characters");
    if (is_line && rest == "clear") {
        engine_.clear_hints();
        return done("hint clear");
    }
    bool has_fen = false;
    const std::vector<std::string_view> words = take_words_before_fen(rest, has_fen);
    const Result<Position> position = position_of_hint(has_fen, rest);
    if (!position) return refused(std::string(verb) + ": " + position.error());
    DEFIANCE_ASSERT(!find_fault(*position));
    if (is_line) return hint_line(*position, words);
    if (verb == "searchmoves") return restrict_moves(*position, words);
    return hint_move(verb == "bookmove" ? HintSource::book : HintSource::endgames, *position,
                     words);
}

}  // namespace defiance
