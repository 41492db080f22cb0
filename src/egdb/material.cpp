#include <defiance/egdb/material.hpp>

namespace defiance {

std::vector<Material> materials_of(int pieces) {
    std::vector<Material> materials;
    const auto byte = [](int number) { return static_cast<std::uint8_t>(number); };
    for (int men = 0; men <= pieces; ++men)
        for (int own = pieces - 1; 2 * own >= pieces; --own)
            for (int own_men = 0; own_men <= own && own_men <= men; ++own_men) {
                const int theirs = pieces - own;
                const int their_men = men - own_men;
                if (their_men > theirs) continue;
                const Material material = {byte(own_men), byte(own - own_men), byte(their_men),
                                           byte(theirs - their_men)};
                // Of two with as many pieces on both sides the swapped one has come already.
                if (own == theirs && own_men < their_men) continue;
                materials.push_back(material);
                if (!(material == material.swapped())) materials.push_back(material.swapped());
            }
    return materials;
}

}  // namespace defiance
