#include <tools/book/practice_text.hpp>

#include <optional>

#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

/// `11-15` or `11-15=4/17`.
Result<PracticeMove> read_move(const GameRules& rules, const Position& position,
                               std::string_view word) {
    const std::size_t score_at = word.find('=');
    const Result<Move> move = parse_move(rules, position, word.substr(0, score_at));
    if (!move) return Error{move.error()};
    PracticeMove read{*move, std::nullopt, 0};
    if (score_at == std::string_view::npos) return read;
    word.remove_prefix(score_at + 1);
    const std::size_t depth_at = word.find('/');
    const auto score = parse_integer(word.substr(0, depth_at), -practice_limit, practice_limit);
    const auto depth = depth_at == std::string_view::npos
                           ? std::nullopt
                           : parse_integer(word.substr(depth_at + 1), 0, 255);
    if (!score || !depth) return Error{"a score is not one"};
    read.score = static_cast<std::int16_t>(*score);
    read.depth = static_cast<std::uint8_t>(*depth);
    return read;
}

}  // namespace

std::string practice_text(const GameRules& rules, const PracticeLine& line) {
    std::string text = line.learner == Side::black ? "B " : "W ";
    text += std::to_string(line.value) + ' ' + to_fen(rules, line.root);
    Position position = line.root;
    for (const PracticeMove& m : line.moves) {
        text += ' ' + to_text(rules, position, m.move);
        if (m.score) text += '=' + std::to_string(*m.score) + '/' + std::to_string(m.depth);
        position = rules.after(position, m.move);
    }
    return text;
}

Result<PracticeLine> read_practice_line(const GameRules& rules, std::string_view text) {
    const std::string_view learner = take_word(text);
    if (learner != "B" && learner != "W") return Error{"no side learns"};
    const auto value = parse_integer(take_word(text), -practice_limit, practice_limit);
    if (!value) return Error{"the value is not one"};
    const Result<Position> root = read_position(rules, take_word(text));
    if (!root) return Error{root.error()};
    PracticeLine line{*root, learner == "B" ? Side::black : Side::white, {}, 0};
    line.value = static_cast<int>(*value);
    Position position = *root;
    while (!text.empty()) {
        const Result<PracticeMove> move = read_move(rules, position, take_word(text));
        if (!move) return Error{move.error()};
        line.moves.push_back(*move);
        position = rules.after(position, move->move);
    }
    return line;
}

}  // namespace defiance
