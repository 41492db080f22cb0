#include <tools/training/game_player.hpp>

#include <cstdlib>
#include <string>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>
#include <defiance/rules/games.hpp>
#include <tools/support/openings.hpp>
#include <tools/training/course.hpp>

namespace defiance {
namespace {

constexpr std::uint32_t table_mebibytes = 2;

constexpr int min_random_plies = 4;
constexpr int max_random_plies = 12;
constexpr Score max_opening_score = 150;
constexpr int max_opening_trials = 1000;

constexpr int plies_for_random_move = 50;  // one in so many plies, once a game

SelfplayEnd end_of(GameState state) {
    DEFIANCE_ASSERT(state != GameState::open);
    return state == GameState::lost         ? SelfplayEnd::no_move
           : state == GameState::repetition ? SelfplayEnd::repetition
                                            : SelfplayEnd::no_progress;
}

}  // namespace

SelfplayOpenings selfplay_openings(const GameRules& rules) {
    SelfplayOpenings openings;
    openings.ballots = eleven_man_ballots(rules);
    if (has_three_move_openings(rules))
        for (const Opening& opening : three_move_openings())
            openings.three_move.push_back(opening.position);
    return openings;
}

Result<std::unique_ptr<SelfplayPlayer>> SelfplayPlayer::make(const GameCore& core,
                                                             const EndgameDatabases& endgames,
                                                             const SelfplayOpenings& openings,
                                                             const SelfplaySettings& settings) {
    std::unique_ptr<SelfplayPlayer> player(new SelfplayPlayer(core, endgames, openings, settings));
    if (player->table_.size_mebibytes() != table_mebibytes)
        return Error{"there is too little memory"};
    return player;
}

SelfplayPlayer::SelfplayPlayer(const GameCore& core, const EndgameDatabases& endgames,
                               const SelfplayOpenings& openings, const SelfplaySettings& settings)
    : rules_(core.rules),
      openings_(openings),
      seed_(settings.seed),
      table_(table_mebibytes),
      search_(core.make_search(table_)) {
    limits_.nodes = settings.nodes;
    search_->use(&endgames);
}

SearchResult SelfplayPlayer::search(const Game& game) {
    DEFIANCE_ASSERT(game.state() == GameState::open);
    return search_->run(game.reversible_history(), limits_, observer_);
}

/// Plays random moves from one of the openings; nothing when the side to move is then without one
/// or does not stand level.
std::optional<SelfplayPlayer::Beginning> SelfplayPlayer::draw_opening(Random& random) {
    const int kind = random.below(openings_.three_move.empty() ? 2 : 3);
    Position p = rules_.start_position();
    int plies = 0;
    if (kind == 1) p = openings_.ballots[random.below(openings_.ballots.size())];
    if (kind == 2) {
        p = openings_.three_move[random.below(openings_.three_move.size())];
        plies = 3;
    }
    Game game(rules_, p);
    const int random_plies =
        min_random_plies + random.below(max_random_plies - min_random_plies + 1);
    for (int i = 0; i < random_plies; ++i, ++plies) {
        MoveList moves;
        rules_.generate_moves(game.position(), moves);
        if (moves.empty()) return std::nullopt;
        game.play(moves[random.below(moves.size())]);
    }
    if (game.state() != GameState::open) return std::nullopt;
    SearchResult found = search(game);
    if (std::abs(found.score) > max_opening_score) return std::nullopt;
    return Beginning{std::move(game), plies, std::move(found)};
}

SelfplayPlayer::Beginning SelfplayPlayer::begin(Random& random) {
    for (int trial = 0; trial < max_opening_trials; ++trial)
        if (auto beginning = draw_opening(random)) return *std::move(beginning);
    Game game(rules_, rules_.start_position());
    SearchResult found = search(game);
    return {std::move(game), 0, std::move(found)};
}

SelfplayGame SelfplayPlayer::play(std::uint64_t number) {
    DEFIANCE_ASSERT(number < max_selfplay_games);
    table_.clear();
    Random random(Random(Random(seed_).next() ^ number).next());
    auto [game, plies, found] = begin(random);
    SelfplayCourse course(rules_);
    while (course.add(game.position(), found, plies)) {
        Move move = *found.move;
        if (course.may_move_at_random() && random.below(plies_for_random_move) == 0) {
            MoveList moves;
            rules_.generate_moves(game.position(), moves);
            move = moves[random.below(moves.size())];
            course.move_at_random(found.score);
        }
        game.play(move);
        ++plies;
        const GameState state = game.state();
        if (state != GameState::open) {
            const int value = state == GameState::lost ? -1 : 0;
            course.end(game.position(), end_of(state), value);
            break;
        }
        if (plies == max_selfplay_plies) {
            course.end(game.position(), SelfplayEnd::too_long, 0);
            break;
        }
        found = search(game);
    }
    return course.finish(plies);
}

std::uint32_t play_fingerprint(const GameCore& core, const std::string& egdb_folder) {
    constexpr std::uint64_t games = 4;
    SelfplaySettings settings;
    settings.nodes = 300;
    EndgameSettings databases;
    databases.built_in = false;
    databases.folder = egdb_folder;
    const auto endgames = core.open_endgames(databases);
    const SelfplayOpenings openings = selfplay_openings(core.rules);
    const auto player = SelfplayPlayer::make(core, *endgames, openings, settings);
    if (!player) return 0;
    SelfplayBlock block;
    for (std::uint64_t i = 0; i < games; ++i) {
        const SelfplayGame game = (*player)->play(i);
        block.games.push_back(game.summary);
        block.records.insert(block.records.end(), game.records.begin(), game.records.end());
    }
    const std::string bytes = encode(block);
    return checksum({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

}  // namespace defiance
