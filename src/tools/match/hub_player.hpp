#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tools/match/line_process.hpp>
#include <tools/match/player.hpp>
#include <tools/match/player_spec.hpp>
#include <tools/support/hub_line.hpp>

namespace defiance {

/// A program that speaks the Hub protocol, version 2; support/hub_notation.hpp tells how it is used
/// on our board. It is kept from game to game, and started anew after a turn that it has lost, or
/// when it does not answer a ping before a game. A ping takes no work, so it has less time
/// than a start.
///
/// It is given the position after the last irreversible move and the moves since. It is told to
/// stop when its time is almost up. What it writes that is not understood is ignored, but it is not
/// started with a parameter that it has not declared or answers with an error.
class HubPlayer : public Player {
public:
    HubPlayer(std::vector<std::string> words, const PlayerSpec& spec, const GameRules& rules,
              const PlayerContext& context)
        : words_(std::move(words)),
          folder_(spec.folder),
          parameters_(spec.parameters),
          depth_(spec.depth),
          nodes_(spec.nodes),
          variant_(rules.file_word),
          policy_(context.policy),
          printed_(context.printed),
          is_abandoned_(context.is_abandoned) {}
    ~HubPlayer() override;

    std::optional<Error> begin_game(const CbGame& game) override;
    Turn take_turn(CbGame& game, const Allowance& allowance) override;
    void end_game() override {}
    [[nodiscard]] std::string own_name() const override { return name_; }
    [[nodiscard]] std::optional<int> game_type() const override { return std::nullopt; }

private:
    /// How the waiting for a command has ended, and what was read until then.
    struct Reply {
        LineProcess::Reading reading = LineProcess::Reading::closed;
        HubLine line;               ///< the command waited for
        std::vector<HubLine> told;  ///< the others, the last of each name only
    };

    [[nodiscard]] std::optional<Error> start();
    [[nodiscard]] std::optional<Error> introduce();
    [[nodiscard]] Result<std::string> settings_for(const std::vector<HubLine>& declared) const;
    [[nodiscard]] Result<Reply> ask(const std::string& question, std::string_view command,
                                    double seconds);
    [[nodiscard]] Reply await_command(std::string_view command, double limit, double margin);
    void remember(HubLine line, Reply& reply) const;
    [[nodiscard]] bool has_unasked_move();
    [[nodiscard]] std::string question(const CbGame& game, const Allowance& allowance) const;
    [[nodiscard]] Turn judge(CbGame& game, const Reply& reply) const;

    std::vector<std::string> words_;
    std::string folder_;
    std::vector<std::pair<std::string, std::string>> parameters_;
    std::int64_t depth_;
    std::int64_t nodes_;
    std::string variant_;
    OutputPolicy policy_;
    LineSink printed_;
    const std::atomic<bool>& is_abandoned_;
    std::optional<LineProcess> process_;
    std::string name_;
};

}  // namespace defiance
