#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <defiance/base/result.hpp>
#include <defiance/engine/game_core.hpp>
#include <defiance/search/search.hpp>
#include <tools/match/player.hpp>

namespace defiance {

/// The search of this program, in this process, with so many nodes for each move. How it plays a
/// game depends on the game and on what it prunes by, on nothing before it.
class SearchPlayer : public Player {
public:
    /// All must outlive this. `is_stopped` is asked before every move; a turn after that is
    /// aborted. Error: there is too little memory.
    static Result<std::unique_ptr<SearchPlayer>> make(const GameCore& core,
                                                      const EndgameDatabases& endgames,
                                                      std::uint64_t nodes,
                                                      const std::function<bool()>& is_stopped);

    /// What it prunes by from the next game on.
    void use(const SearchParameters& parameters) { limits_.parameters = parameters; }

    std::optional<Error> begin_game(const CbGame& game) override;
    Turn take_turn(CbGame& game, const Allowance& allowance) override;
    void end_game() override {}
    [[nodiscard]] std::string own_name() const override { return "self"; }
    [[nodiscard]] std::optional<int> game_type() const override { return core_.rules.game_type; }

private:
    SearchPlayer(const GameCore& core, const EndgameDatabases& endgames, std::uint64_t nodes,
                 const std::function<bool()>& is_stopped);

    const GameCore& core_;
    const std::function<bool()>& is_stopped_;
    SearchLimits limits_;
    TranspositionTable table_;
    std::unique_ptr<GameSearch> search_;
    SearchObserver observer_;
};

}  // namespace defiance
