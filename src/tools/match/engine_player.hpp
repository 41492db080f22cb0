#pragma once

#include <optional>

#include <tools/match/player.hpp>

namespace defiance {

/// A CheckerBoard engine in a process of its own, which is kept from game to game.
///
/// An engine file stores its options, so what the setup commands of the form `set NAME VALUE`
/// change is put back with the end of the object, as far as `get NAME` tells what it was; not after
/// a crash, and not when the engine hangs.
class EnginePlayer : public Player {
public:
    /// `stored_as` is the name under which the engine stores its options; empty for one that stores
    /// nothing.
    EnginePlayer(std::vector<std::string> command, std::string folder, std::string stored_as,
                 std::vector<std::string> setup_commands, const PlayerContext& context)
        : command_(std::move(command)),
          folder_(std::move(folder)),
          stored_as_(std::move(stored_as)),
          setup_commands_(std::move(setup_commands)),
          policy_(context.policy),
          printed_(context.printed),
          is_abandoned_(context.is_abandoned),
          former_options_(context.former_options) {}
    ~EnginePlayer() override;

    std::optional<Error> begin_game(const CbGame& game) override;
    Turn take_turn(CbGame& game, const Allowance& allowance) override;
    void end_game() override {}
    [[nodiscard]] std::string own_name() const override { return name_; }
    [[nodiscard]] std::optional<int> game_type() const override { return game_type_; }

private:
    [[nodiscard]] std::optional<Error> start();
    [[nodiscard]] std::optional<Error> set_up();
    [[nodiscard]] std::optional<Error> note_option(std::string_view command);
    void put_options_back();
    void leave_move();

    std::vector<std::string> command_;
    std::string folder_;
    std::string stored_as_;
    std::vector<std::string> setup_commands_;
    OutputPolicy policy_;
    LineSink printed_;
    const std::atomic<bool>& is_abandoned_;
    FormerOptions* former_options_;
    std::optional<EngineProcess> engine_;
    std::string name_;
    std::optional<int> game_type_;
    bool is_first_move_ = true;
};

}  // namespace defiance
