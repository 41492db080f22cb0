#include <tools/support/job_plan.hpp>

#include <algorithm>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

// How a Makefile and a shell name the program.
constexpr std::string_view make_program = "$(DEFIANCE)";
constexpr std::string_view shell_program = "\"$DEFIANCE\"";

/// Slurm's usual limit for the number of jobs of an array (MaxArraySize).
constexpr std::size_t most_in_array = 1000;

}  // namespace

bool is_plain_word(std::string_view text) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+,@-";
    return !text.empty() && text.front() != '-' &&
           text.find_first_not_of(plain) == std::string_view::npos;
}

Result<Shard> shard_given(const Arguments& arguments, std::uint32_t most) {
    const auto text = arguments.text("shard");
    if (!text) return Shard{};
    const std::size_t slash = std::min(text->find('/'), text->size());
    const auto number = parse_integer(text->substr(0, slash), 0, std::int64_t{most} - 1);
    const auto of = parse_integer(text->substr(std::min(slash + 1, text->size())), 1, most);
    if (!number || !of || *number >= *of)
        return Error{"--shard: '" + shown(*text) +
                     "' is not i/n with i from 0 to n - 1 and n up to " + std::to_string(most)};
    return Shard{static_cast<std::uint32_t>(*number), static_cast<std::uint32_t>(*of)};
}

Result<JobPlan::Format> plan_format_given(const Arguments& arguments) {
    const auto name = arguments.text("for").value_or("make");
    if (name == "make") return JobPlan::Format::make;
    if (name == "slurm") return JobPlan::Format::slurm;
    return Error{"--for takes make or slurm, not '" + shown(name) + "'"};
}

std::size_t JobPlan::add(std::string arguments, std::string file, std::vector<std::size_t> after) {
    DEFIANCE_ASSERT(is_plain_word(file));
    Job job{std::move(arguments), std::move(file), false, std::move(after)};
    for (const std::size_t earlier : job.after) {
        DEFIANCE_ASSERT(earlier < jobs_.size());
        job.step = std::max(job.step, jobs_[earlier].step + 1);
    }
    jobs_.push_back(std::move(job));
    return jobs_.size() - 1;
}

std::size_t JobPlan::add_with_mark(std::string arguments, std::string mark,
                                   std::vector<std::size_t> after) {
    const std::size_t number = add(std::move(arguments), std::move(mark), std::move(after));
    jobs_[number].makes_mark = true;
    return number;
}

std::optional<Error> JobPlan::check() const {
    for (const Job& job : jobs_)
        if (command_of(job, shell_program).size() > max_command_bytes)
            return Error{"a command has more than " + std::to_string(max_command_bytes) +
                         " bytes: fewer shards or shorter names are needed"};
    return std::nullopt;
}

std::string JobPlan::text(Format format) const {
    DEFIANCE_ASSERT(!jobs_.empty());
    return format == Format::make ? makefile() : slurm_script();
}

std::string JobPlan::command_of(const Job& job, std::string_view program) {
    std::string command = std::string(program) + ' ' + job.arguments;
    if (job.makes_mark) command += " && touch " + job.file;
    return command;
}

std::string JobPlan::makefile() const {
    std::string text = "# " + remark_ +
                       "\n# make -j4 -f THIS_FILE runs four jobs at a time and goes on where it "
                       "was interrupted.\n\nDEFIANCE ?= defiance\n"
                       "# Another plan of the same files may have other settings.\n"
                       "PLAN := $(wildcard $(lastword $(MAKEFILE_LIST)))\n\nall:";
    for (const Job& job : jobs_)
        text += " \\\n  " + job.file;
    text += "\n.PHONY: all\n";
    for (const Job& job : jobs_) {
        text += '\n' + job.file + ": $(PLAN)";
        for (const std::size_t earlier : job.after)
            text += " \\\n  " + jobs_[earlier].file;
        text += "\n\t" + command_of(job, make_program);
        // What was complete is left as it is, and older than the plan.
        if (!job.makes_mark) text += " && touch -c " + job.file;
        text += '\n';
    }
    return text;
}

/// As many of the jobs from `next` on as go into one array of Slurm; moves `next` on.
std::string JobPlan::array_of(const std::vector<const Job*>& jobs, std::size_t& next) {
    std::string cases;
    std::size_t count = 0;
    for (; next < jobs.size() && count < most_in_array; ++next) {
        const std::string line =
            std::to_string(count + 1) + ") " + command_of(*jobs[next], shell_program) + " ;;\n";
        if (count > 0 && cases.size() + line.size() > max_command_bytes) break;
        cases += line;
        ++count;
    }
    return "submit " + std::to_string(count) + " 'case $SLURM_ARRAY_TASK_ID in\n" + cases +
           "esac'\n";
}

std::string JobPlan::slurm_script() const {
    std::string text = "#!/bin/sh\n# " + remark_ + R"(
# Gives the jobs to Slurm, in a folder that all machines share. Run it again after a failure: what is
# complete takes no time.

set -e
export DEFIANCE="${DEFIANCE:-defiance}"
after=

# submit COUNT JOBS: as an array, after the steps before.
submit() {
    number=$(sbatch --parsable --cpus-per-task=)" +
                       std::to_string(threads_) + R"( \
        ${after:+--dependency=afterok$after} --array="1-$1" --wrap "$2")
    latest="$latest:${number%%;*}"
}
)";
    for (std::size_t step = 0;; ++step) {
        std::vector<const Job*> jobs;
        for (const Job& job : jobs_)
            if (job.step == step) jobs.push_back(&job);
        if (jobs.empty()) return text;
        text += "\nlatest=\n";
        for (std::size_t next = 0; next < jobs.size();)
            text += array_of(jobs, next);
        text += "after=$latest\n";
    }
}

}  // namespace defiance
