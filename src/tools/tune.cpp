#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/base/version.hpp>
#include <defiance/search/parameters.hpp>
#include <tools/support/games.hpp>
#include <tools/support/openings.hpp>
#include <tools/training/game_player.hpp>
#include <tools/tuning/tuning_run.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

constexpr std::int64_t max_tuning_games = 10'000'000;

class ConsoleTuningMonitor : public TuningMonitor {
public:
    void print(const std::string& line) override { print_line(line); }
    void note(const std::string& line) override { print_note(line); }
    [[nodiscard]] bool is_stopped() override { return is_interrupted(); }
};

/// The parameters with the names between commas, in the order of the table; all without any. Error:
/// a name is unknown, given twice or missing.
Result<std::vector<const SearchParameter*>> parameters_named(std::optional<std::string_view> list) {
    std::vector<const SearchParameter*> chosen;
    if (!list) {
        for (const SearchParameter& parameter : search_parameters)
            chosen.push_back(&parameter);
        return chosen;
    }
    for (std::string_view rest = *list;;) {
        const std::size_t comma = rest.find(',');
        const std::string_view name = trimmed(rest.substr(0, comma));
        const SearchParameter* parameter = find_search_parameter(name);
        if (parameter == nullptr) return unknown_search_parameter(name);
        if (std::find(chosen.begin(), chosen.end(), parameter) != chosen.end())
            return Error{std::string(name) + " is given twice"};
        chosen.push_back(parameter);
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

/// Reads the options. Error: one of them makes no sense.
Result<TuningOrder> tuning_order_of(const Arguments& arguments) {
    TuningOrder order;
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return Error{core.error()};
    const auto parameters = parameters_named(arguments.text("params"));
    if (!parameters) return Error{"--params: " + parameters.error()};
    order.parameters = *parameters;
    order.games = static_cast<std::uint64_t>(*arguments.integer("games"));
    if (order.games % 2 != 0)
        return Error{"--games takes an even number: games are played in pairs"};
    order.game.core = *core;
    order.game.nodes = static_cast<std::uint64_t>(*arguments.integer("nodes"));
    order.game.seed = static_cast<std::uint64_t>(*arguments.integer("seed"));
    if (const auto word = arguments.text("openings")) {
        const auto openings = openings_named((*core)->rules, *word);
        if (!openings) return Error{"--openings: " + openings.error()};
        for (const Opening& opening : openings->list)
            order.game.openings.push_back(opening.position);
    }
    order.file = *arguments.text("out");
    order.threads = static_cast<int>(arguments.integer("threads").value_or(processor_count()));
    order.program = std::string(version) + ' ' + std::to_string(play_fingerprint(**core));
    return order;
}

ExitCode run_tune(const Arguments& arguments) {
    const Result<TuningOrder> order = tuning_order_of(arguments);
    if (!order) return fail("tune: " + order.error());
    catch_interrupts();
    ConsoleTuningMonitor monitor;
    // Databases without folders: the games depend on nothing that lies beside the program.
    const Result<bool> is_done = run_tuning(*order, {}, monitor);
    if (!is_done) return fail("tune: " + is_done.error());
    return *is_done ? exit_done : exit_no;
}

/// The table of the parameters, a line for each.
std::string parameter_lines() {
    std::string text;
    for (const SearchParameter& parameter : search_parameters) {
        std::string name(parameter.name);
        name.resize(std::max<std::size_t>(name.size(), 18), ' ');
        text += "\n  " + name + std::to_string(SearchParameters{}.*parameter.member) + ", from " +
                std::to_string(parameter.min) + " to " + std::to_string(parameter.max) + ", step " +
                std::to_string(parameter.step);
    }
    return text;
}

constexpr Option tune_options[] = {
    required(integer_option("games", 2, max_tuning_games)),
    required(integer_option("nodes", 1, 1'000'000'000)),
    required(integer_option("seed", 0, INT64_MAX)),
    required(path_option("out")),
    integer_option("threads", 1, 256),
    text_option("params"),
    path_option("openings"),
};

const std::string tune_details =
    "SPSA (J. C. Spall, 1992): in each pair of games, of the same opening with colours\n"
    "  exchanged, one side plays with all parameters moved by a step, each up or down by lot, the\n"
    "  other side with all moved the other way. Each parameter then goes a little way to where "
    "the\n"
    "  winner had it. Eight pairs are played between two changes of the parameters.\n"
    "--games N: of all, an even number; thousands are needed. --nodes K: of each move. --seed S: "
    "of\n"
    "  the openings and lots. --params NAME,NAME,...: what is tuned; without it everything.\n"
    "--openings WHAT: 11-man ballots, as without it, 3-move (English), start, or a file of PDN "
    "games,\n"
    "  FENs or moves, such as 'defiance openings' makes. Differences show sooner where games are "
    "less\n"
    "  often drawn.\n"
    "--out FILE keeps the state. After Ctrl-C or worse the same command goes on after the last\n"
    "  iteration finished; exit status 1 when it was stopped. The same settings give the same\n"
    "  result, whatever the number of threads, of which 16 have something to do.\n"
    "Games end early when both sides find them decided or level. No opening book is used.\n"
    "At the end there is a line for each parameter, NAME default D tuned T with the exact value\n"
    "  behind it, and the player for 'defiance match' that has the tuned ones. How far it is, and\n"
    "  the values so far, go to standard error.\n"
    "The parameters, with their defaults, bounds and steps at the end of a run, in points of the\n"
    "evaluation (a man is worth some 300), plies, pieces, or hundredths (reduction_divisor and\n"
    "reduction_offset):" +
    parameter_lines();

}  // namespace

const Verb tune_verb = {"tune",
                        "--games N --nodes K --seed S --out FILE [--threads T] "
                        "[--params NAME,NAME,...] [--openings WHAT]",
                        "looks for better parameters of the search in games against itself",
                        tune_details,
                        {tune_options, {}, 0, 0},
                        run_tune};

}  // namespace defiance
