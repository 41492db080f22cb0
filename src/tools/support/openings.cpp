#include <tools/support/openings.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/rules/pdn.hpp>
#include <tools/support/cb_game.hpp>
#include <tools/support/games.hpp>
#include <tools/support/text_file.hpp>

namespace defiance {
namespace {

/// The word without a number of a move and its points in front, as in `1.11-15`. In `11.15` the
/// point stands for a hyphen.
std::string_view without_move_number(std::string_view word) {
    const std::size_t digits = word.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string_view::npos || word[digits] != '.') return word;
    const std::string_view rest =
        word.substr(std::min(word.find_first_not_of('.', digits), word.size()));
    const bool is_number = !rest.empty() && std::all_of(rest.begin(), rest.end(), is_digit);
    return is_number ? word : rest;
}

/// Plays a word as a move; an error names it.
Result<Position> play_word(const GameRules& rules, const Position& position,
                           std::string_view written) {
    const std::string_view word = without_move_number(written);
    if (word.empty()) return position;
    const Result<Move> move = parse_move(rules, position, word);
    if (!move) return Error{move.error()};
    return rules.after(position, *move);
}

/// Plays words as moves; an error names the one that is none.
Result<Position> play_words(const GameRules& rules, Result<Position> position,
                            const std::vector<std::string_view>& words) {
    for (std::size_t i = 0; i < words.size() && position; ++i)
        position = play_word(rules, *position, words[i]);
    return position;
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    while (!line.empty())
        words.push_back(take_word(line));
    return words;
}

Result<Position> checked(const GameRules& rules, Result<Position> position) {
    if (position && rules.count_moves(*position) == 0) return Error{"the side to move has no move"};
    return position;
}

/// The openings read so far, and the first fault.
class OpeningList {
public:
    explicit OpeningList(const GameRules& rules) : rules_(rules) {}

    void add(std::string name, const Result<Position>& position, const std::string& place) {
        const Result<Position> sound = checked(rules_, position);
        if (!sound) {
            if (fault_.empty()) fault_ = place + ": " + sound.error();
            return;
        }
        DEFIANCE_ASSERT(rules_.count_moves(*sound) != 0);
        openings_.push_back({std::move(name), *sound});
    }

    [[nodiscard]] Result<std::vector<Opening>> result() {
        if (!fault_.empty()) return Error{fault_};
        if (openings_.empty()) return Error{"there is no opening in it"};
        return std::move(openings_);
    }

private:
    const GameRules& rules_;
    std::vector<Opening> openings_;
    std::string fault_;
};

Result<Position> position_of_line(const GameRules& rules, std::string_view line) {
    // A FEN begins with the side to move and a colon; no move does.
    const bool is_side = std::string_view("WwBb").find(line[0]) != std::string_view::npos;
    const bool is_fen = is_side && trimmed(line.substr(1)).starts_with(':');
    if (is_fen) return read_position(rules, line);
    return play_words(rules, rules.start_position(), words_of(line));
}

/// Takes the first line off the text, without white space at its ends.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return line;
}

/// Whether a line begins with a tag. A bracket elsewhere, as in a remark, makes no PDN of a list.
bool has_line_of_tag(std::string_view text) {
    bool is_blank_so_far = true;
    for (const char c : text) {
        if (is_blank_so_far && c == '[') return true;
        if (c == '\n' || c == '\r')
            is_blank_so_far = true;
        else if (!is_space(c))
            is_blank_so_far = false;
    }
    return false;
}

bool is_result(std::string_view word) {
    return word == "*" || half_points_of_first(word);
}

/// Whether the text is PDN without tags: a line has the result of a game, or goes on with its
/// second move or a later one.
bool has_game_without_tags(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (line.empty() || line[0] == '#') continue;
        const std::vector<std::string_view> words = words_of(line);
        if (std::any_of(words.begin(), words.end(), is_result)) return true;
        const bool has_number = without_move_number(words[0]) != words[0];
        if (has_number && !words[0].starts_with("1.")) return true;
    }
    return false;
}

