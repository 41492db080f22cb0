#include <tools/book/book_text.hpp>

#include <algorithm>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

/// Takes what stands before the next semicolon off the text.
std::string_view take_part(std::string_view& text) {
    const std::size_t end = text.find(';');
    const std::string_view part = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return part;
}

/// `11-15 4 22 130`.
Result<BookMove> read_book_move(const GameRules& rules, const Position& position,
                                std::string_view text) {
    const Result<Move> move = parse_move(rules, position, take_word(text));
    if (!move) return Error{move.error()};
    const auto score = parse_integer(take_word(text), -proven_book_score, proven_book_score);
    if (!score)
        return Error{"a score is no whole number within +-" + std::to_string(proven_book_score)};
    const auto depth = parse_integer(take_word(text), 0, 255);
    if (!depth) return Error{"a depth is no whole number from 0 to 255"};
    const auto support = parse_integer(text.empty() ? "0" : text, 0, BookMove::max_support);
    if (!support)
        return Error{"the support of a move is no whole number from 0 to " +
                     std::to_string(BookMove::max_support)};
    return BookMove{*move, static_cast<BookScore>(*score), static_cast<std::uint8_t>(*depth),
                    static_cast<std::uint8_t>(*support)};
}

Result<BookPosition> read_entry(const GameRules& rules, std::string_view line) {
    const Result<Position> position = read_position(rules, take_part(line));
    if (!position) return Error{position.error()};
    // Also a game that is over: a book has nothing to say about it.
    if (const auto fault = find_fault(*position))
        return Error{"the position has " + std::string(describe(*fault))};
    BookPosition entry{*position, {}};
    while (!line.empty()) {
        const std::string_view part = take_part(line);
        if (part.empty()) continue;
        const Result<BookMove> move = read_book_move(rules, *position, part);
        if (!move) return Error{move.error()};
        for (const BookMove& m : entry.moves)
            if (m.move == move->move) return Error{"a move stands there twice"};
        entry.moves.push_back(*move);
    }
    if (entry.moves.empty()) return Error{"there is no move"};
    return entry;
}

}  // namespace

std::string book_line(const GameRules& rules, const BookPosition& entry) {
    DEFIANCE_ASSERT(!entry.moves.empty());
    std::string line = to_fen(rules, entry.position);
    for (const BookMove& m : entry.moves)
        line += "; " + to_text(rules, entry.position, m.move) + ' ' + std::to_string(m.score) +
                ' ' + std::to_string(m.depth) +
                (m.support != 0 ? ' ' + std::to_string(m.support) : std::string());
    return line;
}

Result<std::vector<BookPosition>> read_book_lines(const GameRules& rules, std::string_view text) {
    std::vector<BookPosition> entries;
    text = without_byte_order_mark(text);
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
        if (line.empty() || line[0] == '#') continue;
        Result<BookPosition> entry = read_entry(rules, line);
        if (!entry) return Error{"line " + std::to_string(number) + ": " + entry.error()};
        entries.push_back(*std::move(entry));
    }
    return entries;
}

}  // namespace defiance
