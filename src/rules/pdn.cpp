#include <defiance/rules/pdn.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

/// Results of games that are not drawn, for the side that opens the game and against it, and draws,
/// as `-` parts them. None can be read as a move.
constexpr std::array<std::string_view, 2> wins = {"1-0", "2-0"};
constexpr std::array<std::string_view, 2> losses = {"0-1", "0-2"};
constexpr std::array<std::string_view, 8> draws = {"1/2-1/2", "1/2", "1-1",     "0-0",
                                                   "h-h",     "h",   "0.5-0.5", "0,5-0,5"};

/// As it is written, in bytes, without blanks.
constexpr std::size_t longest_result = 16;

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_result(std::string_view word) {
    return word == "*" || half_points_of_first(word);
}

bool is_letter_of_name(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || is_digit(c) || c == '_';
}

bool ends_word(char c) {
    return is_space(c) || std::string_view("{}()[];$!?").find(c) != std::string_view::npos;
}

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

bool is_at_word_end(std::string_view text) {
    return text.empty() || ends_word(text.front());
}

void skip_digits(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
}

void skip_blanks(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}

bool skip(std::string_view& text, std::string_view part) {
    if (!text.starts_with(part)) return false;
    text.remove_prefix(part.size());
    return true;
}

/// Digits that the word at the beginning of the text begins with, of the number of a move; 0 when
/// there is none. More than three without a point are a move whose hyphen is missing, and `11.15`
/// is one with a point for a hyphen. Looks no further than the digits behind the point.
std::size_t length_of_move_number(std::string_view text) {
    constexpr std::size_t most_digits_alone = 3;
    std::string_view rest = text;
    skip_digits(rest);
    const std::size_t digits = text.size() - rest.size();
    if (is_at_word_end(rest)) return digits <= most_digits_alone ? digits : 0;
    if (digits == 0 || !skip(rest, ".")) return 0;
    const std::size_t behind = rest.size();
    skip_digits(rest);
    return rest.size() != behind && is_at_word_end(rest) ? 0 : digits;
}

/// Bytes of a result such as `1/2 - 1/2` that the text begins with; else 0.
std::size_t length_of_parted_draw(std::string_view text) {
    for (const std::string_view half : {"1/2", "\xC2\xBD", "\xBD"}) {
        std::string_view rest = text;
        if (!skip(rest, half)) continue;
        skip_blanks(rest);
        if (!skip(rest, "-") && !skip(rest, en_dash)) continue;
        skip_blanks(rest);
        if (skip(rest, half) && is_at_word_end(rest)) return text.size() - rest.size();
    }
    return 0;
}

/// Whether the text, which begins within a line, has an empty line behind that.
bool has_empty_line(std::string_view text) {
    bool is_empty_so_far = false;
    char last = ' ';
    for (const char c : text) {
        const bool ends_line = c == '\r' || (c == '\n' && last != '\r');
        if (ends_line && is_empty_so_far) return true;
        if (ends_line)
            is_empty_so_far = true;
        else if (!is_space(c))
            is_empty_so_far = false;
        last = c;
    }
    return false;
}

/// Whether a tag with this name, which comes before any move, is of the game after this one.
/// `between`: what stands before it, from the tag before that on.
bool begins_next_game(const PdnGame& game, std::string_view name, std::string_view between) {
    if (name.empty() || game.tags.empty()) return false;
    if (game.tag(name)) return true;
    return equal_ignoring_case(name, "Event") && has_empty_line(between);
}

bool is_empty(const PdnGame& game) {
    return game.tags.empty() && game.moves.empty() && game.problem.empty();
}

void note(PdnGame& game, std::string_view problem) {
    if (game.problem.empty()) game.problem = problem;
}

}  // namespace

