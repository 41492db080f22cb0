#include <defiance/base/version.hpp>

#include <string>

#include <defiance/base/processor.hpp>
#include <defiance/base/system.hpp>
#include <tools/support/games.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

ExitCode run_version(const Arguments& arguments) {
    if (const auto core = game_of(arguments); !core) return fail(core.error());
    print_line("Defiance " + std::string(version));
    for (const GameCore* core : built_games())
        print_line("game " + std::string(core->rules.file_word) + " type " +
                   std::to_string(core->rules.game_type));
    const Processor processor = detect_processor();
    print_line(std::string("processor popcnt ") + (processor.has_popcnt ? "yes" : "no") + " avx2 " +
               (processor.has_avx2 ? "yes" : "no") + " threads " +
               std::to_string(processor_count()));
    return exit_done;
}

}  // namespace

const Verb version_verb = {
    "version",      "",         "shows the version, the games and the processor", "",
    {{}, {}, 0, 0}, run_version};

}  // namespace defiance
