#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tools/match/competition.hpp>
#include <tools/match/journal.hpp>

namespace defiance {

/// Whether a text behind the finished games of an interrupted competition can be the game that it
/// was writing, whole or broken off anywhere: its number is not among the finished games, and its
/// event, players and kind of draughts are those of the competition, as far as they are there.
/// `names` are those of the players. Any bytes are safe.
[[nodiscard]] bool is_unfinished_game(std::string_view text, const CompetitionSettings& settings,
                                      const std::vector<std::string>& names,
                                      const std::map<std::size_t, JournalEntry>& finished);

}  // namespace defiance
