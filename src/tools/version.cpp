#include <defiance/base/version.hpp>

#include <string>

#include <defiance/base/processor.hpp>
#include <defiance/base/system.hpp>
#include <tools/support/games.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

ExitCode run_version(const Arguments& arguments) {
    return with_rules(arguments, []<class>() {
        print_line("Defiance " + std::string(version));
        for_each_game(BuiltGames{}, []<class Rules>() {
            print_line("game " + std::string(Rules::file_word) + " type " +
                       std::to_string(Rules::game_type));
        });
        const Processor processor = detect_processor();
        print_line(std::string("processor popcnt ") + (processor.has_popcnt ? "yes" : "no") +
                   " avx2 " + (processor.has_avx2 ? "yes" : "no") + " threads " +
                   std::to_string(processor_count()));
        return exit_done;
    });
}

}  // namespace

const Verb version_verb = {
    "version",      "",         "shows the version, the games and the processor", "",
    {{}, {}, 0, 0}, run_version};

}  // namespace defiance
