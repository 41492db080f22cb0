#include "description.hpp"

namespace defiance {
namespace {

constexpr int most_jumps = 11;

AnnouncedMove read(CBmove move) {
    if (move.jumps > 0) move.path[move.jumps] = move.to;
    return from_description(move);
}

}  // namespace

std::string find_description_fault(const CBmove& move, const BorderBoard& board) {
    if (move.jumps < 0 || move.jumps > most_jumps)
        return "it has " + std::to_string(move.jumps) + " jumps";
    return find_fault(read(move), board);
}

BorderBoard carried_out(const CBmove& move, const BorderBoard& board) {
    return carry_out(board, read(move));
}

}  // namespace defiance
