#pragma once

#include <tools/match/competition.hpp>
#include <tools/support/arguments.hpp>

namespace defiance {

/// Sets the summary, by which the state of one competition is told from that of another, and its
/// games_place: the players, those of these options that decide what is played and where it is
/// kept, and a number made of the openings. All other settings must be there already.
void set_summary(CompetitionSettings& settings, const Arguments& arguments);

}  // namespace defiance
