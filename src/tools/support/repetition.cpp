#include <tools/support/repetition.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/rules/game_rules.hpp>

namespace defiance {

bool repeats_position(const Game& game, const Move& move) {
    DEFIANCE_ASSERT(is_legal(game.rules(), game.position(), move));
    const auto& history = game.reversible_history();
    const Position after = game.rules().after(game.position(), move);
    return std::find(history.begin(), history.end(), after) != history.end();
}

}  // namespace defiance
