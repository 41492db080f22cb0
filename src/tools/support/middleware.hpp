#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tools/support/cb_game.hpp>

namespace defiance {

/// What chooses the moves of one side. Asked only when there is a legal move.
class MovePlayer {
public:
    virtual ~MovePlayer() = default;
    /// The moves asked for from now on are of another game than those before.
    virtual void begin_game() {}
    /// A legal move of the game's position; nothing to give up.
    [[nodiscard]] virtual std::optional<Move> choose(const CbGame& game) = 0;
};

/// One side of games in the Checkers Middleware protocol, without its input and output: lines in,
/// lines out.
///
/// The first line tells which side it is: "0 0" asks for the first move of the game, anything else
/// is that move, by the other side. From then on every line is a move of the other side. What the
/// protocol calls Red is the side that moves first.
///
/// The other side may give up with the line `Give up!`, which is not answered.
///
/// The protocol has no command for another start position. As an extension of ours the line
/// `setup FEN` before the first move sets one up; it is not answered.
class MiddlewareSide {
public:
    struct Options {
        bool ignores_illegal_lines = false;  ///< goes on after a line that is no legal move
        /// After `Give up!` of either side the next line is the first of a new game, and "0 0"
        /// begins one at any time.
        bool plays_several_games = false;
        bool takes_positions = false;  ///< "setup FEN" begins a game from another position
    };
    struct Answer {
        std::optional<std::string> line;  ///< to be sent
        std::string problem;              ///< what was wrong with the line, for people; or empty
        bool is_over = false;             ///< one side has given up, and nothing more is expected
    };

    MiddlewareSide(const GameRules& rules, MovePlayer& player, Options options)
        : player_(player), options_(options), game_(rules) {}

    [[nodiscard]] Answer answer(std::string_view line);
    [[nodiscard]] const CbGame& game() const { return game_; }

private:
    [[nodiscard]] Answer set_up(std::string_view fen);
    void begin(CbGame game);
    [[nodiscard]] Answer move();
    [[nodiscard]] Answer end_game(std::optional<std::string> line);
    [[nodiscard]] Answer complain(std::string problem) const;

    MovePlayer& player_;
    Options options_;
    CbGame game_;
    bool has_begun_ = false;
};

}  // namespace defiance
