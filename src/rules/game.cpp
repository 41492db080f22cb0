#include <defiance/rules/game.hpp>

#include <algorithm>

namespace defiance {

bool is_legal(const GameRules& rules, const Position& position, const Move& move) {
    MoveList moves;
    rules.generate_moves(position, moves);
    return std::find(moves.begin(), moves.end(), move) != moves.end();
}

int Game::occurrences() const {
    return static_cast<int>(std::count(reversible_history_.begin(), reversible_history_.end(),
                                       reversible_history_.back()));
}

bool Game::would_repeat(const Move& move) const {
    DEFIANCE_ASSERT(is_legal(*rules_, position(), move));
    const Position next = rules_->after(position(), move);
    return std::find(reversible_history_.begin(), reversible_history_.end(), next) !=
           reversible_history_.end();
}

GameState Game::state() const {
    if (rules_->count_moves(position()) == 0) return GameState::lost;
    if (occurrences() >= rules_->repetitions_to_draw) return GameState::repetition;
    if (reversible_plies() >= static_cast<std::size_t>(rules_->reversible_limit(position())) ||
        rules_->main_road_is_held(reversible_history_))
        return GameState::no_progress;
    return GameState::open;
}

void Game::play(const Move& move) {
    DEFIANCE_ASSERT(is_legal(*rules_, position(), move));
    const Position next = rules_->after(position(), move);
    if (!is_reversible(position(), move)) reversible_history_.clear();
    reversible_history_.push_back(next);
}

}  // namespace defiance
