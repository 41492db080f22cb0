#include <defiance/engine/game_tracker.hpp>

#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>

namespace defiance {
namespace {

/// The legal move that leads from one position to another, if one does.
std::optional<Move> move_between(const GameRules& rules, const Position& from, const Position& to) {
    MoveList moves;
    rules.generate_moves(from, moves);
    for (const Move& move : moves)
        if (rules.after(from, move) == to) return move;
    return std::nullopt;
}

}  // namespace

Result<Game> parse_history(const GameRules& rules, std::string_view text) {
    const Result<Position> start = parse_fen(rules, take_word(text));
    if (!start) return Error{start.error()};
    if (const auto fault = find_fault(*start)) return Error{std::string(describe(*fault))};
    Game game(rules, *start);
    while (!text.empty()) {
        const Result<Move> move = parse_move(rules, game.position(), take_word(text));
        if (!move) return Error{move.error()};
        game.play(*move);
    }
    return game;
}

void GameTracker::set_history(std::optional<Game> game) {
    DEFIANCE_ASSERT(!game || &game->rules() == rules_);
    if (game) set_last_game(*game);
    history_ = std::move(game);
}

void GameTracker::set_last_game(const Game& game) {
    last_game_ = game;
    last_played_.reset();
}

Game GameTracker::present_game() const {
    Game game = last_game_;
    if (last_played_) game.play(*last_played_);
    return game;
}

/// The game that is known by the moves of the side, with one legal move more where that leads to
/// the position; nothing when it leads elsewhere.
std::optional<Game> GameTracker::continued_game(Side side, const Position& position) const {
    const OwnMoves& its = own(side);
    for (const std::optional<Game>* known : {&its.game, &its.game_at_ask}) {
        if (!*known) continue;
        Game game = **known;
        if (game.position() == position) return game;
        const auto move = move_between(*rules_, game.position(), position);
        if (!move) continue;
        game.play(*move);
        return game;
    }
    return std::nullopt;
}

/// Goes on to another position than the side was asked about last. Forgets the side's moves if they
/// do not lead there.
void GameTracker::follow(OwnMoves& mine, const Position& position) const {
    const auto reply = mine.left ? move_between(*rules_, *mine.left, position) : std::nullopt;
    if (!reply) {
        mine = OwnMoves{};
        return;
    }
    if (!is_reversible(*mine.left, *reply)) mine.was_reversible = false;
    DEFIANCE_ASSERT(mine.game && mine.game->position() == *mine.left);
    // From here on the game stands behind the reply, also when the move asked for never ends.
    mine.left.reset();
    mine.game->play(*reply);
}

Game GameTracker::begin_move(const Position& position) {
    OwnMoves& mine = own(position.side);
    const Side other = opponent(position.side);
    const std::optional<Game> others = continued_game(other, position);
    // The side may have been asked about the same position long ago, when less had been played.
    const bool is_newer = others && last_asked_ == other &&
                          !(mine.game_at_ask &&
                            mine.game_at_ask->reversible_history() == others->reversible_history());
    mine.is_asked_again = mine.asked == position && !is_newer;
    if (!mine.is_asked_again) {
        follow(mine, position);
        mine.known_draws_before = mine.was_reversible ? mine.known_draws : 0;
        if (!mine.game || is_newer) mine.game = others;
        mine.credit_before = mine.credit;
        mine.game_at_ask = mine.game;
    }
    mine.credit = mine.credit_before;
    DEFIANCE_ASSERT(!mine.left || mine.left->side != position.side);
    mine.asked = position;
    last_asked_ = position.side;
    if (!mine.game_at_ask) mine.game_at_ask.emplace(*rules_, position);
    DEFIANCE_ASSERT(mine.game_at_ask->position() == position);
    const std::optional<Game> history = std::exchange(history_, std::nullopt);
    set_last_game(history && history->position() == position ? *history : *mine.game_at_ask);
    return last_game_;
}

void GameTracker::spend_time(const Position& position, double given, double used) {
    OwnMoves& mine = own(position.side);
    if (mine.asked == position) mine.credit.spend(given, used);
}

int GameTracker::end_move(const Position& position, const Move& move, bool is_known_draw) {
    OwnMoves& mine = own(position.side);
    // A concurrent think() may have begun a move in another position.
    if (mine.asked != position) return 0;
    mine.known_draws = is_known_draw ? mine.known_draws_before + 1 : 0;
    mine.left.reset();  // until the game has the move
    mine.game = mine.game_at_ask;
    mine.game->play(move);
    mine.left = rules_->after(position, move);
    mine.was_reversible = is_reversible(position, move);
    DEFIANCE_ASSERT(mine.left->side != position.side);
    return mine.known_draws;
}

void GameTracker::note_played(const Position& position, const Move& move) {
    if (last_game_.position() == position) last_played_ = move;
}

}  // namespace defiance