Result<std::vector<Opening>> read_lines(const GameRules& rules, std::string_view text) {
    OpeningList openings(rules);
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = take_line(text);
        if (line.empty() || line[0] == '#') continue;
        openings.add(shown(line, 120), position_of_line(rules, line),
                     "line " + std::to_string(number));
    }
    return openings.result();
}

/// An error of a move names the line of it, unless the game begins there.
Result<Position> position_of_game(const GameRules& rules, const PdnGame& game) {
    if (!game.problem.empty()) return Error{std::string(game.problem)};
    const auto type = game.tag("GameType");
    if (type)
        if (const auto problem = find_other_game(*type, rules)) return *problem;
    const auto fen = game.tag("FEN");
    const Result<Position> start = fen ? read_position(rules, *fen) : rules.start_position();
    if (!start) return Error{"FEN: " + start.error()};
    Position position = *start;
    for (const PdnMove& move : game.moves) {
        const Result<Position> next = play_word(rules, position, move.text);
        if (!next)
            return Error{
                (move.line == game.line ? "" : "line " + std::to_string(move.line) + ": ") +
                next.error()};
        position = *next;
    }
    return position;
}

Result<std::vector<Opening>> read_games(const GameRules& rules, std::string_view text) {
    OpeningList openings(rules);
    PdnReader reader(text);
    for (std::size_t number = 1; const auto game = reader.next(); ++number) {
        const std::string place = "game " + std::to_string(number);
        openings.add(shown(game->tag("Event").value_or(place), 120), position_of_game(rules, *game),
                     place + " on line " + std::to_string(game->line));
    }
    return openings.result();
}

}  // namespace

std::vector<Position> eleven_man_ballots(const GameRules& rules) {
    const Position full = rules.start_position();
    std::vector<Position> ballots;
    for (const int black : Squares(full.black)) {
        for (const int white : Squares(full.white)) {
            Position p = full;
            p.black &= ~bit(black);
            p.white &= ~bit(white);
            Position other = p;
            other.side = opponent(p.side);
            DEFIANCE_ASSERT(count(p.black) == 11 && count(p.white) == 11);
            if (!rules.can_capture(p) && !rules.can_capture(other)) ballots.push_back(p);
        }
    }
    DEFIANCE_ASSERT(!ballots.empty());
    return ballots;
}

bool has_three_move_openings(const GameRules& rules) {
    return rules.game_type == English::game_type;
}

Result<std::vector<Opening>> read_openings(const GameRules& rules, std::string_view text) {
    text = without_byte_order_mark(text);
    if (has_line_of_tag(text)) return read_games(rules, text);
    // Lines may be numbered as the moves of one game are; then the list goes before it.
    Result<std::vector<Opening>> list = read_lines(rules, text);
    return list || !has_game_without_tags(text) ? std::move(list) : read_games(rules, text);
}

Result<std::vector<Opening>> read_openings_file(const GameRules& rules, const std::string& path) {
    const Result<std::string> text = read_text_file(path);
    if (!text) return Error{text.error()};
    Result<std::vector<Opening>> openings = read_openings(rules, *text);
    if (!openings) return Error{"'" + shown(path, 200) + "': " + openings.error()};
    return openings;
}

Result<NamedOpenings> openings_named(const GameRules& rules, std::string_view word) {
    NamedOpenings openings;
    if (word == "start") {
        openings.list.push_back({"start", rules.start_position()});
    } else if (word == "11-man" || word == "11man") {
        for (const Position& position : eleven_man_ballots(rules))
            openings.list.push_back({cb_fen(rules, position), position});
    } else if (word == "3-move" || word == "3move") {
        if (!has_three_move_openings(rules))
            return Error{"the three-move openings are of English draughts"};
        openings.list = three_move_openings();
    } else {
        openings.file = word;
        Result<std::vector<Opening>> list = read_openings_file(rules, openings.file);
        if (!list) return Error{list.error()};
        openings.list = *std::move(list);
    }
    DEFIANCE_ASSERT(!openings.list.empty());
    return openings;
}

}  // namespace defiance
