#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <defiance/egdb/database_file.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/position.hpp>

#include "egdb/probe/database.hpp"
#include "solved.hpp"

namespace defiance {

inline constexpr std::size_t enough_positions = 4000;

template <class Rules>
database_file::Identity identity_of() {
    return {static_cast<std::uint8_t>(Rules::game_type), rules_fingerprint<Rules>()};
}

/// The embedded file with values, and that with plies.
template <class Rules>
std::vector<std::uint8_t> embedded(std::size_t number) {
    const auto bytes = embedded_databases<Rules>().at(number);
    return {bytes.begin(), bytes.end()};
}

inline std::string as_text(const std::vector<std::uint8_t>& bytes) {
    return {bytes.begin(), bytes.end()};
}

/// How many positions of two and three pieces, with both colours to move, are not resolved as the
/// solver says; looks at each `step`-th.
template <class Rules>
std::uint64_t wrongly_resolved(const Endgames<Rules>& endgames, std::uint64_t step,
                               bool with_dtw = true) {
    std::uint64_t faults = 0;
    for (const auto& [material, slice] : three_pieces<Rules>().all())
        for (std::uint64_t number = 0; number < slice->index().size(); number += step) {
            const Position p = slice->index().at(number);
            EgdbResult right{slice->value(number), {}};
            if (with_dtw && right.wld != Wld::draw) right.dtw = slice->dtw(number);
            for (const Position& position : {p, flipped(p)})
                if (endgames.resolve(position, enough_positions) != right) ++faults;
        }
    return faults;
}

/// True when a line has the text in it.
inline bool mentions(const std::vector<std::string>& lines, const std::string& text) {
    for (const std::string& line : lines)
        if (line.find(text) != std::string::npos) return true;
    return false;
}

}  // namespace defiance
