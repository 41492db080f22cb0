#pragma once

#include <string>
#include <string_view>

#include <defiance/engine/engine.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// Longest text ever put into the status line, in bytes without the end mark.
inline constexpr std::size_t longest_status = 1000;

/// The status line of a think(): depth, value= for the side to move, time, nodes, speed, and the
/// principal variation or, with `all_scores`, every move with its value. One line, no braces and no
/// quotation marks (CheckerBoard stores it in PDN comments), at most longest_status bytes.
[[nodiscard]] std::string status_line(const GameRules& rules, const Position& root,
                                      const SearchInfo& thinking, bool all_scores);

/// Puts a text into CheckerBoard's buffer of 1024 bytes, which its other thread may be reading: it
/// is terminated at every moment. Cut to longest_status; null `str` does nothing.
void write_status(char* str, std::string_view text);

}  // namespace defiance
