#include <defiance/engine/advice.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/engine/engine.hpp>
#include <defiance/rules/move_text.hpp>

namespace defiance {
namespace {

constexpr double seconds_for_advice = 0.1;
/// Moves whose scores differ by no more are equally good for a novice.
constexpr Score about_equal = score_of_man / 4;

constexpr int ranking_depth = 3;
/// Some hundredths of a second. Boards full of flying kings, which no game has, would take seconds.
constexpr std::uint64_t ranking_nodes = 50'000;

/// Keeps the root moves in the order of the last iteration.
class RankingObserver : public SearchObserver {
public:
    void report(const SearchReport& report) override {
        moves_.clear();
        for (const RootMove& m : report.moves)
            moves_.push_back(m.move);
    }

    [[nodiscard]] const std::vector<Move>& moves() const { return moves_; }

private:
    std::vector<Move> moves_;
};

/// Whether a win or loss that databases know comes before the draw law. With men it counts as one
/// that does, because their moves begin the count anew.
bool comes_before_law(const Game& game, const EgdbResult& known) {
    const GameRules& rules = game.rules();
    const int plies = known.dtw.value_or(rules.longest_win_of_kings);
    return game.position().men() != 0 || static_cast<int>(game.reversible_plies()) + plies <
                                             rules.reversible_limit(game.position());
}

/// How the game ends after a move of which databases know this and which has this score; nothing
/// where neither tells.
std::optional<Wld> outcome(const Game& game, const std::optional<EgdbResult>& known, Score score) {
    if (known && (known->wld == Wld::draw || comes_before_law(game, *known))) return known->wld;
    if (is_proven_win(score)) return Wld::win;
    return is_proven_loss(score) ? std::optional(Wld::loss) : std::nullopt;
}

/// The move in words: by what databases know of it, or else by its score.
std::string judgement(const Game& game, const std::optional<EgdbResult>& known, Score score) {
    const std::optional<Wld> end = outcome(game, known, score);
    if (end == Wld::draw) return "It is a draw.";
    if (end == Wld::win) return known ? "It wins." : "It wins by force.";
    if (end == Wld::loss) return "You are losing, but it holds out longest.";
    if (score >= 3 * score_of_man / 2) return "You are well ahead.";
    if (score >= score_of_man / 2) return "You stand better.";
    if (score > -score_of_man / 2) return "The game is even.";
    if (score > -3 * score_of_man / 2) return "You stand worse, but it puts up the best fight.";
    return "You are behind; it makes things hardest for your opponent.";
}

/// How the other moves compare with the best one, in words.
std::string comparison(const Game& game, const std::vector<RootMove>& moves) {
    DEFIANCE_ASSERT(moves.size() > 1);
    const std::optional<Wld> of_best = outcome(game, moves[0].egdb, moves[0].score);
    const std::optional<Wld> of_next = outcome(game, moves[1].egdb, moves[1].score);
    if (of_best && of_best == of_next) return {};
    const Score best = moves.front().score;
    const auto good = std::count_if(moves.begin(), moves.end(), [&](const RootMove& m) {
        return m.score >= best - about_equal;
    });
    if (good > 1) return {};
    if (of_next == Wld::loss) return " Every other move loses.";
    if (of_best == Wld::win && of_next == Wld::draw) return " No other move wins.";
    const Score next = moves[1].score;
    if (best - next >= 2 * score_of_man / 3) return " Every other move costs you at least a man.";
    return " The other moves are not as good.";
}

/// The visible effect of the move, in words.
std::string effect(const Position& p, const Move& move) {
    DEFIANCE_ASSERT((p.own() & bit(move.from)) != 0);
    if (is_crowning(p, move)) return " It makes a king.";
    const bool man = (p.kings & bit(move.from)) == 0;
    if (!man || move.is_capture()) return {};
    const Bitboard home = crowning_row_of(opponent(p.side));
    if ((bit(move.to) & (row(3) | row(4)) & ~(column(0) | column(7))) != 0)
        return " It goes to the centre.";
    return (home & bit(move.from)) != 0 ? " It leaves your back row." : "";
}

}  // namespace

std::string advice_for(const GameCore& core, const Game& game, const EndgameDatabases* endgames) {
    const Position& position = game.position();
    const std::string who = position.side == Side::black ? "Black" : "White";
    if (core.rules.count_moves(position) == 0)
        return who + " has no move left and has lost the game.";
    TranspositionTable table(1);
    const std::unique_ptr<GameSearch> search = core.make_search(table);
    search->use(endgames);
    SearchLimits limits;
    limits.all_scores = true;
    EngineObserver quiet;
    const EngineResult result = think_with(
        *search, game, limits, {.mode = TimeMode::average, .seconds = seconds_for_advice}, quiet);
    DEFIANCE_ASSERT(result.move);
    const std::vector<RootMove>& moves = result.last.moves;
    // On a stalled machine the time may be up before every move has a score.
    if (moves.empty() || moves.back().score == -score_infinite)
        return "Try " + to_text(core.rules, position, *result.move) + " for " + who + ".";
    const Move best = moves.front().move;
    const std::string text = to_text(core.rules, position, best);
    if (moves.size() == 1)
        return who + (best.is_capture() ? " must jump: " : " has only one move: ") + text + ".";
    const std::string advice = best.is_capture()
                                   ? who + " must jump. The best jump is " + text + "."
                                   : "Try " + text + " for " + who + ".";
    // A draw of the position may be known where the value of its moves is not.
    const auto& known = moves.front().egdb ? moves.front().egdb : result.last.egdb;
    const Score score = moves.front().score;
    return advice + effect(position, best) + ' ' + judgement(game, known, score) +
           comparison(game, moves);
}

std::vector<Move> ranked_moves(const GameCore& core, const Position& position) {
    TranspositionTable table(1);
    const std::unique_ptr<GameSearch> search = core.make_search(table);
    SearchLimits limits;
    limits.depth = ranking_depth;
    limits.nodes = ranking_nodes;
    limits.all_scores = true;
    RankingObserver observer;
    static_cast<void>(
        search->run(Game(core.rules, position).reversible_history(), limits, observer));
    if (!observer.moves().empty()) {
        DEFIANCE_ASSERT(observer.moves().size() == core.rules.count_moves(position));
        return observer.moves();
    }
    MoveList moves;
    core.rules.generate_moves(position, moves);
    return {moves.begin(), moves.end()};
}

}  // namespace defiance
