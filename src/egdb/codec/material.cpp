#include <defiance/egdb/material.hpp>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {

std::vector<Material> materials_of(int pieces) {
    DEFIANCE_ASSERT(pieces >= 2 && pieces <= max_pieces_on_board);
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
                // With as many pieces on both sides the swapped material was added before.
                if (own == theirs && own_men < their_men) continue;
                materials.push_back(material);
                if (!(material == material.swapped())) materials.push_back(material.swapped());
            }
    return materials;
}

std::vector<Material> successors_of(const Material& material) {
    DEFIANCE_ASSERT(material.own() > 0 && material.theirs() > 0);
    std::vector<Material> successors;
    const int max_crowned = material.own_men > 0 ? 1 : 0;
    for (int crowned = 0; crowned <= max_crowned; ++crowned)
        for (int men = 0; men <= material.their_men; ++men)
            for (int kings = 0; kings <= material.their_kings; ++kings) {
                const bool is_quiet = men == material.their_men && kings == material.their_kings;
                if (men + kings == 0 || (is_quiet && crowned == 0)) continue;
                Material next = material;
                next.own_men = static_cast<std::uint8_t>(next.own_men - crowned);
                next.own_kings = static_cast<std::uint8_t>(next.own_kings + crowned);
                next.their_men = static_cast<std::uint8_t>(men);
                next.their_kings = static_cast<std::uint8_t>(kings);
                successors.push_back(next.swapped());
            }
    return successors;
}

std::string to_text(const Material& m) {
    const auto side = [](int men, int kings) {
        return std::to_string(men) + 'm' + std::to_string(kings) + 'k';
    };
    return side(m.own_men, m.own_kings) + '-' + side(m.their_men, m.their_kings);
}

std::optional<Material> parse_material(std::string_view text) {
    constexpr std::string_view pattern = "#m#k-#m#k";
    if (text.size() != pattern.size()) return std::nullopt;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (pattern[i] == '#' ? !is_digit(text[i]) : text[i] != pattern[i]) return std::nullopt;
    const auto digit = [&](std::size_t at) { return static_cast<std::uint8_t>(text[at] - '0'); };
    const Material material = {digit(0), digit(2), digit(5), digit(7)};
    const auto is_possible = [](int side) { return side >= 1 && side <= max_pieces_of_side; };
    return is_possible(material.own()) && is_possible(material.theirs()) ? std::optional(material)
                                                                         : std::nullopt;
}

}  // namespace defiance
