#include <string>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/process.hpp>
#include <defiance/base/text.hpp>
#include <tools/check/finding.hpp>
#include <tools/match/loader_programs.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

/// How many checks of an engine ended in which way.
struct CheckSummary {
    int passes = 0;
    int notes = 0;
    int faults = 0;
};

std::vector<Check> all_checks() {
    std::vector<Check> all;
    for (const auto list :
         {reply_checks, movelist_checks, legality_checks, move_checks, time_checks, play_now_checks,
          history_checks, thread_checks, option_checks})
        for (Check& check : list())
            all.push_back(std::move(check));
    return all;
}

void print(const std::string& name, const Finding& finding) {
    DEFIANCE_ASSERT((finding.severity == Severity::fault) == !finding.why.empty());
    constexpr std::string_view words[] = {"pass  ", "note  ", "fault "};
    std::string line(words[static_cast<std::size_t>(finding.severity)]);
    line += name + ": " + finding.seen;
    if (!finding.why.empty()) line += "; " + finding.why;
    print_line(line);
}

void add(CheckSummary& summary, Severity severity) {
    switch (severity) {
        case Severity::pass:
            ++summary.passes;
            break;
        case Severity::note:
            ++summary.notes;
            break;
        case Severity::fault:
            ++summary.faults;
            break;
    }
}

/// Runs all checks on the engine in this file. Prints a line for each as soon as it is known, and
/// the summary last. Error: the file is no engine that can be loaded.
Result<CheckSummary> check_engine(const LoaderPrograms& programs, const std::string& file) {
    const std::string path = full_path(file);
    const auto command = loader_command(programs, path);
    if (!command) return Error{command.error()};
    CheckedEngine engine(*command, usual_folder(path));
    if (auto problem = engine.learn()) return *problem;
    CheckSummary summary;
    const auto report = [&](const std::string& name, const Finding& finding) {
        print(name, finding);
        add(summary, finding.severity);
    };
    for (const Check& check : all_checks())
        if (!check.needs_rules || engine.rules() != nullptr) report(check.name, check.run(engine));
    if (engine.rules() == nullptr)
        report("rules", note("its game is not known here; its moves were not checked"));
    print_line("CHECK passes " + std::to_string(summary.passes) + " notes " +
               std::to_string(summary.notes) + " faults " + std::to_string(summary.faults));
    return summary;
}

ExitCode run(const Arguments& arguments) {
    DEFIANCE_ASSERT(arguments.positionals().size() == 1);
    forbid_error_dialogs();
    const Result<LoaderPrograms> programs = read_loader_programs(arguments);
    if (!programs) return fail("check: " + programs.error());
    const Result<CheckSummary> summary =
        check_engine(*programs, std::string(arguments.positionals()[0]));
    if (!summary) return fail("check: " + summary.error());
    return summary->faults == 0 ? exit_done : exit_no;
}

constexpr Option check_options[] = {path_option("host32"), path_option("host64")};

}  // namespace

const Verb check_verb = {
    "check",
    "FILE [--host32 COMMAND] [--host64 COMMAND]",
    "tells whether an engine file keeps the CheckerBoard API",
    "FILE is any CheckerBoard engine. It is called as CheckerBoard calls it: commands,\n"
    "legal moves, a quick game, times, playnow, histories, questions while it thinks, options.\n"
    "Each check is a line:\n"
    "  pass  NAME: what was seen\n"
    "  note  NAME: what is missing or could be better, but harms nobody\n"
    "  fault NAME: what was seen; why it matters to a user of CheckerBoard\n"
    "The last line is 'CHECK passes N notes N faults N'. Exit status 1 with faults, 2 when FILE "
    "is\n"
    "no engine. Options that are changed are put back. It takes some 10 seconds.\n"
    "  --host32 COMMAND, --host64 COMMAND   the defiance.exe that loads DLLs of that width",
    {check_options, "FILE", 1, 1, false},
    run};

}  // namespace defiance
