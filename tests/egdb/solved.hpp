#pragma once

#include <defiance/egdb/build.hpp>
#include <defiance/egdb/database_file.hpp>
#include <defiance/rules/games.hpp>

namespace defiance {

/// Everything of up to three pieces, with plies, solved once for each game and all tests.
template <class Rules>
const SolvedSlices& three_pieces() {
    static const SolvedSlices solved = [] {
        SolvedSlices slices;
        for (int pieces = 2; pieces <= 3; ++pieces)
            for (const Material& material : materials_of(pieces))
                if (slices.find(material) == nullptr)
                    solve_slices<Rules>(material, slices, {2, true});
        return slices;
    }();
    return solved;
}

/// What the files of a game are known by.
template <class Rules>
database_file::Identity identity() {
    return {static_cast<std::uint8_t>(Rules::game_type), rules_fingerprint<Rules>()};
}

}  // namespace defiance
