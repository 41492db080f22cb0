#include <tools/tuning/search_player.hpp>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

/// Enough for the nodes that one usually tunes with, and quickly cleared.
constexpr std::uint32_t player_mebibytes = 8;

}  // namespace

Result<std::unique_ptr<SearchPlayer>> SearchPlayer::make(const GameCore& core,
                                                         const EndgameDatabases& endgames,
                                                         std::uint64_t nodes,
                                                         const std::function<bool()>& is_stopped) {
    std::unique_ptr<SearchPlayer> player(new SearchPlayer(core, endgames, nodes, is_stopped));
    if (player->table_.size_mebibytes() != player_mebibytes)
        return Error{"there is too little memory"};
    return player;
}

SearchPlayer::SearchPlayer(const GameCore& core, const EndgameDatabases& endgames,
                           std::uint64_t nodes, const std::function<bool()>& is_stopped)
    : core_(core),
      is_stopped_(is_stopped),
      table_(player_mebibytes),
      search_(core.make_search(table_)) {
    DEFIANCE_ASSERT(nodes > 0 && is_stopped != nullptr);
    limits_.nodes = nodes;
    search_->use(&endgames);
}

std::optional<Error> SearchPlayer::begin_game([[maybe_unused]] const CbGame& game) {
    DEFIANCE_ASSERT(game.rules().game_type == core_.rules.game_type);
    table_.clear();
    return std::nullopt;
}

Turn SearchPlayer::take_turn(CbGame& game, const Allowance&) {
    DEFIANCE_ASSERT(game.has_move());
    if (is_stopped_()) return faulty_turn(Ending::aborted, {});
    const SearchResult found = search_->run(game.game().reversible_history(), limits_, observer_);
    DEFIANCE_ASSERT(found.move);
    game.play(*found.move);
    // The seconds stay 0: no clock of this machine may decide a game.
    Turn turn;
    turn.status = "value=" + with_sign(found.score);
    return turn;
}

}  // namespace defiance
