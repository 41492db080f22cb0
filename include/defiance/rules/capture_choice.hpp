#pragma once

#include <cstdint>

namespace defiance {

/// Which of its captures the side to move may choose from. Each game's rules type has one as
/// `capture_choice`.
enum class CaptureChoice : std::uint8_t {
    any,                    ///< whichever it likes
    king_before_man,        ///< one by a king when a king can capture
    most_pieces,            ///< one that takes the most pieces
    most_pieces_and_kings,  ///< of those that take the most pieces, one that takes the most kings
    italian  ///< most pieces; then by a king; then the most kings; then the kings taken earliest
};

}  // namespace defiance
