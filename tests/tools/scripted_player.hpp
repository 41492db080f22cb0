#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <defiance/rules/english.hpp>
#include <tools/match/referee.hpp>
#include <tools/support/games.hpp>

namespace defiance {

/// What a ScriptedPlayer does in one turn: plays the move, if there is one, and reports the turn.
struct ScriptedTurn {
    std::string move;  ///< in the middleware notation; empty when the turn has a fault
    Turn turn = {};
};

/// Turns without anything special.
inline std::vector<ScriptedTurn> quiet_turns(const std::vector<std::string>& moves) {
    std::vector<ScriptedTurn> turns;
    for (const std::string& move : moves)
        turns.push_back({move});
    return turns;
}

/// The same moves, each with this status line.
inline std::vector<ScriptedTurn> turns_saying(const std::vector<std::string>& moves,
                                              const std::string& status) {
    std::vector<ScriptedTurn> turns = quiet_turns(moves);
    for (ScriptedTurn& turn : turns)
        turn.turn.status = status;
    return turns;
}

/// A player in this process that does what it was told, over and over again.
class ScriptedPlayer : public Player {
public:
    explicit ScriptedPlayer(std::vector<ScriptedTurn> turns) : turns_(std::move(turns)) {}

    std::optional<Error> begin_game(const CbGame&) override { return std::nullopt; }
    Turn take_turn(CbGame& game, const Allowance& allowance) override {
        REQUIRE_FALSE(turns_.empty());
        allowances_.push_back(allowance);
        const ScriptedTurn& turn = turns_[asked_++ % turns_.size()];
        if (!turn.move.empty()) REQUIRE(game.play_middleware_text(turn.move));
        return turn.turn;
    }
    void end_game() override {}
    [[nodiscard]] std::string own_name() const override { return "scripted"; }
    [[nodiscard]] std::optional<int> game_type() const override { return std::nullopt; }

    [[nodiscard]] std::size_t asked() const { return asked_; }
    /// What each turn was given.
    [[nodiscard]] const std::vector<Allowance>& allowances() const { return allowances_; }

private:
    std::vector<ScriptedTurn> turns_;
    std::vector<Allowance> allowances_;
    std::size_t asked_ = 0;
};

inline CbGame game_from(std::string_view fen, const GameRules& rules = rules_of<English>) {
    const Result<Position> position = read_position(rules, fen);
    REQUIRE(position);
    return {rules, *position};
}

inline CbGame game_from_start() {
    return CbGame(rules_of<English>);
}

/// The first player has lost a game by this rule after so many plies, and what is said of it can be
/// printed.
inline void check_loss(const GameRecord& record, Ending ending, std::size_t plies) {
    INFO(record.detail);
    CHECK(code_of(record.ending) == code_of(ending));
    CHECK(result_of(record) == "0-1");
    CHECK(record.plies == plies);
    for (const char c : record.detail)
        CHECK((c >= ' ' && c <= '~'));
}

}  // namespace defiance
