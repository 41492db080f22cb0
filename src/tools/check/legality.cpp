#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/rules/board.hpp>
#include <tools/check/finding.hpp>
#include <tools/check/positions.hpp>
#include <tools/support/reported_move.hpp>

namespace defiance {
namespace {

/// Asks islegal about one pair of squares; what is wrong with the answer, or nothing.
std::optional<Finding> find_pair_fault(CheckedEngine& engine, const CbGame& game,
                                       const std::vector<LegalMove>& legal, int from, int to) {
    DEFIANCE_ASSERT(is_square_number(from) && is_square_number(to));
    const CbBoard board = to_cb_board(game.position());
    const auto answer = engine.is_legal(board, color_to_move(game.position()), from, to);
    if (!answer) return broken({answer.error()});
    const auto fits = [&](const LegalMove& move) { return move.from == from && move.to == to; };
    const bool expected = std::any_of(legal.begin(), legal.end(), fits);
    const std::string about =
        std::to_string(from) + " to " + std::to_string(to) + " in " + game.fen();
    if ((*answer != 0) != expected)
        return fault(
            "islegal answers " + std::to_string(*answer) + " to " + about,
            expected ? "the user cannot play a legal move" : "the user can play an illegal move");
    if (!expected) return std::nullopt;
    const auto move = engine.last_move();
    if (!move) return broken({move.error()});
    const std::string problem = find_description_fault(*move, board);
    const auto leads_there = [&](const LegalMove& m) {
        return fits(m) && m.board == carried_out(*move, board);
    };
    if (problem.empty() && std::any_of(legal.begin(), legal.end(), leads_there))
        return std::nullopt;
    return fault(
        "the CBmove of " + about + " is wrong" + (problem.empty() ? std::string() : ": " + problem),
        "CheckerBoard plays it as it stands there");
}

Finding check_pairs(CheckedEngine& engine) {
    if (!engine.has_is_legal()) return note("islegal is not exported");
    int pairs = 0;
    int moves = 0;
    for (const Position& position : varied_positions(*engine.rules())) {
        const CbGame game(*engine.rules(), position);
        const std::vector<LegalMove> legal = game.legal_moves();
        for (int from = 1; from <= 32; ++from) {
            for (int to = 1; to <= 32; ++to) {
                if (const auto finding = find_pair_fault(engine, game, legal, from, to))
                    return *finding;
                ++pairs;
            }
        }
        moves += static_cast<int>(legal.size());
    }
    return pass("right for " + std::to_string(pairs) + " pairs of squares with " +
                std::to_string(moves) + " moves");
}

}  // namespace

std::vector<Check> legality_checks() {
    return {{"islegal", check_pairs, true}};
}

}  // namespace defiance
