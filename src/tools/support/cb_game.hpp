#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/rules/game.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>
#include <tools/support/cb_board.hpp>

namespace defiance {

/// The position's FEN as CheckerBoard writes it: white first, squares by their number, kings among
/// the men.
template <class Rules>
[[nodiscard]] std::string cb_fen(const Position& position);

/// A game that engines play over the border, kept as CheckerBoard keeps it.
template <class Rules>
class CbGame {
public:
    explicit CbGame(const Position& start)
        : start_(start), reversible_start_(start), game_(rules_of<Rules>, start) {}

    [[nodiscard]] const Position& start() const { return start_; }
    [[nodiscard]] const Position& position() const { return game_.position(); }
    [[nodiscard]] const Game& rules() const { return game_; }
    /// Where the game stands, draws that CheckerBoard declares included.
    [[nodiscard]] GameState state() const { return game_.state(); }
    /// The moves from the start, and each as full text.
    [[nodiscard]] const std::vector<Move>& moves() const { return moves_; }
    [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

    /// The command that CheckerBoard sends before each getmove: the position after the last move
    /// that cannot be taken back, and the moves since.
    [[nodiscard]] std::string history_command() const;

    /// Plays the legal move that leads to the board an engine returned. Nothing, and no move
    /// played, when there is none.
    std::optional<Move> accept(const CbBoard& returned);

    void play(const Move& move);

private:
    Position start_;
    Position reversible_start_;
    std::vector<std::string>
        reversible_moves_;  // since reversible_start_, as CheckerBoard sends them
    Game game_;
    std::vector<Move> moves_;
    std::vector<std::string> texts_;
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

/// The game as PDN text, lines of at most 80 characters as far as words allow; the result stands at
/// the end too. In the heading's texts quotation marks are replaced.
template <class Rules>
[[nodiscard]] std::string to_pdn(const CbGame<Rules>& game, const PdnHeading& heading,
                                 const PdnComments& comments = {});

}  // namespace defiance
