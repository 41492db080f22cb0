#include <tools/tuning/tuning_games.hpp>

#include <atomic>

#include <defiance/base/assert.hpp>
#include <defiance/base/parallel_for.hpp>
#include <defiance/base/random.hpp>
#include <tools/match/referee.hpp>
#include <tools/support/openings.hpp>

namespace defiance {
namespace {

/// No clock decides a game.
TimeSettings no_clock() {
    TimeSettings time;
    time.kind = TimeSettings::Kind::unlimited;
    return time;
}

/// Games end when both sides think for some moves that they are decided or level, in points of the
/// evaluation; a man is worth some 300.
Adjudication tuning_adjudication() {
    Adjudication adjudication;
    adjudication.resign = ValueAgreement{800, 3, 0};
    adjudication.draw = ValueAgreement{12, 15, 80};
    return adjudication;
}

std::vector<Position> shuffled(std::vector<Position> openings, std::uint64_t seed) {
    Random random(seed);
    for (std::size_t i = openings.size(); i > 1; --i)
        std::swap(openings[i - 1], openings[random.below(i)]);
    return openings;
}

}  // namespace

TuningGames::TuningGames(const TuningGameSettings& settings, const EndgameSettings& databases,
                         std::function<bool()> is_stopped)
    : core_(*settings.core),
      is_stopped_(std::move(is_stopped)),
      endgames_(core_.open_endgames(databases)),
      openings_(
          shuffled(settings.openings.empty() ? eleven_man_ballots(core_.rules) : settings.openings,
                   settings.seed)) {}

Result<std::unique_ptr<TuningGames>> TuningGames::make(const TuningGameSettings& settings,
                                                       const EndgameSettings& databases,
                                                       int threads,
                                                       std::function<bool()> is_stopped) {
    DEFIANCE_ASSERT(settings.core != nullptr && settings.nodes > 0 && threads > 0);
    std::unique_ptr<TuningGames> games(new TuningGames(settings, databases, std::move(is_stopped)));
    for (int i = 0; i < threads; ++i) {
        Table table;
        for (std::unique_ptr<SearchPlayer>* side : {&table.plus, &table.minus}) {
            auto player = SearchPlayer::make(games->core_, *games->endgames_, settings.nodes,
                                             games->is_stopped_);
            if (!player) return Error{player.error()};
            *side = *std::move(player);
        }
        games->tables_.push_back(std::move(table));
    }
    return games;
}

/// Half points of `plus`: 0, 1 or 2; nothing when the game was stopped.
std::optional<int> TuningGames::play_game(const TuningPair& pair, bool plus_is_first,
                                          Table& table) const {
    CbGame game(core_.rules, openings_[static_cast<std::size_t>(pair.number % openings_.size())]);
    table.plus->use(pair.plus);
    table.minus->use(pair.minus);
    SearchPlayer& first = plus_is_first ? *table.plus : *table.minus;
    SearchPlayer& second = plus_is_first ? *table.minus : *table.plus;
    static_cast<void>(first.begin_game(game));
    static_cast<void>(second.begin_game(game));
    const GameRecord record =
        referee_game(game, {first}, {second}, no_clock(), tuning_adjudication());
    if (record.ending == Ending::aborted) return std::nullopt;
    return plus_is_first ? record.first_halves : 2 - record.first_halves;
}

std::optional<std::vector<double>> TuningGames::play(const std::vector<TuningPair>& pairs,
                                                     const std::function<void()>& on_game) {
    std::vector<int> halves(2 * pairs.size());
    std::atomic<bool> is_aborted = false;
    const auto task = [&](std::uint64_t game, std::uint64_t, int thread) {
        if (is_aborted) return;
        const auto index = static_cast<std::size_t>(game);
        const auto result =
            play_game(pairs[index / 2], index % 2 == 0, tables_[static_cast<std::size_t>(thread)]);
        if (!result) {
            is_aborted = true;
            return;
        }
        halves[index] = *result;
        on_game();
    };
    parallel_for(halves.size(), 1, static_cast<int>(tables_.size()), task);
    if (is_aborted) return std::nullopt;
    std::vector<double> leads;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        leads.push_back(halves[2 * i] + halves[2 * i + 1] - 2);
    return leads;
}

}  // namespace defiance
