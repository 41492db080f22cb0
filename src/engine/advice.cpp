#include <defiance/engine/advice.hpp>

#include <algorithm>
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

/// The move in words: by what databases know of it, or else by its score.
std::string judgement(const std::optional<EgdbResult>& known, Score score) {
    constexpr const char* losing = "You are losing, but it holds out longest.";
    if (known) {
        switch (known->wld) {
            case Wld::win:
                return "It wins.";
            case Wld::draw:
                return "It is a draw.";
            case Wld::loss:
                return losing;
        }
    }
    if (is_proven_win(score)) return "It wins by force.";
    if (is_proven_loss(score)) return losing;
    if (score >= 3 * score_of_man / 2) return "You are well ahead.";
    if (score >= score_of_man / 2) return "You stand better.";
    if (score > -score_of_man / 2) return "The game is even.";
    if (score > -3 * score_of_man / 2) return "You stand worse, but it puts up the best fight.";
    return "You are behind; it makes things hardest for your opponent.";
}

/// How the other moves compare with the best one, in words.
std::string comparison(const std::vector<RootMove>& moves) {
    DEFIANCE_ASSERT(moves.size() > 1);
    const Score best = moves.front().score;
    const auto good = std::count_if(moves.begin(), moves.end(), [&](const RootMove& m) {
        return m.score >= best - about_equal;
    });
    if (good > 1) return {};
    const Score next = moves[1].score;
    const auto& known = moves[1].egdb;
    if (is_proven_loss(next) || (known && known->wld == Wld::loss))
        return " Every other move loses.";
    const auto& of_best = moves.front().egdb;
    if (known && known->wld == Wld::draw && of_best && of_best->wld == Wld::win)
        return " No other move wins.";
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

std::string advice_for(const GameCore& core, const Position& position,
                       const EndgameDatabases* endgames) {
    const std::string who = position.side == Side::black ? "Black" : "White";
    if (core.rules.count_moves(position) == 0)
        return who + " has no move left and has lost the game.";
    TranspositionTable table(1);
    const std::unique_ptr<GameSearch> search = core.make_search(table);
    search->use(endgames);
    SearchLimits limits;
    limits.all_scores = true;
    EngineObserver quiet;
    const EngineResult result =
        think_with(*search, Game(core.rules, position), limits,
                   {.mode = TimeMode::average, .seconds = seconds_for_advice}, quiet);
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
    return advice + effect(position, best) + ' ' + judgement(known, moves.front().score) +
           comparison(moves);
}

std::vector<Move> ranked_moves(const GameCore& core, const Position& position) {
    TranspositionTable table(1);
    const std::unique_ptr<GameSearch> search = core.make_search(table);
    SearchLimits limits;
    limits.depth = ranking_depth;
    limits.all_scores = true;
    RankingObserver observer;
    static_cast<void>(
        search->run(Game(core.rules, position).reversible_history(), limits, observer));
    DEFIANCE_ASSERT(observer.moves().size() == core.rules.count_moves(position));
    return observer.moves();
}

}  // namespace defiance
