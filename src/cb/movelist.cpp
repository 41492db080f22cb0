#include <defiance/cb/movelist.hpp>

#include <algorithm>

#include <defiance/cb/board.hpp>
#include <defiance/engine/ranking.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/numbering.hpp>
#include <defiance/rules/path.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

constexpr std::string_view heading = "movelist ";
constexpr std::size_t max_moves = 28;
constexpr std::size_t max_bytes = 1023 - heading.size() - sizeof "28,";
constexpr std::size_t max_jumps = 11;

template <class Rules>
std::string record_of(const Position& p, const Move& move, const Path& path) {
    const auto number = [](int square) { return std::to_string(Numbering<Rules>::number(square)); };
    std::string text = std::to_string(path.size());
    text += ',' + std::to_string(piece_code(p, move.from));
    text += ',' + std::to_string(piece_code(after<Rules>(p, move), move.to));
    text += ',' + number(move.from) + ',' + number(move.to);
    for (const Jump& jump : path)
        text += ',' + number(jump.landing) + ',' + number(jump.captured) + ',' +
                std::to_string(piece_code(p, jump.captured));
    return text + ';';
}

/// Of the moves, in this order, each that still fits.
template <class Rules, class Moves>
Announcement fill(const Position& position, const Moves& moves) {
    Announcement list;
    for (const Move& move : moves) {
        const Path path = path_of<Rules>(position, move);
        const std::string record = record_of<Rules>(position, move, path);
        if (list.moves.size() == max_moves || path.size() > max_jumps ||
            list.records.size() + record.size() > max_bytes)
            continue;
        list.moves.push_back(move);
        list.records += record;
    }
    list.is_whole = list.moves.size() == moves.size();
    return list;
}

}  // namespace

std::string Announcement::text() const {
    if (moves.empty()) return std::string(heading) + '0';
    return std::string(heading) + std::to_string(moves.size()) + ',' + records;
}

template <class Rules>
Announcement announce_moves(const Position& position) {
    MoveList moves;
    generate_moves<Rules>(position, moves);
    // The last first: the order of the examples in the API reference.
    std::reverse(moves.begin(), moves.end());
    Announcement all = fill<Rules>(position, moves);
    if (all.is_whole) return all;
    return fill<Rules>(position, ranked_moves<Rules>(position));
}

template Announcement announce_moves<DEFIANCE_GAME>(const Position&);

}  // namespace defiance
