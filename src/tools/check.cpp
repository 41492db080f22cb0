#include <string>

#include <tools/check/checkup.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

ExitCode run(const Arguments& arguments) {
    const Result<LoaderPrograms> programs = read_loader_programs(arguments);
    if (!programs) return fail("check: " + programs.error());
    const Result<CheckSummary> summary =
        check_engine(*programs, std::string(arguments.positionals()[0]));
    if (!summary) return fail("check: " + summary.error());
    return summary->faults == 0 ? exit_done : exit_no;
}

constexpr Option check_options[] = {text_option("host32"), text_option("host64")};

}  // namespace

const Verb check_verb = {
    "check",
    "FILE [--host32 COMMAND] [--host64 COMMAND]",
    "tells whether an engine file keeps the CheckerBoard API",
    "FILE is a CheckerBoard engine of anybody's. It is called as CheckerBoard calls it: commands,\n"
    "legal moves, a quick game, times, playnow, histories, questions while it thinks, options.\n"
    "Each check is a line:\n"
    "  pass  NAME: what was seen\n"
    "  note  NAME: what is missing or could be better, but harms nobody\n"
    "  fault NAME: what was seen; why it matters to a user of CheckerBoard\n"
    "The last line is 'CHECK passes N notes N faults N'. Exit status 1 with faults, 2 when FILE "
    "is\n"
    "no engine. Options that are changed are put back. It takes some 10 seconds.\n"
    "  --host32 COMMAND, --host64 COMMAND   the defiance.exe that loads DLLs of that width",
    {check_options, "FILE", 1, 1},
    run};

}  // namespace defiance
