#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

#include <tools/check/finding.hpp>
#include <tools/check/positions.hpp>

namespace defiance {
namespace {

constexpr std::size_t long_history = 400;

Finding check_acceptance(CheckedEngine& engine) {
    const auto reply = engine.command(CbGame(*engine.rules()).history_command());
    if (!reply) return broken({reply.error()});
    if (reply->code == 0)
        return note("not accepted; CheckerBoard 1.76 and later tell repetitions by it");
    return pass("accepted");
}

/// Plays a random king move after which no capture is possible. False when none is found.
bool shuffle(const GameRules& rules, CbGame& game, std::uint64_t& seed) {
    DEFIANCE_ASSERT(game.has_move());
    constexpr int attempts = 100;
    Position next = game.position();
    for (int i = 0; i < attempts; ++i) {
        CbGame trial(rules, next);
        play_random_move(trial, seed);
        if (!has_capture(trial) && trial.has_move())
            return game.play_board(to_cb_board(trial.position())).has_value();
    }
    return false;
}

/// A game of two kings each whose history is long; all its moves are reversible.
CbGame long_game(const GameRules& rules) {
    std::uint64_t seed = 1;
    for (;;) {
        const Bitboard black = bit(0) | bit(1);
        const Bitboard white = bit(30) | bit(31);
        CbGame game(rules, {black, white, black | white, rules.first_side});
        while (game.history_command().size() < long_history && shuffle(rules, game, seed)) {
        }
        if (game.history_command().size() >= long_history) return game;
    }
}

Finding check_long(CheckedEngine& engine) {
    const CbGame game = long_game(*engine.rules());
    if (const auto finding = find_move_fault(engine, game, MoveOrder{})) return *finding;
    return pass("a legal move after a history of " + std::to_string(game.history_command().size()) +
                " characters");
}

/// The move must be legal even after a history that does not lead to the position.
Check foreign_check(std::string name, std::string history) {
    return {std::move(name),
            [history = std::move(history)](CheckedEngine& engine) {
                const CbGame game(*engine.rules(), unforced_position(*engine.rules()));
                MoveOrder order;
                order.history = history;
                if (const auto finding = find_move_fault(engine, game, order)) return *finding;
                return pass("a legal move after '" + shown(history) + "'");
            },
            true};
}

Finding check_other_position(CheckedEngine& engine) {
    const CbGame game(*engine.rules(), unforced_position(*engine.rules()));
    MoveOrder order;
    order.history = CbGame(*engine.rules()).history_command();
    if (const auto finding = find_move_fault(engine, game, order)) return *finding;
    return pass("a legal move after a history that ends elsewhere");
}

}  // namespace

std::vector<Check> history_checks() {
    return {{"set gamehist", check_acceptance, true},
            {"long history", check_long, true},
            foreign_check("history of nonsense", "set gamehist B:WK99:Bx 1-99 K x;"),
            foreign_check("history of nothing", "set gamehist"),
            {"history of another position", check_other_position, true}};
}

}  // namespace defiance
