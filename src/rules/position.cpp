#include <defiance/rules/position.hpp>

namespace defiance {

std::optional<PositionFault> find_fault(const Position& p) {
    DEFIANCE_ASSERT(p.is_consistent());
    if (count(p.black) > max_pieces_of_side) return PositionFault::too_many_black;
    if (count(p.white) > max_pieces_of_side) return PositionFault::too_many_white;
    const Bitboard men = p.men();
    if ((men & p.black & crowning_row<Side::black>) != 0 ||
        (men & p.white & crowning_row<Side::white>) != 0)
        return PositionFault::man_on_crowning_row;
    if (p.black == 0) return PositionFault::no_black;
    if (p.white == 0) return PositionFault::no_white;
    return std::nullopt;
}

std::string_view describe(PositionFault fault) {
    switch (fault) {
        case PositionFault::too_many_black:
            return "more than 12 black pieces";
        case PositionFault::too_many_white:
            return "more than 12 white pieces";
        case PositionFault::no_black:
            return "no black piece on the board";
        case PositionFault::no_white:
            return "no white piece on the board";
        case PositionFault::man_on_crowning_row:
            return "a man on its crowning row";
    }
    return "an impossible position";
}

}  // namespace defiance
