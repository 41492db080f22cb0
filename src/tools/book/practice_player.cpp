#include <tools/book/practice_player.hpp>

#include <algorithm>
#include <utility>

#include <defiance/base/assert.hpp>
#include <tools/posdb/scores.hpp>

namespace defiance {
namespace {

constexpr std::uint32_t practice_table_mebibytes = 16;

constexpr std::uint64_t learner_factor = 2;
constexpr std::uint64_t judge_factor = 4;

int limited(Score score) {
    return std::clamp(database_score(score), -practice_limit, practice_limit);
}

/// From half of the nodes to twice as many, the geometric mean about in the middle.
std::uint64_t varied(std::uint64_t nodes, Random& random) {
    constexpr std::uint64_t parts = 64;
    const std::uint64_t part = random.below(parts);
    const bool is_more = random.below(2) == 1;
    return is_more ? nodes + nodes * part / parts : nodes - nodes * part / (2 * parts);
}

}  // namespace

class PracticePlayer::StopObserver : public SearchObserver {
public:
    explicit StopObserver(const std::function<bool()>& must_stop) : must_stop_(must_stop) {}

    bool must_stop(std::uint64_t /*nodes*/) override {
        is_stopped_ = is_stopped_ || must_stop_();
        return is_stopped_;
    }
    [[nodiscard]] bool is_stopped() const { return is_stopped_; }

private:
    const std::function<bool()>& must_stop_;
    bool is_stopped_ = false;
};

PracticePlayer::Thinker::Thinker(const GameCore& core, const EndgameDatabases& endgames)
    : table(practice_table_mebibytes), search(core.make_search(table)) {
    search->use(&endgames);
}

Result<std::unique_ptr<PracticePlayer>> PracticePlayer::make(const GameCore& core,
                                                             const EndgameDatabases& endgames,
                                                             const PracticeSettings& settings) {
    std::unique_ptr<PracticePlayer> player(new PracticePlayer(core, endgames, settings));
    for (const Thinker* thinker : {&player->learner_, &player->opponent_})
        if (thinker->table.size_mebibytes() != practice_table_mebibytes)
            return Error{"there is too little memory"};
    return player;
}

PracticePlayer::PracticePlayer(const GameCore& core, const EndgameDatabases& endgames,
                               const PracticeSettings& settings)
    : rules_(core.rules), settings_(settings), learner_(core, endgames), opponent_(core, endgames) {
    DEFIANCE_ASSERT(settings.nodes > 0 && settings.plies > 0);
}

SearchResult PracticePlayer::think(Thinker& thinker, const Game& game, std::uint64_t nodes,
                                   StopObserver& observer, std::vector<Move> only) {
    DEFIANCE_ASSERT(game.state() == GameState::open);
    SearchLimits limits;
    limits.nodes = nodes;
    limits.only = std::move(only);
    return thinker.search->run(game.reversible_history(), limits, observer);
}

/// The learner's move.
PracticeMove PracticePlayer::choose(const BookExperience& experience, const Game& game,
                                    Random& random, StopObserver& observer) {
    MoveList legal;
    rules_.generate_moves(game.position(), legal);
    if (legal.size() == 1) return {legal[0], std::nullopt, 0};
    if (const auto known = experience.draw_move(game.position(), random))
        return {*known, std::nullopt, 0};
    const std::vector<Move> found = experience.moves_found(game.position());
    std::vector<Move> others;
    for (const Move& move : legal)
        if (std::find(found.begin(), found.end(), move) == found.end()) others.push_back(move);
    DEFIANCE_ASSERT(!others.empty());
    const SearchResult searched = think(learner_, game, learner_factor * settings_.nodes, observer,
                                        found.empty() ? std::vector<Move>() : std::move(others));
    return {*searched.move, static_cast<std::int16_t>(limited(searched.score)),
            static_cast<std::uint8_t>(std::min(searched.depth, 255))};
}

Move PracticePlayer::reply(const BookExperience& experience, const Game& game, Random& random,
                           StopObserver& observer) {
    MoveList legal;
    rules_.generate_moves(game.position(), legal);
    if (legal.size() == 1) return legal[0];
    if (const auto known = experience.draw_reply(game.position(), random)) return *known;
    return *think(opponent_, game, varied(settings_.nodes, random), observer).move;
}

/// What the position is worth for the learner.
int PracticePlayer::value_for(Side learner, const Game& game, StopObserver& observer) {
    const int sign = game.position().side == learner ? 1 : -1;
    switch (game.state()) {
        case GameState::lost:
            return -sign * practice_limit;
        case GameState::repetition:
        case GameState::no_progress:
            return 0;
        case GameState::open:
            break;
    }
    return sign * limited(think(learner_, game, judge_factor * settings_.nodes, observer).score);
}

std::optional<PracticeLine> PracticePlayer::play(const BookExperience& experience,
                                                 const Position& root, Side learner,
                                                 std::uint64_t seed,
                                                 const std::function<bool()>& must_stop) {
    StopObserver observer(must_stop);
    Random random(seed);
    learner_.table.clear();
    opponent_.table.clear();
    PracticeLine line{root, learner, {}, 0};
    Game game(rules_, root);
    const auto plies = static_cast<std::size_t>(settings_.plies);
    while (line.moves.size() < plies && game.state() == GameState::open) {
        PracticeMove next;
        if (game.position().side == learner)
            next = choose(experience, game, random, observer);
        else
            next.move = reply(experience, game, random, observer);
        if (observer.is_stopped()) return std::nullopt;
        game.play(next.move);
        line.moves.push_back(next);
        // Won or lost: the rest says nothing more.
        if (next.score && std::abs(int{*next.score}) == practice_limit) break;
    }
    line.value = value_for(learner, game, observer);
    if (observer.is_stopped()) return std::nullopt;
    return line;
}

}  // namespace defiance
