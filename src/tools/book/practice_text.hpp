#pragma once

#include <string>
#include <string_view>

#include <defiance/base/result.hpp>
#include <defiance/rules/game_rules.hpp>
#include <tools/book/book_experience.hpp>

namespace defiance {

/// A practice line as text, without an end of line: `B 12 B:W18,21:B1-11 11-15 23-19=4/17`, the
/// learner, the value, the root, and the moves, with score and depth those that a search found.
[[nodiscard]] std::string practice_text(const GameRules& rules, const PracticeLine& line);

/// Reads such a text. Error: what is wrong with it. Any bytes are safe.
[[nodiscard]] Result<PracticeLine> read_practice_line(const GameRules& rules,
                                                      std::string_view text);

}  // namespace defiance
