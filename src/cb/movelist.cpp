#include "movelist.hpp"

#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/cb/board.hpp>
#include <defiance/engine/advice.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/path.hpp>

namespace defiance {
namespace {

constexpr std::string_view heading = "movelist ";
constexpr std::size_t max_moves = 28;
constexpr std::size_t max_bytes = 1023 - heading.size() - sizeof "28,";
constexpr std::size_t max_jumps = 11;

std::string record_of(const GameRules& rules, const Position& p, const Move& move,
                      const Path& path) {
    const auto number = [&](int square) { return std::to_string(rules.number(square)); };
    std::string text = std::to_string(path.size());
    text += ',' + std::to_string(piece_code(p, move.from));
    text += ',' + std::to_string(piece_code(rules.after(p, move), move.to));
    text += ',' + number(move.from) + ',' + number(move.to);
    for (const Jump& jump : path)
        text += ',' + number(jump.landing) + ',' + number(jump.captured) + ',' +
                std::to_string(piece_code(p, jump.captured));
    return text + ';';
}

/// Takes the moves in this order, skipping those that do not fit.
template <class Moves>
ReportedMoves fill(const GameRules& rules, const Position& position, const Moves& moves) {
    ReportedMoves list;
    for (const Move& move : moves) {
        const Path path = path_of(rules, position, move);
        const std::string record = record_of(rules, position, move, path);
        if (list.moves.size() == max_moves || path.size() > max_jumps ||
            list.records.size() + record.size() > max_bytes)
            continue;
        list.moves.push_back(move);
        list.records += record;
    }
    DEFIANCE_ASSERT(list.moves.size() <= max_moves && list.records.size() <= max_bytes);
    list.is_complete = list.moves.size() == moves.size();
    return list;
}

/// The moves with `first`, which is one of them, before the others.
std::vector<Move> with_first(std::vector<Move> moves, const Move& first) {
    const auto place = std::find(moves.begin(), moves.end(), first);
    DEFIANCE_ASSERT(place != moves.end());
    std::rotate(moves.begin(), place, place + 1);
    return moves;
}

}  // namespace

std::string ReportedMoves::text() const {
    if (moves.empty()) return std::string(heading) + '0';
    std::string text = std::string(heading) + std::to_string(moves.size()) + ',' + records;
    DEFIANCE_ASSERT(moves.size() <= max_moves && text.size() < 1024);
    return text;
}

ReportedMoves report_moves(const GameCore& core, const Position& position) {
    ReportedMoves all = report_any_moves(core.rules, position);
    // Against nobody every move is as good as another.
    if (all.is_complete || all.moves.empty() || has_lost_all(position)) return all;
    return fill(core.rules, position, with_first(ranked_moves(core, position), all.moves.front()));
}

ReportedMoves report_any_moves(const GameRules& rules, const Position& position) {
    MoveList moves;
    rules.generate_moves(position, moves);
    if (moves.empty()) return {};
    const Move first = moves[0];
    // The examples of the API reference have this order.
    std::reverse(moves.begin(), moves.end());
    ReportedMoves all = fill(rules, position, moves);
    if (all.is_complete) return all;
    return fill(rules, position, with_first(std::vector<Move>(moves.begin(), moves.end()), first));
}

}  // namespace defiance
