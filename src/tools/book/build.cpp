#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <tools/book/book_order.hpp>
#include <tools/book/expansion.hpp>
#include <tools/book/tasks.hpp>
#include <tools/support/job_plan.hpp>

namespace defiance {
namespace {

constexpr std::int64_t default_nodes = 5000;

/// Prints every few seconds how far a run is.
class Progress {
public:
    explicit Progress(std::size_t wanted) : wanted_(wanted) {}

    void note(std::size_t known) {
        constexpr double interval = 10;
        const double now = stopwatch_.seconds();
        if (!first_) {
            if (known != 0)
                print_note("positions " + std::to_string(known) +
                           " are there already and keep the searches that they have");
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

/// The folder in which a shard works, made if need be, with a separator at its end.
Result<std::string> make_work_folder(const std::string& folder, const Shard& shard) {
    std::vector<std::string> wanted = {folder};
    if (shard.of > 1)
        wanted.push_back(folder + "shard" + std::to_string(shard.number) + "of" +
                         std::to_string(shard.of) + path_separator);
    for (const std::string& path : wanted)
        if (auto error = create_folder(path)) return *std::move(error);
    return wanted.back();
}

/// Opens the position database and lets it grow; nothing when it was stopped.
Result<std::optional<std::vector<BookPosition>>> grow(const GameCore& core,
                                                      const std::vector<ExpansionRoot>& roots,
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
    const Result<BookOrder> order = book_order_given(arguments);
    if (!order) return fail("book build: " + order.error());
    const Result<Shard> shard = shard_given(arguments, max_book_shards);
    if (!shard) return fail("book build: " + shard.error());
    if (const auto error = check_shards(*order, shard->of))
        return fail("book build: " + error->text);
    const std::vector<ExpansionRoot> roots = roots_of_shard(order->roots, *shard);
    const GameRules& rules = order->core->rules;
    const auto server = arguments.text("store");
    if (server)
        if (const auto error = find_no_server(std::string(*server)))
            return fail("book build: " + error->text);
    const auto folder = make_work_folder(order->folder, *shard);
    if (!folder) return fail("book build: " + folder.error());
    if (const auto error = check_book_output(rules, order->out))
        return fail("book build: " + error->text);

    const double alpha = arguments.decimal("alpha").value_or(ExpansionCosts::default_alpha);
    ExpansionSettings settings;
    settings.positions = static_cast<std::size_t>(share_of(order->positions, *shard));
    settings.effort.nodes =
        static_cast<std::uint64_t>(arguments.integer("nodes").value_or(default_nodes));
    settings.costs = ExpansionCosts::of_alpha(alpha);
    settings.threads = static_cast<int>(arguments.integer("threads").value_or(processor_count()));
    const std::string stem = *folder + std::string(rules.file_word);
    settings.batch_file = stem + ".batch";
    catch_interrupts();
    const auto grown = grow(*order->core, roots, settings, std::string(server.value_or(*folder)),
                            stem + ".journal");
    if (!grown) return fail("book build: " + grown.error());
    if (!*grown) {
        print_note("stopped; the same command goes on from here");
        return exit_no;
    }
    // Not as many as are wanted: there may have been more, or there are no more.
    std::string description = "drop-out expansion, " + std::to_string((*grown)->size()) +
                              " positions, " + std::to_string(settings.effort.nodes) +
                              " nodes a move, alpha " + fixed(alpha, 2) + ", ballots " +
                              shown(order->ballots);
    if (shard->of > 1)
        description += ", shard " + std::to_string(shard->number) + '/' + std::to_string(shard->of);
    return save_book(rules, **grown, description, order->out);
}

}  // namespace defiance
