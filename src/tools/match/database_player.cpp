#include <tools/match/database_player.hpp>

#include <string>

#include <tools/support/report.hpp>

namespace defiance {

Turn DatabasePlayer::take_turn(CbGame& game, const Allowance& allowance) {
    const auto move = database_.choose(game.rules(), game.position());
    if (const std::string problem = database_.take_problem(); !problem.empty())
        print_note("defiance: " + problem);
    if (!move || game.game().would_repeat(*move)) return player_->take_turn(game, allowance);
    game.play(*move);
    Turn turn;
    turn.status = "position database";
    turn.was_asked = false;
    return turn;
}

}  // namespace defiance
