#pragma once

#include <string>

#include <defiance/cb/api.hpp>
#include <tools/support/reported_move.hpp>

namespace defiance {

/// Why CheckerBoard could not carry out this CBmove on the board, or an empty text. Where the last
/// jump lands need only stand in `to`.
[[nodiscard]] std::string find_description_fault(const CBmove& move, const CbBoard& board);

/// The board after CheckerBoard has carried it out; it must have no fault.
[[nodiscard]] CbBoard carried_out(const CBmove& move, const CbBoard& board);

}  // namespace defiance
