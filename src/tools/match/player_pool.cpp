#include <tools/match/player_pool.hpp>

#include <algorithm>
#include <utility>

#include <defiance/base/assert.hpp>
#include <tools/match/database_player.hpp>
#include <tools/match/make_player.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

/// Players of the middleware protocol, and `random` is one, follow the game by their own moves and
/// do not tell their names.
bool speaks_middleware(const PlayerSpec& spec) {
    return spec.kind == PlayerSpec::Kind::middleware || spec.kind == PlayerSpec::Kind::random;
}

/// The name, with a number behind it if another player has it.
std::string made_unique(const std::vector<std::string>& names, std::string name) {
    const std::string stem = name;
    for (int number = 2; std::find(names.begin(), names.end(), name) != names.end(); ++number)
        name = stem + " (" + std::to_string(number) + ')';
    return name;
}

std::string name_of_game(int type) {
    const GameCore* core = find_game(type);
    return core != nullptr ? std::string(core->rules.file_word)
                           : "game type " + std::to_string(type);
}

}  // namespace

Result<std::vector<std::string>> PlayerPool::learn_names() {
    std::vector<std::string> names;
    const CbGame game(*settings_.rules, settings_.openings.front().position);
    for (std::size_t i = 0; i < players_.size(); ++i) {
        const PlayerSpec& spec = settings_.players[i];
        std::string name = spec.name;
        if (!speaks_middleware(spec)) {
            const std::optional<Error> problem = ready(i, game, 0);
            if (problem && !settings_.recovers) return *problem;
            if (name.empty() && players_[i] != nullptr) name = players_[i]->own_name();
        }
        if (name.empty()) name = name_by_target(spec);
        names.push_back(made_unique(names, std::move(name)));
    }
    DEFIANCE_ASSERT(names.size() == players_.size());
    return names;
}

std::optional<Error> PlayerPool::ready(std::size_t player, const CbGame& game, std::size_t number) {
    DEFIANCE_ASSERT(player < players_.size());
    PlayerSpec spec = settings_.players[player];
    if (spec.kind == PlayerSpec::Kind::random) {
        players_[player].reset();
        spec.seed = seed_of_game(spec.seed, player, number);
    }
    if (players_[player] == nullptr) {
        Result<std::unique_ptr<Player>> made = make(spec, player);
        if (!made) return Error{made.error()};
        players_[player] = *std::move(made);
    }
    const std::string name = "player " + std::to_string(player + 1);
    if (const auto problem = players_[player]->begin_game(game)) {
        const std::string printed = log_.last_line(player);
        return Error{name + " cannot be started: " + problem->text +
                     (printed.empty() ? "" : "; it printed '" + printed + "'")};
    }
    const auto type = players_[player]->game_type();
    if (type && *type != settings_.rules->game_type)
        return Error{name + " plays " + name_of_game(*type) + ", not " +
                     std::string(settings_.rules->file_word)};
    return std::nullopt;
}

/// With the position database before the player, if there is one and the player can skip moves.
Result<std::unique_ptr<Player>> PlayerPool::make(const PlayerSpec& spec, std::size_t player) const {
    Result<std::unique_ptr<Player>> made = make_player(
        spec, *settings_.rules,
        {settings_.programs, settings_.policy, log_.sink_of(player), is_over_, &former_options_});
    if (!made || !settings_.database || speaks_middleware(spec)) return made;
    return std::unique_ptr<Player>(
        std::make_unique<DatabasePlayer>(*std::move(made), *settings_.database));
}

Contestant PlayerPool::contestant(std::size_t player) {
    DEFIANCE_ASSERT(players_[player] != nullptr);
    return {*players_[player], settings_.players[player].time_factor};
}

void PlayerPool::end_game(std::size_t player) {
    if (players_[player] != nullptr) players_[player]->end_game();
}

}  // namespace defiance
