#include <defiance/base/text.hpp>
#include <tools/egdb/tasks.hpp>
#include <tools/support/rules_types.hpp>

namespace defiance {

ExitCode build_endgames(const Arguments& arguments) {
    BuildSettings settings;
    settings.folder = folder_given(arguments);
    settings.threads = threads_given(arguments);
    const auto pieces = arguments.integer("pieces");
    const auto slice = arguments.text("slice");
    if (settings.folder.empty()) return fail("egdb build: --dir is missing");
    if (pieces.has_value() == slice.has_value())
        return fail("egdb build: either --pieces or --slice must be given");
    if (pieces) settings.pieces = static_cast<int>(*pieces);
    if (slice) {
        settings.only = parse_material(*slice);
        if (!settings.only || settings.only->total() > max_pieces_built)
            return fail("egdb build: --slice '" + shown(*slice) +
                        "' is no material such as 2m1k-0m2k of up to " +
                        std::to_string(max_pieces_built) + " pieces");
    }
    return with_rules(arguments, [&]<class Rules>() {
        ProgressNotes progress;
        const Stopwatch stopwatch;
        const Result<bool> built = build_database<Rules>(settings, progress);
        if (!built) return fail("egdb build: " + built.error());
        if (!*built) {
            print_note("stopped; the same command goes on from here");
            return exit_no;
        }
        print_line("built in " + fixed(stopwatch.seconds(), 1) + " s");
        return exit_done;
    });
}

}  // namespace defiance
