#include <array>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/games.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

constexpr std::array verbs = {
    &perft_verb,       //
    &moves_verb,       //
    &replay_verb,      //
    &analyze_verb,     //
    &bench_verb,       //
    &match_verb,       //
    &tournament_verb,  //
    &selfplay_verb,    //
    &egdb_verb,        //
    &book_verb,        //
    &train_verb,       //
    &tune_verb,        //
    &openings_verb,    //
    &middleware_verb,  //
    &hub_verb,         //
    &serve_verb,       //
    &work_verb,        //
    &store_verb,       //
    &check_verb,       //
    &host_verb,        //
    &version_verb,     //
    &help_verb,        //
};

bool asks_for_help(std::string_view word) {
    return word == "--help" || word == "-h";
}

/// The verb that the first word names, or null.
const Verb* verb_of(std::string_view word) {
    if (asks_for_help(word)) return &help_verb;
    return word == "--version" ? &version_verb : find_verb(word);
}

ExitCode run(std::span<const std::string_view> words) {
    if (words.empty()) return fail("no verb is given; 'defiance help' lists them");
    const Verb* verb = verb_of(words[0]);
    if (verb == nullptr)
        return fail("there is no verb '" + shown(words[0]) + "'; 'defiance help' lists them");
    // `defiance match self self --help` is `defiance help match`, and so is `match -h self self`.
    const bool is_first = words.size() >= 2 && verb != &help_verb && asks_for_help(words[1]);
    if (is_first || (words.size() >= 2 && asks_for_help(words.back()))) {
        if (verb == &help_verb) return run(words.first(words.size() - 1));
        const std::array help{help_verb.name, verb->name};
        return run(help);
    }
    const std::string name(verb->name);
    const std::string place = name + ": ";
    DEFIANCE_ASSERT(verb->run != nullptr);
    const Result<Arguments> arguments = Arguments::parse(verb->syntax, words.subspan(1));
    if (!arguments) return fail(place + arguments.error() + "; see 'defiance help " + name + "'");
    try {
        return verb->run(*arguments);
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {        // more than an address can tell apart
    } catch (const std::system_error& error) {  // a thread that the system does not give
        return fail(place + error.what());
    }
    return fail(place + "there is not enough memory");
}

/// A full disk or a closed pipe must not look like success.
ExitCode after_writing(ExitCode code) {
    const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    return written ? code : fail("the output cannot be written");
}

}  // namespace

std::span<const Verb* const> all_verbs() {
    return verbs;
}

const Verb* find_verb(std::string_view name) {
    for (const Verb* verb : verbs)
        if (verb->name == name) return verb;
    return nullptr;
}

}  // namespace defiance

int main(int argc, char** argv) {
    defiance::use_plain_streams();
    const std::vector<std::string> arguments = defiance::program_arguments(argc, argv);
    const std::vector<std::string_view> words(arguments.begin(), arguments.end());
    return defiance::after_writing(defiance::run(words));
}
