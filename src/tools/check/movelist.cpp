#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/reported_move.hpp>

#include <tools/check/finding.hpp>
#include <tools/check/positions.hpp>

namespace defiance {
namespace {

constexpr std::size_t positions_checked = 20;
/// More moves CheckerBoard has no room for; an engine does well to leave the others out.
constexpr std::size_t max_reported = 28;
/// A list of this many bytes may have left moves out because no more fit in.
constexpr std::size_t nearly_full = 900;

Finding check_support(CheckedEngine& engine) {
    const auto reply = engine.command("get movelist B:W1:B");
    if (!reply) return broken({reply.error()});
    if (engine.has_movelist()) return pass("reported with 'movelist 0'");
    if (reply->code != 0)
        return fault("answers 1 '" + shown(reply->text, 60) + "' to a position without moves",
                     "only 'movelist 0' tells CheckerBoard that it can ask for moves");
    if (engine.plays_english()) return note("refused; CheckerBoard does without it in English");
    return note("refused; of captures between the same squares the user cannot choose one");
}

/// What is wrong with the list of moves for the position, or nothing.
std::optional<Finding> find_list_fault(const CbGame& game, const EngineReply& reply) {
    const std::string in = " in " + game.fen();
    const std::string list = " '" + shown(reply.text, 60) + "'" + in;
    std::vector<ReportedMove> reported;
    const std::string problem = read_movelist(
        reply.text, [&](int number) { return game.rules().index(number); }, reported);
    if (!problem.empty() || reply.code == 0)
        return fault((problem.empty() ? "refused" : problem) + list,
                     "CheckerBoard reads it unchecked into an array of 28 moves");
    const CbBoard board = to_cb_board(game.position());
    const std::vector<LegalMove> legal = game.legal_moves();
    std::vector<CbBoard> boards;
    for (const ReportedMove& move : reported) {
        const std::string nonsense = find_fault(move, board);
        if (!nonsense.empty())
            return fault(nonsense + ":" + list, "CheckerBoard carries out what it is told");
        boards.push_back(carry_out(board, move));
        if (std::none_of(legal.begin(), legal.end(),
                         [&](const LegalMove& m) { return m.board == boards.back(); }))
            return fault("an illegal move is listed:" + list, "the user can play it");
    }
    const bool is_full = reported.size() >= max_reported || reply.text.size() >= nearly_full;
    DEFIANCE_ASSERT(boards.size() == reported.size());
    const bool is_whole = std::all_of(legal.begin(), legal.end(), [&](const LegalMove& m) {
        return std::find(boards.begin(), boards.end(), m.board) != boards.end();
    });
    if (!is_whole && !is_full)
        return fault("a legal move of " + std::to_string(legal.size()) + " is missing:" + list,
                     "nobody can play it, the engine included");
    return std::nullopt;
}

Finding check_lists(CheckedEngine& engine) {
    if (!engine.has_movelist()) return note("get movelist is not reported");
    const GameRules& rules = *engine.rules();
    std::vector<Position> positions = random_positions(rules, positions_checked);
    positions.insert(positions.begin(), rules.start_position());
    DEFIANCE_ASSERT(positions.size() == positions_checked + 1);
    std::size_t moves = 0;
    for (const Position& position : positions) {
        const CbGame game(rules, position);
        const auto reply = engine.command("get movelist " + game.fen());
        if (!reply) return broken({reply.error()});
        if (const auto finding = find_list_fault(game, *reply)) return *finding;
        moves += game.legal_moves().size();
    }
    return pass("right in " + std::to_string(positions.size()) + " positions with " +
                std::to_string(moves) + " moves");
}

}  // namespace

std::vector<Check> movelist_checks() {
    return {{"get movelist", check_support}, {"lists of moves", check_lists, true}};
}

}  // namespace defiance
