#include <defiance/rules/game.hpp>

#include <algorithm>

#include <defiance/rules/draws.hpp>
#include <defiance/rules/generator.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {

template <class Rules>
int Game<Rules>::occurrences() const {
    return static_cast<int>(std::count(reversible_history_.begin(), reversible_history_.end(),
                                       reversible_history_.back()));
}

template <class Rules>
GameState Game<Rules>::state() const {
    if (count_moves<Rules>(position()) == 0) return GameState::lost;
    if (occurrences() >= Rules::repetitions_to_draw) return GameState::repetition;
    if (reversible_plies() >= static_cast<std::size_t>(reversible_limit<Rules>(position())) ||
        main_road_is_held<Rules>(reversible_history_))
        return GameState::no_progress;
    return GameState::open;
}

template <class Rules>
void Game<Rules>::play(const Move& move) {
    const Position next = after<Rules>(position(), move);
    if (!is_reversible(position(), move)) reversible_history_.clear();
    reversible_history_.push_back(next);
}

template class Game<DEFIANCE_GAME>;

}  // namespace defiance
