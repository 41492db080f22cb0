#pragma once

#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/position.hpp>
#include <tools/support/job_plan.hpp>

namespace defiance {

/// Where lines of a book begin. The cheaper of two equal lines is the one of the root with fewer
/// plies.
struct ExpansionRoot {
    Position position;
    int plies = 0;  ///< that the root counts for
};

/// The start position first, then the ballots: `3-move` (English only), `11-man`, both also
/// without the hyphen, `none`, or a file that read_openings() can read. Error: why there are none.
[[nodiscard]] Result<std::vector<ExpansionRoot>> expansion_roots(const GameRules& rules,
                                                                 const std::string& ballots);

/// The roots that belong to a shard: dealt out in turn, so that shard 0 has the start position.
[[nodiscard]] std::vector<ExpansionRoot> roots_of_shard(const std::vector<ExpansionRoot>& roots,
                                                        const Shard& shard);

}  // namespace defiance
