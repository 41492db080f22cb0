#include <tools/support/openings.hpp>

#include <optional>

#include <defiance/base/text.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/rules/pdn.hpp>
#include <tools/support/games.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// Plays words as moves; an error names the one that is none.
template <class Rules>
Result<Position> play_words(Position position, const std::vector<std::string_view>& words) {
    for (const std::string_view word : words) {
        const Result<Move> move = parse_move(rules_of<Rules>, position, word);
        if (!move) return Error{move.error()};
        position = after<Rules>(position, *move);
    }
    return position;
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    while (!line.empty())
        words.push_back(take_word(line));
    return words;
}

template <class Rules>
Result<Position> checked(Result<Position> position) {
    if (position && count_moves<Rules>(*position) == 0)
        return Error{"the side to move has no move"};
    return position;
}

/// The openings read so far, and the first fault.
template <class Rules>
class Collection {
public:
    void add(std::string name, const Result<Position>& position, const std::string& place) {
        const Result<Position> sound = checked<Rules>(position);
        if (!sound) {
            if (fault_.empty()) fault_ = place + ": " + sound.error();
            return;
        }
        openings_.push_back({std::move(name), *sound});
    }

    [[nodiscard]] Result<std::vector<Opening>> result() {
        if (!fault_.empty()) return Error{fault_};
        if (openings_.empty()) return Error{"there is no opening in it"};
        return std::move(openings_);
    }

private:
    std::vector<Opening> openings_;
    std::string fault_;
};

template <class Rules>
Result<Position> position_of_line(std::string_view line) {
    if (line.find(':') != std::string_view::npos && line.find(' ') == std::string_view::npos)
        return read_position<Rules>(line);
    return play_words<Rules>(start_position(Rules::first_side), words_of(line));
}

template <class Rules>
Result<std::vector<Opening>> read_lines(std::string_view text) {
    Collection<Rules> openings;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
        if (line.empty() || line[0] == '#') continue;
        openings.add(shown(line, 120), position_of_line<Rules>(line),
                     "line " + std::to_string(number));
    }
    return openings.result();
}

template <class Rules>
Result<Position> position_of_game(const PdnGame& game) {
    if (!game.problem.empty()) return Error{std::string(game.problem)};
    const auto fen = game.tag("FEN");
    const Result<Position> start =
        fen ? read_position<Rules>(*fen) : start_position(Rules::first_side);
    if (!start) return Error{"FEN: " + start.error()};
    std::vector<std::string_view> words;
    for (const PdnMove& move : game.moves)
        words.push_back(move.text);
    return play_words<Rules>(*start, words);
}

template <class Rules>
Result<std::vector<Opening>> read_games(std::string_view text) {
    Collection<Rules> openings;
    PdnReader reader(text);
    for (std::size_t number = 1; const auto game = reader.next(); ++number) {
        const std::string place = "game " + std::to_string(number);
        openings.add(shown(game->tag("Event").value_or(place), 120), position_of_game<Rules>(*game),
                     place + " on line " + std::to_string(game->line));
    }
    return openings.result();
}

}  // namespace

template <class Rules>
std::vector<Position> eleven_man_ballots() {
    const Position full = start_position(Rules::first_side);
    std::vector<Position> ballots;
    for (const int black : Squares(full.black)) {
        for (const int white : Squares(full.white)) {
            Position p = full;
            p.black &= ~bit(black);
            p.white &= ~bit(white);
            Position other = p;
            other.side = opponent(p.side);
            if (!can_capture<Rules>(p) && !can_capture<Rules>(other)) ballots.push_back(p);
        }
    }
    return ballots;
}

template <class Rules>
Result<std::vector<Opening>> read_openings(std::string_view text) {
    const bool has_tags = text.find('[') != std::string_view::npos;
    return has_tags ? read_games<Rules>(text) : read_lines<Rules>(text);
}

template std::vector<Position> eleven_man_ballots<DEFIANCE_GAME>();
template Result<std::vector<Opening>> read_openings<DEFIANCE_GAME>(std::string_view);

}  // namespace defiance
