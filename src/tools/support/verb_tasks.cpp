#include <tools/support/verb_tasks.hpp>

#include <string>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

/// `a, b and c`.
std::string list_of(const std::vector<std::string>& names) {
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
        list += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return list;
}

bool takes_option(const VerbTask& task, std::string_view name) {
    for (std::string_view rest = task.options; !rest.empty();)
        if (take_word(rest) == name) return true;
    return false;
}

/// The names of the tasks for which the condition holds. What a verb does without a task has none.
template <class Condition>
std::vector<std::string> names_of(std::span<const VerbTask> tasks, Condition condition) {
    std::vector<std::string> names;
    for (const VerbTask& task : tasks)
        if (!task.name.empty() && condition(task)) names.emplace_back(task.name);
    return names;
}

const VerbTask* find_task(std::span<const VerbTask> tasks, std::string_view name) {
    for (const VerbTask& task : tasks)
        if (task.name == name) return &task;
    return nullptr;
}

}  // namespace

std::optional<Error> check_task(const VerbTask& task, std::span<const VerbTask> all_tasks,
                                const Arguments& arguments) {
    for (const auto& [name, value] : arguments.given()) {
        if (name == "game" || takes_option(task, name)) continue;
        const auto takers =
            names_of(all_tasks, [&](const VerbTask& other) { return takes_option(other, name); });
        const std::string option = "--" + std::string(name);
        if (takers.empty()) return Error{option + " goes with no task"};
        return Error{option + " goes with " + list_of(takers)};
    }
    const std::size_t names = task.name.empty() ? 0 : 1;
    const auto& words = arguments.positionals();
    if (words.size() > names && words.size() - names > task.max_words)
        return Error{"'" + shown(words[names + task.max_words]) + "' is one word too many"};
    return std::nullopt;
}

ExitCode run_task(std::string_view verb, std::span<const VerbTask> tasks,
                  const Arguments& arguments) {
    const auto& words = arguments.positionals();
    const std::string_view wanted = words.empty() ? std::string_view() : words[0];
    const VerbTask* task = words.empty() || !wanted.empty() ? find_task(tasks, wanted) : nullptr;
    const std::string place(verb);
    if (task == nullptr)
        return fail(place + ": there is no '" + shown(wanted) + "', only " +
                    list_of(names_of(tasks, [](const VerbTask&) { return true; })));
    DEFIANCE_ASSERT(task->run != nullptr);
    if (const auto error = check_task(*task, tasks, arguments))
        return fail(place + (wanted.empty() ? "" : ' ' + std::string(wanted)) + ": " + error->text +
                    "; see 'defiance help " + place + "'");
    return task->run(arguments);
}

}  // namespace defiance
