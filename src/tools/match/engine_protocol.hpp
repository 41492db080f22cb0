#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tools/support/cb_board.hpp>

namespace defiance {

// How a referee talks to the process that has loaded an engine for it, `defiance host`: lines on
// standard input and output, words with single spaces between, texts last and escaped.
//
// clang-format off
//   to the engine process                  from the engine process
//   (when it begins)                       ready BITS HAS_ISLEGAL  or  failed TEXT
//   command TEXT                           reply CODE HAS_FAULT TEXT
//   move COLOR SECONDS INFO MORE BOARD     moved RESULT SECONDS BOARD STATUS_LINE
//   stop                                   (nothing; sets playnow of the move that is asked for)
//   legal COLOR FROM TO BOARD              legal CODE
//   describe                               described NUMBERS (the CBmove of the last call)
// clang-format on
//
// Commands are answered while the engine searches for a move. A process whose engine has written
// past the end of a buffer sends `overflow TEXT` and ends.

namespace engine_line {

/// The text as part of a line: line feeds, carriage returns, end marks and backslashes are escaped.
[[nodiscard]] std::string escaped(std::string_view text);
[[nodiscard]] std::string unescaped(std::string_view text);

/// 64 characters, a hexadecimal digit for each square; a square that holds anything else is an x.
[[nodiscard]] std::string board_text(const CbBoard& board);
/// The board again; a square with an x gets a code that no piece has. Nothing for other texts.
[[nodiscard]] std::optional<CbBoard> parse_board(std::string_view text);

}  // namespace engine_line

}  // namespace defiance