std::optional<int> half_points_of_first(std::string_view result) {
    // The sign for a half in UTF-8 and in Latin-1, and dashes as they are typeset.
    constexpr std::pair<std::string_view, std::string_view> plain_forms[] = {
        {"\xC2\xBD", "h"}, {"\xBD", "h"}, {en_dash, "-"}, {":", "-"}};
    std::string plain;
    for (const char c : result) {
        if (!is_blank(c)) plain += c;
        if (plain.size() > longest_result) return std::nullopt;
    }
    for (const auto& [written, form] : plain_forms)
        for (std::size_t at = 0; (at = plain.find(written, at)) != std::string::npos;)
            plain.replace(at, written.size(), form);
    if (is_among(wins, plain)) return 2;
    if (is_among(losses, plain)) return 0;
    const bool has_letter = result.find('h') != std::string_view::npos;  // of ours only
    return is_among(draws, plain) && !has_letter ? std::optional(1) : std::nullopt;
}

std::optional<std::string_view> PdnGame::tag(std::string_view name) const {
    for (const PdnTag& t : tags)
        if (equal_ignoring_case(t.name, name)) return t.value;
    return std::nullopt;
}

PdnReader::PdnReader(std::string_view text) : text_(without_byte_order_mark(text)) {}

std::optional<PdnGame> PdnReader::next() {
    PdnGame game;
    std::size_t tags_end = at_;
    while (!at_end()) {
        if (look() == '[') {
            if (!game.moves.empty()) return game;
            if (game.line == 0) game.line = line_;
            if (!read_tag(game, tags_end)) return game;
            tags_end = at_;
            continue;
        }
        const std::size_t line = line_;
        if (skip_between_words(game)) continue;
        if (game.line == 0) game.line = line;
        read_word(game);
        if (game.result.empty()) continue;
        if (!is_empty(game)) return game;
        game = {};
    }
    if (is_empty(game)) return std::nullopt;
    if (game.line == 0) game.line = line_;
    return game;
}

bool PdnReader::at_line_end() const {
    return look() == '\n' || look() == '\r';
}

bool PdnReader::at_line_start() const {
    return at_ == 0 || text_[at_ - 1] == '\n' || text_[at_ - 1] == '\r';
}

std::string_view PdnReader::since(std::size_t begin) const {
    return text_.substr(begin, at_ - begin);
}

void PdnReader::advance() {
    const bool first_of_two = look() == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n';
    if (at_line_end() && !first_of_two) ++line_;
    ++at_;
}

void PdnReader::skip_line() {
    while (!at_end() && !at_line_end())
        advance();
}

/// Skips a comment or an escaped line; false when there is none here.
bool PdnReader::skip_comment(PdnGame& game) {
    if (look() == ';' || (look() == '%' && at_line_start())) {
        skip_line();
        return true;
    }
    if (look() != '{') return false;
    if (!skip_braces()) note(game, "a comment has no end");
    return true;
}

/// Skips a comment in braces; false when it has no end. A tag at the beginning of a line after an
/// empty one means that the brace is missing, unless it comes before any that opens a comment: no
/// game is lost that comes after it, and games can be put in braces.
bool PdnReader::skip_braces() {
    bool is_closed = false;        // known so
    bool is_empty_so_far = false;  // the line; the first one has the brace
    bool is_after_empty = false;
    for (; !at_end() && look() != '}'; advance()) {
        if (!is_closed && is_after_empty && at_line_start() && at_tag()) {
            const std::size_t brace = text_.find_first_of("{}", at_);
            if (brace == std::string_view::npos || text_[brace] == '{') return false;
            is_closed = true;
        }
        const bool is_second_of_two = look() == '\n' && text_[at_ - 1] == '\r';
        if (at_line_end() && !is_second_of_two)
            is_after_empty = std::exchange(is_empty_so_far, true);
        else if (!is_space(look()))
            is_empty_so_far = false;
    }
    if (at_end()) return false;
    advance();
    return true;
}

/// Whether what is here begins as a tag does: `[Name "`.
bool PdnReader::at_tag() const {
    if (look() != '[') return false;
    std::size_t next = at_ + 1;
    while (next < text_.size() && is_letter_of_name(text_[next]))
        ++next;
    if (next == at_ + 1) return false;
    while (next < text_.size() && is_blank(text_[next]))
        ++next;
    return next < text_.size() && text_[next] == '"';
}

