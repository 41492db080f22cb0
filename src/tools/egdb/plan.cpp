#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/egdb/endgames.hpp>
#include <tools/egdb/tasks.hpp>
#include <tools/support/job_plan.hpp>
#include <tools/support/rules_types.hpp>

namespace defiance {
namespace {

/// The materials that must be built before this one, each for a pair.
template <class Rules>
std::vector<std::size_t> jobs_before(const Material& material,
                                     const std::map<std::string, std::size_t>& jobs) {
    std::vector<std::size_t> before;
    for (const Material& m : {material, material.swapped()})
        for (const Material& next : successors_of(m)) {
            const auto job = jobs.find(part_path<Rules>("", next));
            DEFIANCE_ASSERT(job != jobs.end());
            if (std::find(before.begin(), before.end(), job->second) == before.end())
                before.push_back(job->second);
        }
    return before;
}

/// A job for each pair of materials, and one that joins what they make.
template <class Rules>
JobPlan plan_of(const std::string& folder, int pieces, int threads) {
    const std::string game(Rules::file_word);
    const std::string where = " --game " + game + " --dir " + folder;
    const std::string number = std::to_string(pieces);
    JobPlan plan("The endgame databases of " + game + " with up to " + number + " pieces.",
                 threads);
    std::map<std::string, std::size_t> jobs;  // by the file without the folder
    std::vector<std::size_t> all;
    for (int n = 2; n <= pieces; ++n)
        for (const Material& material : pairs_of(n)) {
            const std::string arguments = "egdb build" + where + " --slice " + to_text(material) +
                                          " --part --threads " + std::to_string(threads);
            all.push_back(plan.add(arguments, part_path<Rules>(folder, material),
                                   jobs_before<Rules>(material, jobs)));
            jobs[part_path<Rules>("", material)] = all.back();
        }
    // The last file that join writes.
    plan.add("egdb join" + where + " --pieces " + number,
             folder + database_file_name<Rules>(std::min(pieces, max_pieces_in_one_file)), all);
    return plan;
}

/// The folder and pieces given. Error: what is missing.
Result<BuildSettings> settings_given(const Arguments& arguments) {
    BuildSettings settings;
    settings.folder = folder_given(arguments);
    if (settings.folder.empty()) return Error{"--dir is missing"};
    const auto pieces = arguments.integer("pieces");
    if (!pieces) return Error{"--pieces is missing"};
    settings.pieces = static_cast<int>(*pieces);
    return settings;
}

}  // namespace

ExitCode plan_endgames(const Arguments& arguments) {
    const Result<BuildSettings> settings = settings_given(arguments);
    if (!settings) return fail("egdb plan: " + settings.error());
    if (!is_plain_word(settings->folder))
        return fail("egdb plan: --dir: only letters, digits and _ . / + , @ - can be in a plan");
    const Result<JobPlan::Format> format = plan_format_given(arguments);
    if (!format) return fail("egdb plan: " + format.error());
    const int threads = static_cast<int>(arguments.integer("threads").value_or(1));
    return with_rules(arguments, [&]<class Rules>() {
        const JobPlan plan = plan_of<Rules>(settings->folder, settings->pieces, threads);
        print_line(plan.text(*format));
        return exit_done;
    });
}

ExitCode join_endgames(const Arguments& arguments) {
    const Result<BuildSettings> settings = settings_given(arguments);
    if (!settings) return fail("egdb join: " + settings.error());
    if (const auto error = find_missing_folder(arguments)) return fail("egdb join: " + error->text);
    return with_rules(arguments, [&]<class Rules>() {
        ProgressNotes progress(ProgressNotes::Interrupt::ends_program);
        const Result<bool> joined = join_database<Rules>(*settings, progress);
        return joined ? exit_done : fail("egdb join: " + joined.error());
    });
}

}  // namespace defiance
