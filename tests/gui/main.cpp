// engine_host: does with a CheckerBoard engine DLL what CheckerBoard does, and measures it; plays
// endings with the engines built in.

#include <span>
#include <string_view>
#include <vector>

#include <defiance/base/console.hpp>

#include "verbs.hpp"

namespace {

using namespace defiance;

constexpr std::string_view usage =
    "engine_host play ENGINE [--seconds S]\n"
    "engine_host speed ENGINE [PEER] [--seconds S] [--hash MB]\n"
    "engine_host latency ENGINE\n"
    "engine_host selfplay ENGINE [--games N] [--seconds S] [--progress FILE]\n"
    "engine_host endings GAME COUNT SECONDS SEED [--nodes N]";

struct Verb {
    std::string_view name;
    Syntax syntax;
    ExitCode (*run)(const Arguments&);
};

constexpr Option seconds = decimal_option("seconds", 1000);
constexpr Option hash = integer_option("hash", 1, 65536);
constexpr Option play_options[] = {seconds};
constexpr Option speed_options[] = {seconds, hash};
constexpr Option selfplay_options[] = {seconds, integer_option("games", 1, 100000),
                                       text_option("progress")};
constexpr Option endings_options[] = {integer_option("nodes", 1, 1000000000)};

const Verb verbs[] = {
    {"play", {play_options, "ENGINE", 1, 1}, gui::play},
    {"speed", {speed_options, "ENGINE", 1, 2}, gui::speed},
    {"latency", {{}, "ENGINE", 1, 1}, gui::latency},
    {"selfplay", {selfplay_options, "ENGINE", 1, 1}, gui::selfplay},
    {"endings", {endings_options, "GAME COUNT SECONDS SEED", 4, 4}, gui::endings},
};

}  // namespace

int main(int count, char** words) {
    use_plain_streams();
    const std::vector<std::string_view> all(words + 1, words + count);
    for (const Verb& verb : verbs) {
        if (all.empty() || all[0] != verb.name) continue;
        const auto arguments = Arguments::parse(verb.syntax, std::span(all).subspan(1));
        if (!arguments) return fail(arguments.error());
        return verb.run(*arguments);
    }
    print_note(usage);
    return exit_wrong_input;
}