/// Skips a variation. It counts brackets instead of recursing, so deep nesting is harmless. A tag
/// at the beginning of a line means that a bracket is missing; the variation then ends there.
void PdnReader::skip_variation(PdnGame& game) {
    std::size_t depth = 0;
    while (!at_end() && !(look() == '[' && at_line_start())) {
        if (skip_comment(game)) continue;
        const char c = look();
        advance();
        if (c == '(') ++depth;
        if (c == ')' && --depth == 0) return;
    }
    note(game, "a variation has no end");
}

/// Skips one item that is not a word: white space, a comment, a variation, a glyph, the full stop
/// after a number. False when a word begins here.
bool PdnReader::skip_between_words(PdnGame& game) {
    if (skip_comment(game)) return true;
    const char c = look();
    if (c == '(') {
        skip_variation(game);
        return true;
    }
    if (!ends_word(c) && c != '.') return false;
    advance();
    while (c == '$' && !at_end() && is_digit(look()))
        advance();
    return true;
}

/// False when the tag is of the next game; it is not read then. `tags_end`: where the last tag of
/// this game ends.
bool PdnReader::read_tag(PdnGame& game, std::size_t tags_end) {
    const std::size_t begin = at_;
    advance();
    const std::string_view name = read_tag_name();
    if (begins_next_game(game, name, text_.substr(tags_end, begin - tags_end))) {
        at_ = begin;  // on the same line: a name does not reach beyond it
        return false;
    }
    const std::string_view value = read_tag_value();
    if (name.empty()) return true;
    if (game.tags.size() < max_tags)
        game.tags.push_back({name, value});
    else
        note(game, "there are more than 256 tags");
    return true;
}

std::string_view PdnReader::read_tag_name() {
    while (!at_end() && is_blank(look()))
        advance();
    const std::size_t begin = at_;
    while (!at_end() && !is_space(look()) && look() != '"' && look() != ']')
        advance();
    const std::string_view name = since(begin);
    while (!at_end() && is_blank(look()))
        advance();
    return name;
}

/// Reads to the end of the tag, or of the line when the tag is not closed.
std::string_view PdnReader::read_tag_value() {
    const bool quoted = !at_end() && look() == '"';
    if (quoted) advance();
    const std::size_t begin = at_;
    while (!at_end() && !at_line_end()) {
        if (quoted ? at_end_of_quote() : look() == ']') {
            const std::string_view value = trimmed(since(begin));
            while (look() != ']')
                advance();
            advance();
            return value;
        }
        advance();
    }
    std::string_view value = trimmed(since(begin));
    while (!value.empty() && (value.back() == ']' || value.back() == '"'))
        value.remove_suffix(1);
    return value;
}

/// The quotation mark that ends a value is the one before the closing bracket.
bool PdnReader::at_end_of_quote() const {
    if (look() != '"') return false;
    std::size_t next = at_ + 1;
    while (next < text_.size() && is_blank(text_[next]))
        ++next;
    return next < text_.size() && text_[next] == ']';
}

void PdnReader::read_word(PdnGame& game) {
    const std::size_t begin = at_;
    const auto has_more = [&] { return !at_end() && !ends_word(look()); };
    if (const std::size_t draw = length_of_parted_draw(text_.substr(begin)); draw != 0) {
        at_ = begin + draw;
        game.result = since(begin);
        return;
    }
    // A number may begin a word of any length many times, so only a part of it is looked at.
    while (at_ - begin <= longest_result && has_more())
        advance();
    const std::size_t number = length_of_move_number(text_.substr(begin));
    if (number != 0 && !is_result(since(begin))) {
        at_ = begin + number;  // what is behind its point is read next
        return;
    }
    while (has_more())
        advance();
    DEFIANCE_ASSERT(at_ > begin);
    std::string_view word = since(begin);
    if (is_result(word)) {
        game.result = word;
        return;
    }
    while (word.size() > 1 && word.back() == '*')  // a star marks a forced move
        word.remove_suffix(1);
    if (game.moves.size() < max_moves)
        game.moves.push_back({word, line_});
    else
        note(game, "there are more than 65536 moves");
}

}  // namespace defiance
