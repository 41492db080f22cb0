#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/english.hpp>
#include <tools/book/expansion.hpp>
#include <tools/book/tasks.hpp>
#include <tools/support/games.hpp>
#include <tools/support/openings.hpp>

namespace defiance {
namespace {

constexpr std::int64_t default_nodes = 5000;
constexpr double default_alpha = 3;
constexpr std::size_t max_ballot_file = std::size_t{16} << 20;

/// How many plies an 11-man ballot counts for: a book is most often used from the start.
constexpr int plies_of_removed_men = 4;
constexpr int plies_of_opening = 3;

std::string default_ballots(const GameRules& rules) {
    return rules.game_type == English::game_type ? "3move" : "11man";
}

/// The start position and the ballots.
Result<std::vector<BookRoot>> roots_of(const GameRules& rules, const std::string& ballots) {
    std::vector<BookRoot> roots = {{rules.start_position(), 0}};
    if (ballots == "none") return roots;
    if (ballots == "11man") {
        for (const Position& position : eleven_man_ballots(rules))
            roots.push_back({position, plies_of_removed_men});
        return roots;
    }
    std::vector<Opening> openings;
    if (ballots == "3move") {
        if (rules.game_type != English::game_type)
            return Error{"the openings 3move are for English only"};
        openings = three_move_openings();
    } else {
        const Result<std::string> text = read_file(ballots, max_ballot_file);
        if (!text) return Error{"--ballots: " + text.error()};
        Result<std::vector<Opening>> read = read_openings(rules, *text);
        if (!read) return Error{"--ballots: " + ballots + ": " + read.error()};
        openings = *std::move(read);
    }
    for (const Opening& opening : openings)
        roots.push_back({opening.position, plies_of_opening});
    DEFIANCE_ASSERT(roots.size() > 1);
    return roots;
}

/// Prints every few seconds how far a run is.
class Progress {
public:
    explicit Progress(std::size_t wanted) : wanted_(wanted) {}

    void note(std::size_t known) {
        constexpr double interval = 10;
        const double now = stopwatch_.seconds();
        if (!first_) {
            first_ = known;
            since_ = now;
            next_ = now + interval / 5;
        }
        if (now < next_ || known <= *first_) return;
        next_ = now + interval;
        const double rate = static_cast<double>(known - *first_) / (now - since_);
        const double left = static_cast<double>(wanted_ - std::min(known, wanted_)) / rate;
        print_note("positions " + std::to_string(known) + " of " + std::to_string(wanted_) + ", " +
                   fixed(rate, 1) + " a second, " + fixed(left, 0) + " s left");
    }

private:
    const std::size_t wanted_;
    Stopwatch stopwatch_;
    std::optional<std::size_t> first_;
    double since_ = 0;
    double next_ = 0;
};

std::string with_separator(std::string_view folder) {
    const char last = folder.back();
    return std::string(folder) +
           (last == '/' || last == '\\' ? "" : std::string(1, path_separator));
}

/// Opens the position database and lets it grow; nothing when it was stopped.
Result<std::optional<std::vector<BookPosition>>> grow(const GameCore& core,
                                                      const std::vector<BookRoot>& roots,
                                                      const ExpansionSettings& settings,
                                                      const std::string& place,
                                                      const std::string& journal) {
    const auto store = open_store(place, [](const std::string& line) { print_note(line); });
    if (!store) return Error{store.error()};
    // Databases without folders: the scores depend on nothing that lies beside the program.
    const auto endgames = core.open_endgames(EndgameSettings{});
    const auto grouped = GroupedStore::open(**store, journal);
    if (!grouped) return Error{grouped.error()};
    PositionDatabase database(core, **grouped, endgames.get());
    Progress progress(settings.positions);
    const auto done = expand_book(
        database, **grouped, core, endgames.get(), roots, settings, [] { return is_interrupted(); },
        [&](std::size_t known) {
            progress.note(known);
            return !is_interrupted();
        });
    if (!done) return Error{done.error()};
    if (!*done) return std::optional<std::vector<BookPosition>>();
    auto positions = collect_book(database, roots);
    if (!positions) return Error{positions.error()};
    return std::optional(*std::move(positions));
}

}  // namespace

ExitCode build_book(const Arguments& arguments) {
    for (const std::string_view name : {"dir", "positions", "out"})
        if (!arguments.has(name) || (name != "positions" && arguments.text(name)->empty()))
            return fail("book build: --" + std::string(name) + " is missing");
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return fail(core.error());
    const GameRules& rules = (*core)->rules;
    const std::string ballots(arguments.text("ballots").value_or(default_ballots(rules)));
    const auto roots = roots_of(rules, ballots);
    if (!roots) return fail("book build: " + roots.error());
    const std::string folder = with_separator(*arguments.text("dir"));
    if (!folder_exists(folder) && !make_folder(folder))
        return fail("book build: the folder " + folder + " cannot be made");

    const double alpha = arguments.decimal("alpha").value_or(default_alpha);
    ExpansionSettings settings;
    settings.positions = static_cast<std::size_t>(*arguments.integer("positions"));
    settings.effort.nodes =
        static_cast<std::uint64_t>(arguments.integer("nodes").value_or(default_nodes));
    settings.costs.hundredth =
        static_cast<std::int32_t>(std::lround(alpha / 10 * settings.costs.ply));
    settings.threads = static_cast<int>(arguments.integer("threads").value_or(processor_count()));
    const std::string stem = folder + std::string(rules.file_word);
    settings.batch_file = stem + ".batch";
    catch_interrupts();
    const auto grown =
        grow(**core, *roots, settings, std::string(arguments.text("store").value_or(folder)),
             stem + ".journal");
    if (!grown) return fail("book build: " + grown.error());
    if (!*grown) {
        print_note("stopped; the same command goes on from here");
        return exit_no;
    }
    const std::string description = "drop-out expansion, " + std::to_string(settings.positions) +
                                    " positions, " + std::to_string(settings.effort.nodes) +
                                    " nodes a move, alpha " + fixed(alpha, 2) + ", ballots " +
                                    shown(ballots);
    return save_book(rules, **grown, description, std::string(*arguments.text("out")));
}

}  // namespace defiance
