#include <tools/training/game_player.hpp>

#include <cstdlib>
#include <string>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>
#include <defiance/rules/games.hpp>
#include <tools/support/openings.hpp>

namespace defiance {
namespace {

constexpr std::uint32_t table_mebibytes = 2;

constexpr int min_random_plies = 4;
constexpr int max_random_plies = 12;
constexpr Score max_opening_score = 150;
constexpr int max_opening_trials = 1000;

constexpr int plies_for_random_move = 50;  // one in so many plies, once a game
constexpr Score max_random_loss = 30;      // costs a random move no more, the records stay

constexpr int max_plies = 200;
constexpr Score level_score = 12;
constexpr int first_level_ply = 80;
constexpr int plies_to_be_level = 30;
constexpr Score decided_score = 1500;
constexpr int plies_to_be_decided = 6;
constexpr int plies_after_known = 12;
static_assert(max_plies < max_records_of_game);

/// Results are counted for black in this file: 1, 0 or -1.
int for_black(Side side, int result) {
    return side == Side::black ? result : -result;
}

int value_of(const EgdbResult& result) {
    return result.wld == Wld::draw ? 0 : result.wld == Wld::win ? 1 : -1;
}

/// The records of a game under way.
class RecordList {
public:
    explicit RecordList(const GameRules& rules) : rules_(rules) {}

    /// Adds the position if neither side could capture in it. Its result is that of the game where
    /// none is known.
    void add(const Position& p, Score score, std::optional<int> known_for_black) {
        Position other = p;
        other.side = opponent(p.side);
        if (rules_.can_capture(p) || rules_.can_capture(other)) return;
        entries_.push_back({record_of(p, score), p.side, known_for_black});
    }

    void clear() { entries_.clear(); }

    [[nodiscard]] std::vector<TrainingRecord> finish(int result_for_black) const {
        std::vector<TrainingRecord> records;
        for (const Entry& entry : entries_) {
            records.push_back(entry.record);
            const int result = entry.known_for_black.value_or(result_for_black);
            records.back().result = static_cast<std::int8_t>(for_black(entry.side, result));
        }
        if (!records.empty()) records.front().flags = TrainingRecord::first_of_game;
        return records;
    }

private:
    struct Entry {
        TrainingRecord record;
        Side side;
        std::optional<int> known_for_black;
    };
    const GameRules& rules_;
    std::vector<Entry> entries_;
};

/// Ends games whose outcome is clear from their scores.
class Adjudicator {
public:
    struct Verdict {
        int result_for_black;
        SelfplayEnd end;
    };

    /// Takes the score of each position in turn.
    [[nodiscard]] std::optional<Verdict> judge(Side side, Score score, int ply) {
        level_ = ply >= first_level_ply && std::abs(score) < level_score ? level_ + 1 : 0;
        const int winner = score > decided_score ? 1 : score < -decided_score ? -1 : 0;
        const int winner_for_black = for_black(side, winner);
        decided_ = winner == 0 ? 0 : winner_for_black == winner_ ? decided_ + 1 : 1;
        winner_ = winner_for_black;
        if (decided_ >= plies_to_be_decided) return Verdict{winner_, SelfplayEnd::decided};
        if (level_ >= plies_to_be_level) return Verdict{0, SelfplayEnd::level};
        return std::nullopt;
    }

private:
    int level_ = 0;    // positions in a row
    int decided_ = 0;  // positions in a row
    int winner_ = 0;   // of these, for black
};

SelfplayEnd end_of(GameState state) {
    DEFIANCE_ASSERT(state != GameState::open);
    return state == GameState::lost         ? SelfplayEnd::no_move
           : state == GameState::repetition ? SelfplayEnd::repetition
                                            : SelfplayEnd::no_progress;
}

/// The course of one game after its opening.
class Course {
public:
    explicit Course(const GameRules& rules) : records_(rules) {}

    /// Takes note that the game is over by its rules; the value is for the side to move.
    void end_by_rules(const Position& p, SelfplayEnd end, int value) {
        settle_random_move(value * max_recorded_score);
        conclude(for_black(p.side, value), end);
    }

    /// Takes note of a position and its search. True when the game goes on.
    [[nodiscard]] bool add(const Position& p, const SearchResult& search, int ply) {
        DEFIANCE_ASSERT(search.move);
        settle_random_move(search.score);
        std::optional<int> known;
        if (search.egdb) known = for_black(p.side, value_of(*search.egdb));
        if (known) conclude(*known, SelfplayEnd::database);
        // A game goes on for a while after a database knows its result.
        if (!is_over_ || known) {
            if (search.depth > 0) records_.add(p, search.score, known);
        }
        if (is_over_) return plies_after_end_++ < plies_after_known;
        if (const auto verdict = adjudicator_.judge(p.side, search.score, ply))
            conclude(verdict->result_for_black, verdict->end);
        return !is_over_;
    }

    [[nodiscard]] bool may_move_at_random() const { return !is_over_ && !has_moved_at_random_; }

    /// Takes note that the move from the last position is a random one.
    void move_at_random(Score score_before) {
        DEFIANCE_ASSERT(may_move_at_random());
        has_moved_at_random_ = true;
        score_before_random_ = score_before;
    }

    [[nodiscard]] SelfplayGame finish(int plies, Side opener) const {
        DEFIANCE_ASSERT(is_over_);
        SelfplayGame game;
        game.records = records_.finish(result_for_black_);
        game.summary = {static_cast<std::uint16_t>(plies),
                        static_cast<std::uint16_t>(game.records.size()),
                        static_cast<std::int8_t>(for_black(opener, result_for_black_)), end_};
        return game;
    }

private:
    void conclude(int result_for_black, SelfplayEnd end) {
        if (is_over_) return;
        is_over_ = true;
        result_for_black_ = result_for_black;
        end_ = end;
    }

    /// The result does not belong to positions before a random move that was a mistake.
    void settle_random_move(Score score_after) {
        if (score_before_random_ && *score_before_random_ + score_after > max_random_loss)
            records_.clear();
        score_before_random_.reset();
    }

    RecordList records_;
    Adjudicator adjudicator_;
    bool has_moved_at_random_ = false;
    std::optional<Score> score_before_random_;  // until the next search
    bool is_over_ = false;
    int plies_after_end_ = 0;
    int result_for_black_ = 0;
    SelfplayEnd end_ = SelfplayEnd::no_move;
};

}  // namespace

SelfplayOpenings selfplay_openings(const GameRules& rules) {
    SelfplayOpenings openings;
    openings.ballots = eleven_man_ballots(rules);
    if (rules.game_type == English::game_type)
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
    limits_.unpack_all = true;
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
    Course course(rules_);
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
            course.end_by_rules(game.position(), end_of(state), value);
            break;
        }
        if (plies == max_plies) {
            course.end_by_rules(game.position(), SelfplayEnd::too_long, 0);
            break;
        }
        found = search(game);
    }
    return course.finish(plies, rules_.first_side);
}

std::uint32_t play_fingerprint(const GameCore& core) {
    constexpr std::uint64_t games = 4;
    SelfplaySettings settings;
    settings.nodes = 300;
    EndgameSettings none;
    none.built_in = false;
    const auto endgames = core.open_endgames(none);
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
