#pragma once

#include <optional>

#include <tools/match/line_process.hpp>
#include <tools/match/player.hpp>

namespace defiance {

/// A program that speaks the Checkers Middleware protocol, started anew for every game.
class MiddlewarePlayer : public Player {
public:
    MiddlewarePlayer(std::vector<std::string> words, std::string folder, Position usual_start,
                     const PlayerContext& context)
        : words_(std::move(words)),
          folder_(std::move(folder)),
          usual_start_(usual_start),
          policy_(context.policy),
          printed_(context.printed),
          is_abandoned_(context.is_abandoned) {}
    ~MiddlewarePlayer() override { end_game(); }

    std::optional<Error> begin_game(const CbGame& game) override;
    Turn take_turn(CbGame& game, const Allowance& allowance) override;
    void end_game() override;
    [[nodiscard]] std::string own_name() const override { return {}; }
    [[nodiscard]] std::optional<int> game_type() const override { return std::nullopt; }

private:
    [[nodiscard]] bool has_unasked_output();

    std::vector<std::string> words_;
    std::string folder_;
    Position usual_start_;
    OutputPolicy policy_;
    LineSink printed_;
    const std::atomic<bool>& is_abandoned_;
    std::optional<LineProcess> process_;
};

}  // namespace defiance
