#pragma once

#include <span>
#include <string_view>

#include <defiance/base/result.hpp>
#include <tools/match/competition.hpp>
#include <tools/support/arguments.hpp>

namespace defiance {

/// The options that match and tournament share.
[[nodiscard]] std::span<const Option> competition_options();
/// What `help` tells about them.
extern const std::string_view competition_usage;
extern const std::string_view competition_help;

/// Everything the arguments say about a competition: players, openings (read, in order), time,
/// rules. Engines may be started to learn which game they play. Error: what is wrong with which
/// option.
[[nodiscard]] Result<CompetitionSettings> read_competition(const Arguments& arguments,
                                                           std::size_t usual_games);

}  // namespace defiance
