#include <defiance/rules/pdn.hpp>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>

namespace defiance {
namespace {

/// The text with its delimiters and control characters replaced.
std::string fit_for_pdn(std::string_view text, std::string_view ends, char instead) {
    std::string result(text);
    for (char& c : result) {
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7F') c = ' ';
        if (ends.find(c) != std::string_view::npos) c = instead;
    }
    return result;
}

std::string tag(std::string_view name, std::string_view value) {
    return '[' + std::string(name) + " \"" + pdn_tag_value(value) + "\"]\n";
}

/// Appends words in lines of at most 80 characters.
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
        DEFIANCE_ASSERT(word.find('\n') == std::string::npos);
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

std::string pdn_tag_value(std::string_view text) {
    return fit_for_pdn(text, "\"", '\'');
}

std::string to_pdn(const GameRules& rules, const Position& start,
                   std::span<const std::string> moves, const PdnHeading& heading,
                   const PdnComments& comments) {
    DEFIANCE_ASSERT(comments.after_moves.size() <= moves.size());
    std::string text = tag("Event", heading.event);
    if (!heading.round.empty()) text += tag("Round", heading.round);
    text += tag("Black", heading.black) + tag("White", heading.white) +
            tag("Result", heading.result) + tag("GameType", rules.pdn_game_type);
    if (!(start == rules.start_position()))
        text += tag("SetUp", "1") + tag("FEN", to_fen(rules, start));
    text += '\n';
    WordWrapper words(text);
    const std::size_t offset = start.side == rules.first_side ? 0 : 1;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const std::size_t ply = i + offset;
        if (ply % 2 == 0) words.add(std::to_string(ply / 2 + 1) + '.');
        if (ply % 2 == 1 && i == 0) words.add("1...");
        words.add(moves[i]);
        if (i < comments.after_moves.size()) words.add_comment(comments.after_moves[i]);
    }
    words.add_comment(comments.last);
    words.add(std::string(heading.result));
    return text + '\n';
}

}  // namespace defiance
