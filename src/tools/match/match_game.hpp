#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/rules/position.hpp>
#include <tools/support/cb_board.hpp>
#include <tools/support/openings.hpp>

namespace defiance {

/// What stands above and beside the moves of a game in PDN.
struct GameNotes {
    std::string event;
    std::string round;
    std::string first_side_name;  ///< the player whose colour opens a game from the start
    std::string second_side_name;
    std::string result;                 ///< 1-0 when the first side has won
    std::vector<std::string> comments;  ///< for each ply, without braces; an empty one is left out
    std::string ending;                 ///< last comment
};

/// A legal move as CheckerBoard sees it.
struct LegalMove {
    int from = 0;  ///< square numbers of the game
    int to = 0;
    int jumps = 0;  ///< pieces taken
    CbBoard board;  ///< after the move
};

/// A game between two players whose rules are not known before the program runs. All that a referee
/// wants to know of the rules is asked here.
class MatchGame {
public:
    virtual ~MatchGame() = default;

    [[nodiscard]] virtual const Position& position() const = 0;
    [[nodiscard]] virtual std::size_t plies() const = 0;
    [[nodiscard]] virtual bool has_move() const = 0;
    /// The legal moves of the present position. The order is the same on every build.
    [[nodiscard]] virtual std::vector<LegalMove> legal_moves() const = 0;

    /// How often the present position has occurred since the last move that cannot be taken back.
    [[nodiscard]] virtual int occurrences() const = 0;
    /// Plies of king moves without capture up to now.
    [[nodiscard]] virtual int quiet_plies() const = 0;
    /// After how many of them the law of the game itself makes a draw of this position; nothing
    /// when it leaves that to the rule that all games share.
    [[nodiscard]] virtual std::optional<int> limit_by_law() const = 0;

    /// The position's FEN as CheckerBoard writes it.
    [[nodiscard]] virtual std::string fen() const = 0;
    /// The command that CheckerBoard sends before each getmove.
    [[nodiscard]] virtual std::string history_command() const = 0;

    /// Plays the legal move that leads to this board. False, and nothing played, when none does.
    virtual bool play_board(const CbBoard& board) = 0;
    /// Plays the legal move that a line of the Checkers Middleware protocol names; with
    /// `takes_short` also one that leaves squares out, if only one move can be meant. Says what is
    /// wrong with the line, and plays nothing, when there is none.
    virtual std::optional<std::string> play_middleware_text(std::string_view line,
                                                            bool takes_short) = 0;
    /// The last move, in that protocol. There must be one.
    [[nodiscard]] virtual const std::string& last_middleware_text() const = 0;

    [[nodiscard]] virtual std::string to_pdn(const GameNotes& notes) const = 0;
};

/// One of the games that can be played: makes MatchGames, without further state.
class GameKind {
public:
    virtual ~GameKind() = default;

    [[nodiscard]] virtual std::string_view word() const = 0;  ///< as after --game
    [[nodiscard]] virtual int game_type() const = 0;          ///< CheckerBoard's number
    [[nodiscard]] virtual Side first_side() const = 0;
    /// The board index of the square with this number, 1 to 32.
    [[nodiscard]] virtual int index_of(int number) const = 0;
    [[nodiscard]] virtual std::unique_ptr<MatchGame> begin(const Position& start) const = 0;
    /// 11-man ballots, see eleven_man_ballots.
    [[nodiscard]] virtual std::vector<Opening> ballots() const = 0;
    /// See read_openings.
    [[nodiscard]] virtual Result<std::vector<Opening>> openings_in(std::string_view text) const = 0;
    /// The position in one of the forms of PDN FEN, if it can be played on.
    [[nodiscard]] virtual Result<Position> position_of(std::string_view fen) const = 0;
};

/// The kind of game of a rules type.
template <class Rules>
[[nodiscard]] const GameKind& game_kind();

/// The kind with this word after --game, or with CheckerBoard's number; null for an unknown one.
[[nodiscard]] const GameKind* find_game_kind(std::string_view word);
[[nodiscard]] const GameKind* find_game_kind(int game_type);

}  // namespace defiance
