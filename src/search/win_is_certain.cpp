#include <algorithm>

#include <defiance/search/search.hpp>

namespace defiance {

bool win_is_certain(const GameRules& rules, std::span<const Position> history, Score score) {
    if (!is_proven(score)) return false;
    const int plies = static_cast<int>(history.size()) - 1 + plies_to_end(score);
    if (plies >= rules.min_reversible_limit) return false;
    for (std::size_t i = 0; i < history.size(); ++i)
        if (std::find(history.begin(), history.begin() + static_cast<std::ptrdiff_t>(i),
                      history[i]) != history.begin() + static_cast<std::ptrdiff_t>(i))
            return false;
    return true;
}

}  // namespace defiance
