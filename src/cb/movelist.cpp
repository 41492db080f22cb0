#include <defiance/cb/movelist.hpp>

#include <defiance/cb/board.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/numbering.hpp>
#include <defiance/rules/path.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

constexpr int most_moves = 28;
constexpr std::size_t most_bytes = 1023;

template <class Rules>
std::string record_of(const Position& p, const Move& move) {
    const Path path = path_of<Rules>(p, move);
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

}  // namespace

template <class Rules>
std::string movelist_text(const Position& position) {
    MoveList moves;
    generate_moves<Rules>(position, moves);
    std::string records;
    int listed = 0;
    constexpr std::size_t heading = sizeof "movelist 28,";
    for (const Move& move : moves) {
        const std::string record = record_of<Rules>(position, move);
        if (listed == most_moves || heading + records.size() + record.size() > most_bytes) break;
        records += record;
        ++listed;
    }
    if (listed == 0) return "movelist 0";
    return "movelist " + std::to_string(listed) + ',' + records;
}

template std::string movelist_text<DEFIANCE_GAME>(const Position&);

}  // namespace defiance
