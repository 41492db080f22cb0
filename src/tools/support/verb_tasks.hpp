#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <defiance/base/result.hpp>
#include <tools/support/arguments.hpp>
#include <tools/support/report.hpp>

namespace defiance {

/// One of several things that a verb does: `defiance book export ...`.
struct VerbTask {
    static constexpr std::size_t any_words = SIZE_MAX;

    std::string_view name;      ///< the first word; empty for what the verb does without a word
    std::string_view options;   ///< those of the verb that it takes, with spaces between
    std::size_t max_words = 0;  ///< that may follow its name
    ExitCode (*run)(const Arguments&) = nullptr;
};

/// What of the arguments is not for this task of the verb, in words for the user: an option, with
/// the tasks that it goes with, or a word too many. `--game` goes with every task.
[[nodiscard]] std::optional<Error> check_task(const VerbTask& task,
                                              std::span<const VerbTask> all_tasks,
                                              const Arguments& arguments);

/// Runs the task that the first word names, for the `run` of a Verb. Fails when there is no such
/// task, or something that was given is not for it: with `--out` to a task that takes what is to be
/// written as a word, a file that is to be read would be taken for that.
[[nodiscard]] ExitCode run_task(std::string_view verb, std::span<const VerbTask> tasks,
                                const Arguments& arguments);

}  // namespace defiance
