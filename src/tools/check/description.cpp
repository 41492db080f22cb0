#include <tools/check/description.hpp>

namespace defiance {
namespace {

constexpr int max_jumps = 11;

ReportedMove read(CBmove move) {
    if (move.jumps > 0) move.path[move.jumps] = move.to;
    return from_description(move);
}

}  // namespace

std::string find_description_fault(const CBmove& move, const CbBoard& board) {
    if (move.jumps < 0 || move.jumps > max_jumps)
        return "it has " + std::to_string(move.jumps) + " jumps";
    return find_fault(read(move), board);
}

CbBoard carried_out(const CBmove& move, const CbBoard& board) {
    return carry_out(board, read(move));
}

}  // namespace defiance
