#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

#include <tools/check/finding.hpp>
#include <tools/check/positions.hpp>
#include <tools/support/reported_move.hpp>

namespace defiance {
namespace {

constexpr double quick_seconds = 0.01;
constexpr std::size_t max_plies = 200;

Finding check_moves(CheckedEngine& engine) {
    const std::vector<Position> positions = varied_positions(*engine.rules());
    for (const Position& position : positions)
        if (const auto finding =
                find_move_fault(engine, CbGame(*engine.rules(), position), MoveOrder{}))
            return *finding;
    return pass("legal moves, return values and status lines in " +
                std::to_string(positions.size()) + " positions");
}

/// What is wrong with the CBmove of a move in this position, or an empty text.
Result<std::string> description_problem(CheckedEngine& engine, const CbGame& game) {
    const auto moved = engine.move(game, MoveOrder{});
    if (!moved) return Error{moved.error()};
    const auto move = engine.last_move();
    DEFIANCE_ASSERT(game.has_move());
    if (!move) return Error{move.error()};
    const CbBoard board = to_cb_board(game.position());
    const std::string problem = find_description_fault(*move, board);
    if (!problem.empty()) return problem + " in " + game.fen();
    if (carried_out(*move, board) == moved->board) return std::string();
    return "it leads to another board in " + game.fen();
}

Finding check_descriptions(CheckedEngine& engine) {
    const std::vector<Position> positions = varied_positions(*engine.rules());
    for (const Position& position : positions) {
        const auto problem = description_problem(engine, CbGame(*engine.rules(), position));
        if (!problem) return broken({problem.error()});
        if (problem->empty()) continue;
        if (engine.plays_english() || engine.has_movelist())
            return note(*problem + "; CheckerBoard goes by the board here");
        return fault(*problem, "without get movelist, CheckerBoard plays it and not the board");
    }
    return pass("agrees with the board in " + std::to_string(positions.size()) + " positions");
}

Finding check_game(CheckedEngine& engine) {
    CbGame game(*engine.rules());
    MoveOrder order{quick_seconds, cb_new_game, 0, {}, {}};
    while (game.has_move() && game.occurrences() < 3 && game.plies() < max_plies) {
        const auto moved = engine.move(game, order);
        if (!moved) return broken({moved.error()});
        if (const auto finding = find_move_fault(game, *moved)) return *finding;
        game.play_board(moved->board);
        order.info = 0;
    }
    return pass("against itself, " + std::to_string(game.plies()) + " plies at " +
                fixed(quick_seconds, 2) + " s");
}

}  // namespace

std::vector<Check> move_checks() {
    return {{"getmove", check_moves, true},
            {"CBmove", check_descriptions, true},
            {"quick game", check_game, true}};
}

}  // namespace defiance
