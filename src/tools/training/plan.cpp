#include <string>
#include <vector>

#include <defiance/base/text.hpp>
#include <tools/support/games.hpp>
#include <tools/support/job_plan.hpp>
#include <tools/training/selfplay_file.hpp>
#include <tools/training/tasks.hpp>

namespace defiance {

ExitCode plan_selfplay(const Arguments& arguments) {
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return fail(core.error());
    for (const char* option : {"games", "nodes", "seed", "out", "shards"})
        if (!arguments.has(option))
            return fail("selfplay plan: --" + std::string(option) + " is missing");
    const std::string out(*arguments.text("out"));
    if (!is_plain_word(out))
        return fail(
            "selfplay plan: --out: only letters, digits and _ . / + , @ - can be in a plan");
    const Result<JobPlan::Format> format = plan_format_given(arguments);
    if (!format) return fail("selfplay plan: " + format.error());
    const auto number = [&](std::string_view option) {
        return std::to_string(arguments.integer(option).value_or(1));
    };
    std::string egdb;
    if (const auto folder = arguments.text("egdb")) {
        if (!is_plain_word(*folder))
            return fail(
                "selfplay plan: --egdb: only letters, digits and _ . / + , @ - can be in a plan");
        egdb = " --egdb " + std::string(*folder);
    }
    const std::string game((*core)->rules.file_word);
    JobPlan plan("Games of " + game + " for training, in " + out + '.',
                 static_cast<int>(arguments.integer("threads").value_or(1)));
    const std::string common = "selfplay --game " + game + " --games " + number("games") +
                               " --nodes " + number("nodes") + " --seed " + number("seed") +
                               " --threads " + number("threads") + egdb;
    std::string merge = "selfplay merge " + out;
    std::vector<std::size_t> shards;
    for (std::int64_t i = 0; i < *arguments.integer("shards"); ++i) {
        const std::string part = out + ".part" + std::to_string(i);
        merge += ' ' + part;
        shards.push_back(plan.add_with_mark(
            common + " --shard " + std::to_string(i) + '/' + number("shards") + " --out " + part,
            part + ".done", {}));
    }
    plan.add_with_mark(merge, out + ".done", shards);
    if (const auto error = plan.check()) return fail("selfplay plan: " + error->text);
    print_line(plan.text(*format));
    return exit_done;
}

}  // namespace defiance
