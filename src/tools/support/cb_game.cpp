#include <tools/support/cb_game.hpp>

#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/rules/numbering.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

template <class Rules>
std::string squares_of(const Position& position, Side side) {
    std::string text;
    for (int number = 1; number <= 32; ++number) {
        const Bitboard square = bit(Numbering<Rules>::index(number));
        if ((position.pieces(side) & square) == 0) continue;
        if (!text.empty()) text += ',';
        if ((position.kings & square) != 0) text += 'K';
        text += std::to_string(number);
    }
    return text;
}

template <class Rules>
std::string plain_text(const Move& move) {
    return std::to_string(Numbering<Rules>::number(move.from)) + '-' +
           std::to_string(Numbering<Rules>::number(move.to));
}

/// The text with the bytes that would end it early, and control characters, replaced.
std::string fit_for_pdn(std::string_view text, std::string_view ends, char instead) {
    std::string result(text);
    for (char& c : result) {
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7F') c = ' ';
        if (ends.find(c) != std::string_view::npos) c = instead;
    }
    return result;
}

std::string tag(std::string_view name, std::string_view value) {
    return '[' + std::string(name) + " \"" + fit_for_pdn(value, "\"", '\'') + "\"]\n";
}

/// Appends words, with a line feed where the line would get longer than 80 characters.
class WordWrapper {
public:
    explicit WordWrapper(std::string& text) : text_(text) {}

    void add(const std::string& word) {
        if (column_ != 0 && column_ + 1 + word.size() > 80) {
            text_ += '\n';
            column_ = 0;
        }
        if (column_ != 0) {
            text_ += ' ';
            ++column_;
        }
        text_ += word;
        column_ += word.size();
    }

    void add_comment(std::string_view comment) {
        if (comment.empty()) return;
        const std::string text = '{' + fit_for_pdn(comment, "{}", '/') + '}';
        std::string_view rest = text;
        while (!rest.empty())
            add(std::string(take_word(rest)));
    }

private:
    std::string& text_;
    std::size_t column_ = 0;
};

}  // namespace

template <class Rules>
std::string cb_fen(const Position& position) {
    return (position.side == Side::white ? "W:W" : "B:W") +
           squares_of<Rules>(position, Side::white) + ":B" +
           squares_of<Rules>(position, Side::black);
}

template <class Rules>
std::string CbGame<Rules>::history_command() const {
    std::string text = "set gamehist " + cb_fen<Rules>(reversible_start_);
    for (const std::string& move : reversible_moves_)
        text += ' ' + move;
    return text;
}

template <class Rules>
std::optional<Move> CbGame<Rules>::accept(const CbBoard& returned) {
    MoveList moves;
    generate_moves<Rules>(position(), moves);
    for (const Move& move : moves) {
        if (!(to_cb_board(after<Rules>(position(), move)) == returned)) continue;
        const Move played = move;
        play(played);
        return played;
    }
    return std::nullopt;
}

template <class Rules>
void CbGame<Rules>::play(const Move& move) {
    texts_.push_back(to_text(rules_of<Rules>, position(), move));
    moves_.push_back(move);
    const bool reversible = is_reversible(position(), move);
    game_.play(move);
    if (reversible) {
        reversible_moves_.push_back(plain_text<Rules>(move));
        return;
    }
    reversible_moves_.clear();
    reversible_start_ = position();
}

template <class Rules>
std::string to_pdn(const CbGame<Rules>& game, const PdnHeading& heading,
                   const PdnComments& comments) {
    std::string text = tag("Event", heading.event);
    if (!heading.round.empty()) text += tag("Round", heading.round);
    text += tag("Black", heading.black) + tag("White", heading.white) +
            tag("Result", heading.result) + tag("GameType", Rules::pdn_game_type);
    if (!(game.start() == start_position(Rules::first_side)))
        text += tag("SetUp", "1") + tag("FEN", to_fen(rules_of<Rules>, game.start()));
    text += '\n';
    WordWrapper words(text);
    const std::size_t offset = game.start().side == Rules::first_side ? 0 : 1;
    for (std::size_t i = 0; i < game.texts().size(); ++i) {
        const std::size_t ply = i + offset;
        if (ply % 2 == 0) words.add(std::to_string(ply / 2 + 1) + '.');
        if (ply % 2 == 1 && i == 0) words.add("1...");
        words.add(game.texts()[i]);
        if (i < comments.after_moves.size()) words.add_comment(comments.after_moves[i]);
    }
    words.add_comment(comments.last);
    words.add(std::string(heading.result));
    return text + '\n';
}

template std::string cb_fen<DEFIANCE_GAME>(const Position&);
template class CbGame<DEFIANCE_GAME>;
template std::string to_pdn<DEFIANCE_GAME>(const CbGame<DEFIANCE_GAME>&, const PdnHeading&,
                                           const PdnComments&);

}  // namespace defiance
