#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <defiance/book/book_move.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/pdn.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// Counts how often moves were played in games, and how well those who played them did.
class GameCounts {
public:
    static constexpr std::size_t max_positions = 2'000'000;

    /// Of each game the first `plies` count, and of all games the first `most_positions` positions.
    GameCounts(const GameRules& rules, std::size_t plies,
               std::size_t most_positions = max_positions)
        : rules_(rules), plies_(plies), most_positions_(most_positions) {}

    /// Adds the games of a PDN text. A game without a result, at its end or in its tag Result,
    /// counts as drawn; one is read up to its first move that is not legal. One whose tag GameType
    /// names another game is left out. Any bytes are safe. `note_part` is told after each game how
    /// much of the text is read, 0 to 1.
    void add_games(std::string_view pdn, const std::function<void(double)>& note_part = {});

    [[nodiscard]] std::uint64_t games() const { return games_; }
    /// Games that could not be read to their end, or begin with a position that cannot be played.
    [[nodiscard]] std::uint64_t faults() const { return faults_; }
    /// Games that were left out because they are of another kind of draughts.
    [[nodiscard]] std::uint64_t of_other_games() const { return of_other_games_; }
    /// What the first of them says in its tag GameType.
    [[nodiscard]] const std::string& other_game_type() const { return other_game_type_; }
    /// Games whose result is none that is known; they count as drawn.
    [[nodiscard]] std::uint64_t unknown_results() const { return unknown_results_; }
    /// Moves that do not count because there were most_positions other positions before theirs.
    [[nodiscard]] std::uint64_t moves_left_out() const { return moves_left_out_; }

    /// The moves that were played at least so often. What a move scores is the advantage that
    /// explains its results; few games count little. Its depth and support are how often it was
    /// played.
    [[nodiscard]] std::vector<BookPosition> positions(std::uint32_t least_games) const;

private:
    struct Count {
        Move move;
        std::uint32_t games = 0;
        std::uint64_t half_points = 0;  // of the player of the move
    };

    /// False when it could not be read to its end.
    [[nodiscard]] bool add_game(const PdnGame& game);
    void add_move(const Position& position, const Move& move, int half_points);

    const GameRules& rules_;
    const std::size_t plies_;
    const std::size_t most_positions_;
    std::uint64_t games_ = 0;
    std::uint64_t faults_ = 0;
    std::uint64_t of_other_games_ = 0;
    std::string other_game_type_;
    std::uint64_t unknown_results_ = 0;
    std::uint64_t moves_left_out_ = 0;
    std::unordered_map<Position, std::vector<Count>, PositionHash> counts_;  // black to move
};

}  // namespace defiance
