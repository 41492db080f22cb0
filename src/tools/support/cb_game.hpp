#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/rules/game.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move.hpp>
#include <defiance/rules/pdn.hpp>
#include <defiance/rules/position.hpp>
#include <tools/support/cb_board.hpp>
#include <tools/support/middleware_notation.hpp>

namespace defiance {

/// The position's FEN as CheckerBoard writes it.
[[nodiscard]] std::string cb_fen(const GameRules& rules, const Position& position);

/// A legal move as CheckerBoard sees it.
struct LegalMove {
    int from = 0;  ///< square numbers of the game
    int to = 0;
    int jumps = 0;  ///< pieces taken
    CbBoard board;  ///< after the move
};

/// A game that engines and programs play, kept as CheckerBoard keeps it.
class CbGame {
public:
    CbGame(const GameRules& rules, const Position& start);
    /// From the start position.
    explicit CbGame(const GameRules& rules) : CbGame(rules, rules.start_position()) {}

    [[nodiscard]] const GameRules& rules() const { return game_.rules(); }
    [[nodiscard]] const Position& start() const { return start_; }
    [[nodiscard]] const Position& position() const { return game_.position(); }
    /// What the draw rules look at.
    [[nodiscard]] const Game& game() const { return game_; }
    /// Where the game stands, draws that CheckerBoard declares included.
    [[nodiscard]] GameState state() const { return game_.state(); }
    /// The moves from the start, and each as full text.
    [[nodiscard]] const std::vector<Move>& moves() const { return moves_; }
    [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
    [[nodiscard]] std::size_t plies() const { return moves_.size(); }

    [[nodiscard]] bool has_move() const { return rules().count_moves(position()) != 0; }
    /// The legal moves of the present position. The order is the same on every build.
    [[nodiscard]] std::vector<LegalMove> legal_moves() const;
    /// How often the present position has occurred since the last irreversible move.
    [[nodiscard]] int occurrences() const { return game_.occurrences(); }
    /// Plies of king moves without capture up to now.
    [[nodiscard]] int reversible_plies() const {
        return static_cast<int>(game_.reversible_plies());
    }
    /// After how many of them the law of the game itself makes a draw of this position; nothing
    /// when it leaves that to the rule that all games share.
    [[nodiscard]] std::optional<int> limit_by_law() const;

    /// The position's FEN as CheckerBoard writes it.
    [[nodiscard]] std::string fen() const { return cb_fen(rules(), position()); }
    /// The command that CheckerBoard sends before each getmove: the position after the last
    /// irreversible move, and the moves since.
    [[nodiscard]] std::string history_command() const;

    /// The position after the last irreversible move, and the moves since.
    [[nodiscard]] const Position& reversible_start() const { return reversible_start_; }
    [[nodiscard]] std::span<const Move> reversible_moves() const {
        return std::span(moves_).last(reversible_moves_.size());
    }

    /// Plays a legal move of the position.
    void play(const Move& move);
    /// Plays the legal move that leads to the board an engine returned. Nothing, and no move
    /// played, when there is none.
    std::optional<Move> play_board(const CbBoard& returned);
    /// Plays the legal move that a line of the Checkers Middleware protocol names. Error, and no
    /// move played: what is wrong with the line.
    Result<Move> play_middleware_text(std::string_view line,
                                      MiddlewareForm form = MiddlewareForm::whole);
    /// The last move, in that protocol. There must be one.
    [[nodiscard]] std::string last_middleware_text() const;

    /// The game in PDN.
    [[nodiscard]] std::string to_pdn(const PdnHeading& heading,
                                     const PdnComments& comments = {}) const;

private:
    Position start_;
    Position before_last_;
    Position reversible_start_;
    std::vector<std::string>
        reversible_moves_;  // since reversible_start_, as CheckerBoard sends them
    Game game_;
    std::vector<Move> moves_;
    std::vector<std::string> texts_;
};

}  // namespace defiance
