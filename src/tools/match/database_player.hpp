#pragma once

#include <memory>
#include <utility>

#include <tools/match/player.hpp>
#include <tools/posdb/remote_database.hpp>

namespace defiance {

/// Plays what a position database knows, as out of a book, and asks another player for the rest,
/// also where the database would repeat a position of the game. Asking the database costs no time
/// of the game, and its moves bring none. For players that are given the position with every move,
/// as engines are.
class DatabasePlayer : public Player {
public:
    DatabasePlayer(std::unique_ptr<Player> player, const RemoteDatabaseOptions& options)
        : player_(std::move(player)), database_(options) {}

    std::optional<Error> begin_game(const CbGame& game) override {
        return player_->begin_game(game);
    }
    Turn take_turn(CbGame& game, const Allowance& allowance) override;
    void end_game() override { player_->end_game(); }
    [[nodiscard]] std::string own_name() const override { return player_->own_name(); }
    [[nodiscard]] std::optional<int> game_type() const override { return player_->game_type(); }

private:
    std::unique_ptr<Player> player_;
    RemoteDatabase database_;
};

}  // namespace defiance
