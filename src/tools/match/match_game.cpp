#include <tools/match/match_game.hpp>

#include <tools/support/games.hpp>

namespace defiance {
namespace {

template <class Wanted>
const GameKind* find_kind(Wanted is_wanted) {
    const GameKind* found = nullptr;
    for_each_game(BuiltGames{}, [&]<class Rules>() {
        if (is_wanted(game_kind<Rules>())) found = &game_kind<Rules>();
    });
    return found;
}

}  // namespace

const GameKind* find_game_kind(std::string_view word) {
    return find_kind([&](const GameKind& kind) { return kind.word() == word; });
}

const GameKind* find_game_kind(int game_type) {
    return find_kind([&](const GameKind& kind) { return kind.game_type() == game_type; });
}

}  // namespace defiance
