#include <defiance/rules/perft.hpp>

#include <defiance/rules/generator.hpp>

#include DEFIANCE_GAME_HEADER

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

template std::uint64_t perft<DEFIANCE_GAME>(const Position&, int);

}  // namespace defiance
