#pragma once

#include <cstdint>
#include <vector>

#include <defiance/egdb/database_file.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/english.hpp>

#include "../base/temporary.hpp"

namespace defiance {

/// Values of any material: a seed, a tree of one leaf that is sure of a win, two ribbons without
/// shards.
inline const std::vector<std::uint8_t>& only_wins() {
    static const std::vector<std::uint8_t> bytes = {0, 1, 0, 255, 0b1111010, 0, 0,
                                                    0, 0, 0, 0,   0,         0, 0};
    return bytes;
}

/// Writes the 52 files that all materials of seven pieces have in English.
inline void write_seven_pieces(const TemporaryFolder& folder) {
    for (const Material& material : materials_of(7)) {
        if (material < material.swapped()) continue;
        const auto bytes = database_file::assemble(
            {static_cast<std::uint8_t>(English::game_type), rules_fingerprint<English>()},
            {{material, Content::values, 0, only_wins()}});
        folder.write(database_file_name<English>(material), {bytes.begin(), bytes.end()});
    }
}

}  // namespace defiance
