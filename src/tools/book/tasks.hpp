#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/book/book_move.hpp>
#include <defiance/book/opening_book.hpp>
#include <defiance/engine/game_core.hpp>
#include <tools/support/arguments.hpp>
#include <tools/support/report.hpp>

namespace defiance {

/// What `defiance book <task>` does. Defined in src/tools/book: build and plan in the files of
/// their names; info and verify in info.cpp; export, import and merge in exchange.cpp.
[[nodiscard]] ExitCode build_book(const Arguments& arguments);
[[nodiscard]] ExitCode plan_book(const Arguments& arguments);
[[nodiscard]] ExitCode describe_book(const Arguments& arguments);
[[nodiscard]] ExitCode verify_book(const Arguments& arguments);
[[nodiscard]] ExitCode export_book(const Arguments& arguments);
[[nodiscard]] ExitCode import_book(const Arguments& arguments);
[[nodiscard]] ExitCode merge_books(const Arguments& arguments);

/// The game of --game; without it that of the book in this file, or English when it has none.
/// Error: the game is not known.
[[nodiscard]] Result<const GameCore*> game_of_book(const Arguments& arguments,
                                                   std::string_view path);

/// `positions N moves M`.
[[nodiscard]] std::string size_text(std::uint64_t positions, std::uint64_t moves);

/// Why a book is not to be written to this file: its folder does not exist, a file that is no book
/// of the game has the name, or it is one of the files that are read.
[[nodiscard]] std::optional<Error> check_book_output(
    const GameRules& rules, const std::string& path,
    const std::vector<std::string_view>& inputs = {});

/// Makes a book file out of the positions and says how large it is. Never over a file that is no
/// book of the game.
[[nodiscard]] ExitCode save_book(const GameRules& rules, std::vector<BookPosition> positions,
                                 const std::string& description, const std::string& path);

}  // namespace defiance
