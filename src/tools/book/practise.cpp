#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/checksum.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <tools/book/book_order.hpp>
#include <tools/book/book_practice.hpp>
#include <tools/book/run_progress.hpp>
#include <tools/book/tasks.hpp>

namespace defiance {
namespace {

constexpr std::int64_t default_rounds = 10;

/// What a run practises.
struct PracticeOrder {
    const GameCore* core = nullptr;  ///< not null
    std::string book;
    std::string out;
    std::string ballots;
    std::vector<ExpansionRoot> roots;
    BookPracticeSettings settings;
};

/// The part of the settings that the lines depend on.
Result<std::string> order_text(const PracticeOrder& order) {
    const Result<std::string> bytes = read_file(order.book);
    if (!bytes) return Error{bytes.error()};
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes->data());
    std::string positions;
    for (const ExpansionRoot& root : order.roots)
        positions += std::to_string(key_of(root.position)) + ' ';
    const auto* keys = reinterpret_cast<const std::uint8_t*>(positions.data());
    return "book " + std::to_string(checksum({data, bytes->size()})) + " roots " +
           std::to_string(checksum({keys, positions.size()})) + " nodes " +
           std::to_string(order.settings.line.nodes) + " plies " +
           std::to_string(order.settings.line.plies);
}

Result<PracticeOrder> practice_order_given(const Arguments& arguments) {
    if (arguments.positionals().size() != 2) return Error{"one book file must be named"};
    for (const std::string_view name : {"dir", "out"})
        if (arguments.text(name).value_or("").empty())
            return Error{"--" + std::string(name) + " is missing"};
    PracticeOrder order;
    order.book = arguments.positionals()[1];
    const Result<const GameCore*> core = game_of_book(arguments, order.book);
    if (!core) return Error{core.error()};
    order.core = *core;
    order.out = *arguments.text("out");
    order.ballots = arguments.text("ballots").value_or(default_ballots(order.core->rules));
    auto roots = expansion_roots(order.core->rules, order.ballots);
    if (!roots) return Error{"--ballots: " + roots.error()};
    order.roots = *std::move(roots);
    BookPracticeSettings& settings = order.settings;
    settings.rounds =
        static_cast<std::size_t>(arguments.integer("rounds").value_or(default_rounds));
    if (const auto nodes = arguments.integer("nodes"))
        settings.line.nodes = static_cast<std::uint64_t>(*nodes);
    if (const auto plies = arguments.integer("plies"))
        settings.line.plies = static_cast<int>(*plies);
    settings.threads = static_cast<int>(arguments.integer("threads").value_or(processor_count()));
    const std::string folder = folder_with_separator(*arguments.text("dir"));
    if (!folder_exists(folder) && !make_folder(folder))
        return Error{"the folder " + folder + " cannot be made"};
    settings.journal = folder + std::string(order.core->rules.file_word) + ".practice";
    const Result<std::string> text = order_text(order);
    if (!text) return Error{text.error()};
    settings.order = *text;
    return order;
}

}  // namespace

ExitCode practise_with_book(const Arguments& arguments) {
    const Result<PracticeOrder> order = practice_order_given(arguments);
    if (!order) return fail("book practise: " + order.error());
    const GameCore& core = *order->core;
    const Result<OpeningBook> book = OpeningBook::open(core.rules, order->book);
    if (!book) return fail("book practise: " + book.error());
    // Databases without folders: what is learned depends on nothing that lies beside the program.
    const auto endgames = core.open_endgames(EndgameSettings{});
    BookExperience experience(*book);
    const BookPracticeSettings& settings = order->settings;
    RunProgress progress("lines", settings.rounds * practice_lines_of_round(order->roots.size()));
    std::vector<double> values;
    catch_interrupts();
    const Result<bool> done = practise_book(
        experience, core, *endgames, order->roots, settings, [] { return is_interrupted(); },
        [&](std::size_t lines) {
            progress.note(lines);
            return !is_interrupted();
        },
        values);
    if (!done) return fail("book practise: " + done.error());
    if (!*done) {
        print_note("stopped; the same command goes on from here");
        return exit_no;
    }
    for (std::size_t i = 0; i < values.size(); ++i)
        print_line("round " + std::to_string(i + 1) + " mean value " + fixed(values[i], 1));
    auto positions = experience.positions();
    if (!positions) return fail("book practise: " + positions.error());
    const std::string description =
        book->description() + "; practice, " + std::to_string(settings.rounds) + " rounds, " +
        std::to_string(settings.line.nodes) + " nodes a move, " +
        std::to_string(settings.line.plies) + " plies, ballots " + shown(order->ballots);
    return save_book(core.rules, *std::move(positions), description, order->out);
}

}  // namespace defiance
