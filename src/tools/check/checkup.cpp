#include <tools/check/checkup.hpp>

#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/report.hpp>

#include <tools/check/finding.hpp>

namespace defiance {
namespace {

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

}  // namespace

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

}  // namespace defiance
