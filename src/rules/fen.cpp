#include <defiance/rules/fen.hpp>

#include <optional>

#include <defiance/base/text.hpp>

namespace defiance {
namespace {

/// Splits off the part before the first `separator`, trimmed; `rest` keeps what follows it.
std::string_view take_part(std::string_view& rest, char separator) {
    const std::size_t end = rest.find(separator);
    const std::string_view part = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    return trimmed(part);
}

bool is_letter(std::string_view text, char upper) {
    return text.size() == 1 && (text[0] == upper || text[0] == upper - 'A' + 'a');
}

/// Without the counters of moves that follow the pieces, each with a letter H or F before it; the
/// last may end with a point.
std::string_view without_counters(std::string_view fen) {
    for (bool is_last = true;; is_last = false) {
        const std::size_t colon = fen.rfind(':');
        if (colon == std::string_view::npos) return fen;
        std::string_view part = trimmed(fen.substr(colon + 1));
        if (is_last && part.ends_with('.')) part = trimmed(part.substr(0, part.size() - 1));
        const bool is_counter =
            part.size() >= 2 &&
            (is_letter(part.substr(0, 1), 'H') || is_letter(part.substr(0, 1), 'F')) &&
            part.find_first_not_of("0123456789", 1) == std::string_view::npos;
        if (!is_counter) return fen;
        fen = fen.substr(0, colon);
    }
}

/// Parses the lists of squares of both colours.
class FenReader {
public:
    explicit FenReader(const GameRules& rules) : rules_(rules) {}

    Result<Position> read(std::string_view text) {
        text = trimmed(without_counters(without_fen_tag(text)));
        if (!text.empty() && text.back() == '.') text = trimmed(text.substr(0, text.size() - 1));
        if (text.empty()) return Error{"no position given"};
        const std::string_view side = take_part(text, ':');
        if (!is_letter(side, 'W') && !is_letter(side, 'B'))
            return Error{"a FEN begins with W: or B:, not with '" + shown(side) + "'"};
        position_.side = is_letter(side, 'W') ? Side::white : Side::black;
        if (text.find(':') == std::string_view::npos)
            return Error{"a FEN names the squares of both colours, as in W:W31,K32:B1"};
        const std::string_view first = take_part(text, ':');
        if (!read_colour(first) || !read_colour(trimmed(text))) return Error{problem_};
        DEFIANCE_ASSERT(position_.is_consistent());
        return position_;
    }

private:
    bool fail(std::string problem) {
        problem_ = std::move(problem);
        return false;
    }

    bool read_colour(std::string_view list) {
        const std::string_view letter = list.substr(0, 1);
        const bool white = is_letter(letter, 'W');
        if (!white && !is_letter(letter, 'B'))
            return fail("squares begin with W or B, not with '" + shown(list) + "'");
        if (white ? seen_white_ : seen_black_)
            return fail(white ? "white is named twice" : "black is named twice");
        (white ? seen_white_ : seen_black_) = true;
        list = trimmed(list.substr(1));
        Bitboard& pieces = white ? position_.white : position_.black;
        while (!list.empty()) {
            const bool more = list.find(',') != std::string_view::npos;
            if (!read_squares(take_part(list, ','), pieces)) return false;
            if (more && trimmed(list).empty()) return fail("a list of squares ends with a comma");
        }
        return true;
    }

    [[nodiscard]] std::optional<int> number_in(std::string_view text) const {
        const std::optional<int> square = find_square(rules_, text);
        if (!square) return std::nullopt;
        return rules_.number(*square);
    }

    bool read_squares(std::string_view item, Bitboard& pieces) {
        const std::string_view whole = item;
        const bool king = is_letter(item.substr(0, 1), 'K');
        if (king) item = trimmed(item.substr(1));
        const bool range = item.find('-') != std::string_view::npos;
        const auto first = number_in(take_part(item, '-'));
        const auto last = range ? number_in(trimmed(item)) : first;
        if (!first || !last || *first > *last)
            return fail("'" + shown(whole) + "' is not a square" +
                        (rules_.algebraic_squares ? "" : " from 1 to 32"));
        for (int number = *first; number <= *last; ++number) {
            const Bitboard square = bit(rules_.index(number));
            if ((position_.occupied() & square) != 0)
                return fail("square " + std::to_string(number) + " is named twice");
            pieces |= square;
            if (king) position_.kings |= square;
        }
        return true;
    }

    const GameRules& rules_;
    Position position_;
    bool seen_white_ = false;
    bool seen_black_ = false;
    std::string problem_;
};

/// Appends the numbers of the squares, rising, to a list.
void append_squares(const GameRules& rules, Bitboard squares, Bitboard kings, std::string& list) {
    for (int number = 1; number <= 32; ++number) {
        const Bitboard square = bit(rules.index(number));
        if ((squares & square) == 0) continue;
        if (!list.empty()) list += ',';
        if ((kings & square) != 0) list += 'K';
        list += std::to_string(number);
    }
}

std::string list_of(const GameRules& rules, Bitboard pieces, Bitboard kings, FenOrder order) {
    std::string list;
    if (order == FenOrder::by_number) {
        append_squares(rules, pieces, kings, list);
    } else {
        append_squares(rules, pieces & ~kings, kings, list);
        append_squares(rules, pieces & kings, kings, list);
    }
    return list;
}

}  // namespace

std::optional<int> find_square(const GameRules& rules, std::string_view text) {
    if (const auto number = parse_integer(text, 1, 32))
        return rules.index(static_cast<int>(*number));
    if (!rules.algebraic_squares || text.size() != 2) return std::nullopt;
    const char letter = text[0] >= 'a' ? 'a' : 'A';
    const Coordinate c = {7 - (text[0] - letter), 7 - (text[1] - '1')};
    if (!is_playable(c)) return std::nullopt;
    return index_of(c);
}

std::string_view without_fen_tag(std::string_view text) {
    text = trimmed(text);
    if (text.size() >= 2 && text.front() == '[' && text.back() == ']')
        text = trimmed(text.substr(1, text.size() - 2));
    constexpr std::string_view word = "fen";
    if (text.size() > word.size() && equal_ignoring_case(text.substr(0, word.size()), word) &&
        is_space(text[word.size()]))
        text = trimmed(text.substr(word.size()));
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
        text = trimmed(text.substr(1, text.size() - 2));
    return text;
}

Result<Position> parse_fen(const GameRules& rules, std::string_view text) {
    return FenReader(rules).read(text);
}

std::string to_fen(const GameRules& rules, const Position& p, FenOrder order) {
    DEFIANCE_ASSERT(p.is_consistent());
    return (p.side == Side::white ? "W:W" : "B:W") + list_of(rules, p.white, p.kings, order) +
           ":B" + list_of(rules, p.black, p.kings, order);
}

}  // namespace defiance
