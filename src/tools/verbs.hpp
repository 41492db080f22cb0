#pragma once

#include <span>
#include <string_view>

#include <tools/support/arguments.hpp>
#include <tools/support/report.hpp>

namespace defiance {

/// One thing the console tool can do: `defiance <name> ...`.
struct Verb {
    std::string_view name;
    std::string_view usage;    ///< what follows the name, e.g. "[--fen F] --depth N"
    std::string_view summary;  ///< for the list of verbs: one line
    std::string_view details;  ///< for `help <name>`: some lines with line feeds between
    Syntax syntax;
    ExitCode (*run)(const Arguments&);
    bool is_hidden = false;  ///< not in the list of verbs
};

/// Every verb, in the order in which help lists them.
[[nodiscard]] std::span<const Verb* const> all_verbs();

/// The verb with this name, or null.
[[nodiscard]] const Verb* find_verb(std::string_view name);

// Each is defined in the file of its name in src/tools; tournament in match.cpp, version in
// help.cpp.
extern const Verb perft_verb;
extern const Verb moves_verb;
extern const Verb replay_verb;
extern const Verb analyze_verb;
extern const Verb bench_verb;
extern const Verb match_verb;
extern const Verb tournament_verb;
extern const Verb selfplay_verb;
extern const Verb egdb_verb;
extern const Verb book_verb;
extern const Verb train_verb;
extern const Verb tune_verb;
extern const Verb openings_verb;
extern const Verb middleware_verb;
extern const Verb hub_verb;
extern const Verb serve_verb;
extern const Verb work_verb;
extern const Verb store_verb;
extern const Verb check_verb;
extern const Verb host_verb;
extern const Verb version_verb;
extern const Verb help_verb;

}  // namespace defiance
