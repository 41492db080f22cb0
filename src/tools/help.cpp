#include <algorithm>
#include <string>

#include <defiance/base/assert.hpp>
#include <defiance/base/processor.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/base/version.hpp>
#include <tools/support/games.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

void print_overview() {
    print_line("usage: defiance <verb> [options]");
    print_line("");
    std::size_t width = 0;
    for (const Verb* verb : all_verbs())
        width = std::max(width, verb->name.size());
    for (const Verb* verb : all_verbs()) {
        if (verb->is_hidden) continue;
        DEFIANCE_ASSERT(verb->name.size() <= width);
        const std::string gap(width + 2 - verb->name.size(), ' ');
        print_line("  " + std::string(verb->name) + gap + std::string(verb->summary));
    }
    print_line("");
    print_line(
        "'defiance help <verb>' tells more. --game chooses the game; English when nothing tells "
        "it.");
    print_line("The value of an option may also stand behind an equals sign: --threads=2.");
    print_line(
        "--threads: all processors when left out; one in analyze, bench, plans and book verify.");
    print_line("Exit status: 0 done, 1 a check failed, 2 wrong usage or input.");
}

/// Prints the words in lines of at most 100 columns, those after the first one indented.
void print_words(std::string_view words) {
    constexpr std::size_t columns = 100;
    std::string line;
    while (!words.empty()) {
        const std::string_view word = take_word(words);
        if (line.size() + 1 + word.size() > columns) {
            print_line(line);
            line = " ";
        }
        line += (line.empty() ? "" : " ") + std::string(word);
    }
    print_line(line);
}

void print_verb(const Verb& verb) {
    DEFIANCE_ASSERT(!verb.name.empty() && !verb.summary.empty());
    print_words("usage: defiance " + std::string(verb.name) + ' ' + std::string(verb.usage));
    print_line("");
    print_line(std::string(verb.name) + ' ' + std::string(verb.summary) + '.');
    if (!verb.details.empty()) print_line(verb.details);
}

ExitCode run_help(const Arguments& arguments) {
    if (const auto core = game_of(arguments); !core) return fail(core.error());
    if (arguments.positionals().empty()) {
        print_overview();
        return exit_done;
    }
    const std::string_view name = arguments.positionals().front();
    const Verb* verb = find_verb(name);
    if (verb == nullptr)
        return fail("there is no verb '" + shown(name) + "'; 'defiance help' lists them");
    print_verb(*verb);
    return exit_done;
}

ExitCode run_version(const Arguments&) {
    print_line("Defiance " + std::string(version));
    for (const GameCore* core : built_games())
        print_line("game " + std::string(core->rules.file_word) + " type " +
                   std::to_string(core->rules.game_type));
    const Processor processor = detect_processor();
    const auto answer = [](bool has) { return std::string(has ? "yes" : "no"); };
    print_line("processor popcnt " + answer(processor.has_popcnt) + " avx2 " +
               answer(processor.has_avx2) + " avx512 " + answer(processor.has_avx512) +
               " avx-vnni " + answer(processor.has_avx_vnni) + " avx512-vnni " +
               answer(processor.has_avx512_vnni) + " threads " + std::to_string(processor_count()));
    return exit_done;
}

}  // namespace

const Verb help_verb = {"help", "[VERB]",           "lists the verbs, or shows how one is used",
                        "",     {{}, "VERB", 0, 1}, run_help};

const Verb version_verb = {
    "version",  "", "shows the version, the games and the processor", "", {{}, {}, 0, 0, false},
    run_version};

}  // namespace defiance
