#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tools/match/schedule.hpp>
#include <tools/support/statistics.hpp>

namespace defiance {

/// The players by points, then by Sonneborn-Berger points, best first.
[[nodiscard]] std::vector<std::size_t> order_by_points(
    const std::vector<PairingResult>& results, const std::vector<std::int64_t>& half_points);

/// The cross table: points, games won, drawn and lost, Sonneborn-Berger points, and what each got
/// against each. A heading, then one line a player in the order given.
[[nodiscard]] std::vector<std::string> cross_table(const std::vector<std::size_t>& order,
                                                   const std::vector<std::string>& names,
                                                   const std::vector<PairingResult>& results,
                                                   const std::vector<std::int64_t>& half_points,
                                                   const std::vector<GameOutcomes>& outcomes);

}  // namespace defiance
