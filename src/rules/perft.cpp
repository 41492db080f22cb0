#include <defiance/rules/perft.hpp>

#include <defiance/rules/games.hpp>
#include <defiance/rules/generator.hpp>

namespace defiance {

template <class Rules>
std::uint64_t perft(const Position& position, int depth) {
    if (depth <= 0) return 1;
    if (depth == 1) return count_moves<Rules>(position);
    MoveList moves;
    generate_moves<Rules>(position, moves);
    std::uint64_t total = 0;
    for (const Move& move : moves)
        total += perft<Rules>(after<Rules>(position, move), depth - 1);
    return total;
}

#define DEFIANCE_INSTANTIATE(Rules) template std::uint64_t perft<Rules>(const Position&, int);
DEFIANCE_FOR_EACH_GAME(DEFIANCE_INSTANTIATE)

}  // namespace defiance
