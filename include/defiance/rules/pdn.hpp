#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// One tag of a game, such as `[Black "M. Tinsley"]`. In the value an escaped quotation mark keeps
/// its backslash.
struct PdnTag {
    std::string_view name;
    std::string_view value;
};

/// One move as written, without its number and marks such as `!`. Every word that is nothing else
/// counts as a move here, also a number of more than three digits without a point and `11.15`;
/// parse_move tells whether it is one.
struct PdnMove {
    std::string_view text;
    std::size_t line = 0;  ///< in the file, from 1
};

/// What a result in PDN says of the side that opens the game, in half points, 0 to 2: `1-0`, `0-1`,
/// `1/2-1/2`, `2-0`, `1-1` and so on, also with a colon or an en dash, and draws as `1/2`, `½-½`
/// (in UTF-8 or Latin-1) and `0.5-0.5`. Blanks within count for nothing. Nothing for `*` and for
/// any other text.
[[nodiscard]] std::optional<int> half_points_of_first(std::string_view result);

/// One game of a PDN file. All texts are parts of the file's text and live as long as it does.
struct PdnGame {
    std::vector<PdnTag> tags;
    std::vector<PdnMove> moves;
    std::string_view result;   ///< as written, see half_points_of_first(), or `*`; else empty
    std::string_view problem;  ///< what is wrong with the text of the game, in words; else empty
    std::size_t line = 0;      ///< where the game begins in the file, from 1

    /// The value of the first tag with this name, whatever the case of its letters.
    [[nodiscard]] std::optional<std::string_view> tag(std::string_view name) const;
};

/// Reads the games of a PDN file one after the other. Comments, variations, numeric annotation
/// glyphs and lines that begin with % are skipped. A comment that is not closed ends with the file,
/// or before a tag that begins a line after an empty one, unless the next brace behind that closes
/// it. A game ends with its result, which may be parted as `1/2 - 1/2` is, or where the tags of the
/// next one begin. After a move that is any tag. In a game without moves it is a tag whose name the
/// game has already, since no game has a name twice, and the tag Event, the first by the standard,
/// behind an empty line. Any other tag behind an empty line belongs to the game: files have empty
/// lines between the tags of one.
///
/// Any bytes are safe. All calls together take time proportional to the text. The memory of a game
/// is bounded: tags and moves beyond max_tags and max_moves are left out, and `problem` says so.
class PdnReader {
public:
    static constexpr std::size_t max_tags = 256;
    static constexpr std::size_t max_moves = 65536;

    /// The text must outlive the reader and its games.
    explicit PdnReader(std::string_view text);

    /// The next game, or nothing at the end of the text. A game has a tag, a move or a problem.
    [[nodiscard]] std::optional<PdnGame> next();

private:
    [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
    [[nodiscard]] char look() const { return text_[at_]; }
    [[nodiscard]] bool at_line_end() const;
    [[nodiscard]] bool at_line_start() const;
    [[nodiscard]] std::string_view since(std::size_t begin) const;
    void advance();
    void skip_line();
    bool skip_comment(PdnGame& game);
    bool skip_braces();
    [[nodiscard]] bool at_tag() const;
    void skip_variation(PdnGame& game);
    bool skip_between_words(PdnGame& game);
    bool read_tag(PdnGame& game, std::size_t tags_end);
    std::string_view read_tag_name();
    std::string_view read_tag_value();
    [[nodiscard]] bool at_end_of_quote() const;
    void read_word(PdnGame& game);

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

/// The heading of a game in PDN.
struct PdnHeading {
    std::string_view event;
    std::string_view round;  ///< the tag is left out when it is empty
    std::string_view black;
    std::string_view white;
    std::string_view
        result;  ///< "1-0" means that black has won in English draughts, the first side
};

/// Remarks in braces between the moves of a game. Braces and control characters within are changed
/// to what PDN allows.
struct PdnComments {
    std::span<const std::string> after_moves;  ///< one for each ply from the first; may be empty
    std::string_view last;                     ///< before the result
};

/// The text as to_pdn() writes it into a tag, without quotation marks and control characters.
[[nodiscard]] std::string pdn_tag_value(std::string_view text);

/// A game that begins with `start` as PDN text, lines of at most 80 characters as far as words
/// allow; `moves` are texts of moves, and the result stands at the end too. In the heading's texts
/// quotation marks are replaced.
[[nodiscard]] std::string to_pdn(const GameRules& rules, const Position& start,
                                 std::span<const std::string> moves, const PdnHeading& heading,
                                 const PdnComments& comments = {});

}  // namespace defiance
