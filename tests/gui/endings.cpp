#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include <defiance/base/text.hpp>
#include <defiance/engine/engine.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <tools/support/report.hpp>
#include <tools/support/rules_types.hpp>

#include "defender.hpp"
#include "law_search.hpp"
#include "player.hpp"
#include "verbs.hpp"
#include "won_positions.hpp"

namespace defiance::gui {
namespace {

constexpr int max_plies_played = 400;
/// What the engine gets for another try where the distance of a win is unknown.
constexpr int more_time = 10;

struct EndingsSettings {
    int count = 0;
    double seconds = 0;
    std::uint64_t nodes = 0;  // a move; 0: only the time counts
    std::uint64_t seed = 0;
};

struct Tally {
    int played = 0;
    int won = 0;
    int failed = 0;
    int spoiled_by_law = 0;
    int slower_by_law = 0;
    int longest = 0;
};

/// How one game went.
struct PlayedGame {
    bool is_won = false;
    int plies = 0;
    std::string reason;  // for people, where the game is not won
};

/// Plays endings of one game that the databases know to be won, the engine against a defender that
/// knows them too.
template <class Rules>
class Endings {
public:
    Endings(const EndingsSettings& settings, std::shared_ptr<const Endgames<Rules>> endgames)
        : settings_(settings),
          endgames_(std::move(endgames)),
          defender_(*endgames_, settings.seed) {}

    [[nodiscard]] Tally play_all() {
        WonPositions<Rules> starts(*endgames_, settings_.seed);
        while (tally_.played < settings_.count)
            play_from(starts.next());
        return tally_;
    }

private:
    using Law = LawSearch<Rules>;

    void play_from(const WonPosition& start) {
        ++tally_.played;
        const PlayedGame played = play(start.position, 1);
        tally_.longest = std::max(tally_.longest, played.plies);
        if (played.is_won && (!start.plies || played.plies <= *start.plies)) {
            ++tally_.won;
            return;
        }
        if (played.is_won)
            judge_slow_win(start, played);
        else
            judge_failure(start, played);
    }

    /// A win later than the databases promise is right only where the law would end the shortest.
    void judge_slow_win(const WonPosition& start, const PlayedGame& played) {
        const std::string reason = "won after " + std::to_string(played.plies) + " plies, not " +
                                   std::to_string(*start.plies);
        const bool law_forbids =
            Law(*endgames_, Law::Attack::shortest).wins(start.position) == Law::Answer::no;
        tell(law_forbids ? "slower by law" : "failed", start, reason);
        ++(law_forbids ? tally_.won : tally_.failed);
        if (law_forbids) ++tally_.slower_by_law;
    }

    void judge_failure(const WonPosition& start, const PlayedGame& played) {
        const auto wins = Law(*endgames_, Law::Attack::any).wins(start.position);
        if (wins == Law::Answer::no) {
            ++tally_.spoiled_by_law;
            tell("spoiled by law", start, played.reason);
            return;
        }
        ++tally_.failed;
        const std::string note = wins == Law::Answer::yes ? "; a win under the law" : "";
        tell("failed", start, played.reason + note);
        if (start.plies) return;
        const PlayedGame again = play(start.position, more_time);
        tell("  with more time", start,
             again.is_won ? "won after " + std::to_string(again.plies) + " plies" : again.reason);
    }

    /// The side to move of the start is the engine.
    [[nodiscard]] PlayedGame play(const Position& start, int times) {
        engine_.set_node_limit(settings_.nodes * static_cast<std::uint64_t>(times));
        Game game(rules_of<Rules>, start);
        PlayedGame played;
        while (game.state() == GameState::open && played.plies < max_plies_played) {
            const bool is_attack = game.position().side == start.side;
            const auto move = is_attack ? attack(game, times) : defender_.choose(game);
            game.play(move);
            ++played.plies;
            if (is_attack && game.state() == GameState::open && !is_lost(game.position())) {
                played.reason =
                    "the win is given away at " + to_fen(rules_of<Rules>, game.position());
                return played;
            }
        }
        played.is_won = game.state() == GameState::lost && game.position().side != start.side;
        played.reason = std::string(reason_of(game.state())) + " after " +
                        std::to_string(played.plies) + " plies at " +
                        to_fen(rules_of<Rules>, game.position());
        return played;
    }

    [[nodiscard]] bool is_lost(const Position& position) const {
        constexpr std::size_t max_positions = 20000;
        const auto result = endgames_->resolve(position, max_positions);
        return result && result->wld == Wld::loss;
    }

    [[nodiscard]] Move attack(const Game& game, int times) {
        const TimeControl control{
            .mode = settings_.nodes == 0 ? TimeMode::average : TimeMode::unlimited,
            .seconds = settings_.seconds * times};
        EngineObserver observer;
        engine_.set_history(game);
        return *engine_.think(game.position(), control, observer).move;
    }

    static void tell(const std::string& what, const WonPosition& start, const std::string& reason) {
        print_line(what + ": " + to_fen(rules_of<Rules>, start.position) + ' ' +
                   (start.plies ? std::to_string(*start.plies) + " plies" : "distance unknown") +
                   ", " + reason);
    }

    EndingsSettings settings_;
    std::shared_ptr<const Endgames<Rules>> endgames_;
    Defender<Rules> defender_;
    Engine engine_{core_of<Rules>, ""};
    Tally tally_;
};

template <class Rules>
ExitCode play_endings(const EndingsSettings& settings) {
    auto endgames = std::make_shared<const Endgames<Rules>>(EndgameSettings{});
    constexpr int pieces_wanted = 5;
    if (endgames->pieces() < pieces_wanted) return fail("there are no databases of 5 pieces");
    const Tally tally = Endings<Rules>(settings, std::move(endgames)).play_all();
    print_line("endings " + std::string(Rules::file_word) + " played " +
               std::to_string(tally.played) + " won " + std::to_string(tally.won) + " failed " +
               std::to_string(tally.failed) + " spoiled_by_law " +
               std::to_string(tally.spoiled_by_law) + " slower_by_law " +
               std::to_string(tally.slower_by_law) + " longest " + std::to_string(tally.longest));
    return tally.failed == 0 ? exit_done : exit_no;
}

Result<EndingsSettings> read_settings(const Arguments& arguments) {
    const auto& words = arguments.positionals();
    const auto number = parse_integer(words[1], 1, 1000000);
    const auto seconds = parse_decimal(words[2], 1000);
    const auto seed = parse_integer(words[3], 0, 1000000000);
    if (!number || !seconds || !seed) return Error{"endings GAME COUNT SECONDS SEED [--nodes N]"};
    return EndingsSettings{static_cast<int>(*number), *seconds,
                           static_cast<std::uint64_t>(arguments.integer("nodes").value_or(0)),
                           static_cast<std::uint64_t>(*seed)};
}

}  // namespace

ExitCode endings(const Arguments& arguments) {
    const Result<EndingsSettings> settings = read_settings(arguments);
    if (!settings) return fail(settings.error());
    const std::string_view word = arguments.positionals()[0];
    std::optional<ExitCode> code;
    for_each_game(AllGames{}, [&]<class Rules>() {
        if (word == Rules::file_word) code = play_endings<Rules>(*settings);
    });
    return code ? *code : fail("no such game: " + std::string(word));
}

}  // namespace defiance::gui
