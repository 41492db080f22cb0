#include <algorithm>
#include <string>
#include <string_view>

#include <defiance/base/console.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/base/version.hpp>
#include <tools/support/games.hpp>
#include <tools/training/game_player.hpp>
#include <tools/tuning/unbalanced_openings.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

constexpr std::int64_t max_lead = 2000;  // hundredths of a man

/// Reads LOW-HIGH. Error: that is none.
std::optional<Error> read_lead(std::string_view text, UnbalancedOrder& order) {
    const std::size_t hyphen = text.find('-');
    if (hyphen != std::string_view::npos) {
        const auto least = parse_integer(text.substr(0, hyphen), 0, max_lead);
        const auto most = parse_integer(text.substr(hyphen + 1), 0, max_lead);
        if (least && most && *least <= *most) {
            order.least = static_cast<int>(*least);
            order.most = static_cast<int>(*most);
            return std::nullopt;
        }
    }
    return Error{"--lead takes hundredths of a man such as 25-55, up to " +
                 std::to_string(max_lead) + ", not '" + shown(text) + "'"};
}

Result<UnbalancedOrder> openings_order_of(const Arguments& arguments) {
    UnbalancedOrder order;
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return Error{core.error()};
    order.core = *core;
    if (const auto lead = arguments.text("lead"))
        if (auto error = read_lead(*lead, order)) return *std::move(error);
    order.count = static_cast<std::size_t>(*arguments.integer("count"));
    if (const auto nodes = arguments.integer("nodes"))
        order.nodes = static_cast<std::uint64_t>(*nodes);
    if (const auto seed = arguments.integer("seed")) order.seed = static_cast<std::uint64_t>(*seed);
    order.file = *arguments.text("out");
    order.threads = static_cast<int>(arguments.integer("threads").value_or(processor_count()));
    order.program = std::string(version) + ' ' + std::to_string(play_fingerprint(**core));
    return order;
}

ExitCode run_openings(const Arguments& arguments) {
    const Result<UnbalancedOrder> order = openings_order_of(arguments);
    if (!order) return fail("openings: " + order.error());
    catch_interrupts();
    const UnbalancedMonitor monitor = {[](const std::string& line) { print_note(line); },
                                       [] { return is_interrupted(); }};
    const Result<bool> is_done = find_unbalanced_openings(*order, monitor);
    if (!is_done) return fail("openings: " + is_done.error());
    return *is_done ? exit_done : exit_no;
}

constexpr Option openings_options[] = {
    required(integer_option("count", 1, 1'000'000)),
    required(path_option("out")),
    text_option("lead"),
    integer_option("nodes", 1, 1'000'000'000),
    integer_option("seed", 0, INT64_MAX),
    integer_option("threads", 1, 256),
};

}  // namespace

const Verb openings_verb = {
    "openings",
    "--count N --out FILE [--lead LOW-HIGH] [--nodes K] [--seed S] [--threads T]",
    "makes openings for matches in which one side is a little ahead",
    R"(Between good players nearly all games from balanced openings are drawn, and a match tells little.
Each opening is an 11-man ballot and 2 to 8 moves drawn by lot. It is kept when a search puts
  one side ahead by LOW to HIGH hundredths of a man, and no capture is pending.
--lead LOW-HIGH (25-55): in English about half of the games are decided then.
--nodes K (1000000): of that search. --seed S (1): of the lots.
FILE gets a FEN for each, for --openings of match, tournament and tune. After Ctrl-C or worse
  the same command goes on; exit status 1 when it was stopped. A larger N adds to the file.
  The same settings give the same openings, whatever the number of threads.)",
    {openings_options, {}, 0, 0},
    run_openings};

}  // namespace defiance
