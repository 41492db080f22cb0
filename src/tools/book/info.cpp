#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/random_access_file.hpp>
#include <defiance/base/text.hpp>
#include <defiance/book/book_choice.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/book/judgement.hpp>
#include <tools/book/tasks.hpp>
#include <tools/support/games.hpp>
#include <tools/support/other_file.hpp>
#include <tools/support/same_file.hpp>

namespace defiance {
namespace {

/// A file that may be a book, and the game that it is for.
struct NamedBook {
    const GameCore* core;
    std::string path;

    [[nodiscard]] Result<OpeningBook> open() const { return OpeningBook::open(core->rules, path); }
    /// Whether what does not open may be a damaged book of the game, and no wrong name.
    [[nodiscard]] bool may_be_damaged() const {
        if (!RandomAccessFile::open(path)) return false;
        const std::optional<std::string> game = OpeningBook::game_in(path);
        return !game || *game == core->rules.file_word || find_game(*game) == nullptr;
    }
};

/// What the arguments name after the task.
Result<NamedBook> book_named(const Arguments& arguments) {
    if (arguments.positionals().size() != 2) return Error{"one book file must be named"};
    const std::string path(arguments.positionals()[1]);
    const Result<const GameCore*> core = game_of_book(arguments, path);
    if (!core) return Error{core.error()};
    return NamedBook{*core, path};
}

/// A move that the engine finds worse by so much is a fault.
constexpr int worst_loss = 100;

void print_sound(const OpeningBook& book) {
    print_line("ok " + size_text(book.positions(), book.moves()));
}

/// Judges moves of a sound book by searches.
ExitCode verify_by_search(const OpeningBook& book, const Arguments& arguments) {
    const GameRules& rules = book.rules();
    JudgementSettings settings;
    settings.sample = static_cast<std::size_t>(*arguments.integer("sample"));
    settings.seconds = arguments.decimal("seconds").value_or(settings.seconds);
    settings.threads = static_cast<int>(arguments.integer("threads").value_or(1));
    catch_interrupts();
    const Stopwatch stopwatch;
    double next = 2;
    const auto judged = judge_book(
        *find_game(rules.file_word), book, settings, [] { return is_interrupted(); },
        [&](std::size_t done) {
            const double now = stopwatch.seconds();
            if (now < next) return;
            next = now + 10;
            const double left =
                now * static_cast<double>(settings.sample - done) / static_cast<double>(done);
            print_note("judged " + std::to_string(done) + " of " + std::to_string(settings.sample) +
                       ", at most " + fixed(left, 0) + " s left");
        });
    if (!judged) return fail("book verify: " + judged.error());
    if (!*judged) {
        print_note("stopped");
        return exit_no;
    }
    print_sound(book);
    int worst = 0;
    std::int64_t sum = 0;
    std::size_t other = 0;
    for (const JudgedMove& m : **judged) {
        worst = std::max(worst, m.loss);
        sum += m.loss;
        other += m.better != m.move;
        if (m.loss >= worst_loss)
            print_note(to_fen(rules, m.position) + ": the book plays " +
                       to_text(rules, m.position, m.move) + ", worse by " + std::to_string(m.loss) +
                       " than " + to_text(rules, m.position, m.better));
    }
    const std::size_t size = (*judged)->size();
    const double mean = size == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(size);
    print_line("judged " + std::to_string(size) + " other moves " + std::to_string(other) +
               " mean loss " + fixed(mean, 1) + " worst loss " + std::to_string(worst));
    return worst < worst_loss ? exit_done : exit_no;
}

}  // namespace

Result<const GameCore*> game_of_book(const Arguments& arguments, std::string_view path) {
    if (!arguments.has("game"))
        if (const auto word = OpeningBook::game_in(std::string(path)))
            if (const GameCore* core = find_game(*word)) return core;
    return game_of(arguments);
}

std::string size_text(std::uint64_t positions, std::uint64_t moves) {
    return "positions " + std::to_string(positions) + " moves " + std::to_string(moves);
}

ExitCode describe_book(const Arguments& arguments) {
    const Result<NamedBook> named = book_named(arguments);
    if (!named) return fail("book info: " + named.error());
    const Result<OpeningBook> book = named->open();
    if (!book) return fail("book info: " + book.error());
    std::array<std::uint64_t, 25> by_pieces{};
    std::uint64_t playable = 0;
    const auto error = book->for_each([&](const BookPosition& entry) {
        ++by_pieces[static_cast<std::size_t>(count(entry.position.occupied()))];
        // The move that counts as the best one, if any, is among the good ones.
        playable += playable_book_moves(entry.moves, BookUse::good).empty() ? 0U : 1U;
        return true;
    });
    if (error) return fail("book info: " + error->text);
    print_line("game " + std::string(book->rules().file_word));
    print_line("made by " + (book->description().empty() ? "?" : book->description()));
    for (std::size_t pieces = by_pieces.size(); pieces-- > 0;)
        if (by_pieces[pieces] != 0)
            print_line("pieces " + std::to_string(pieces) + " positions " +
                       std::to_string(by_pieces[pieces]));
    print_line("positions with a best or good move to play " + std::to_string(playable));
    print_line(size_text(book->positions(), book->moves()));
    return exit_done;
}

ExitCode verify_book(const Arguments& arguments) {
    const Result<NamedBook> named = book_named(arguments);
    if (!named) return fail("book verify: " + named.error());
    for (const std::string_view option : {"seconds", "threads"})
        if (arguments.has(option) && !arguments.has("sample"))
            return fail("book verify: --" + std::string(option) + " goes with --sample");
    const Result<OpeningBook> book = named->open();
    if (!book) {
        print_note("defiance: book verify: " + book.error());
        return named->may_be_damaged() ? exit_no : exit_wrong_input;
    }
    const auto error = book->for_each([](const BookPosition&) { return true; });
    if (error) {
        print_note("defiance: book verify: " + error->text);
        return exit_no;
    }
    if (arguments.has("sample")) return verify_by_search(*book, arguments);
    print_sound(*book);
    return exit_done;
}

std::optional<Error> check_book_output(const GameRules& rules, const std::string& path,
                                       const std::vector<std::string_view>& inputs) {
    const std::string folder = folder_of(path);
    if (!folder.empty() && !folder_exists(folder))
        return Error{"the folder " + shown(folder, 200) + " does not exist"};
    for (const std::string_view input : inputs)
        if (is_same_file(path, std::string(input)))
            return Error{path + " is to be read and is not overwritten"};
    if (file_exists(path) && !OpeningBook::open(rules, path)) return other_file_error(path);
    return std::nullopt;
}

ExitCode save_book(const GameRules& rules, std::vector<BookPosition> positions,
                   const std::string& description, const std::string& path) {
    // Again, as the making may have taken hours.
    if (const auto error = check_book_output(rules, path)) return fail("book: " + error->text);
    std::uint64_t moves = 0;
    for (const BookPosition& entry : positions)
        moves += entry.moves.size();
    const std::uint64_t size = positions.size();
    const Result<std::string> bytes = make_book(rules, std::move(positions), description);
    if (!bytes) return fail("book: " + path + ": " + bytes.error());
    DEFIANCE_ASSERT(!bytes->empty());
    if (const auto error = write_file(path, *bytes)) return fail("book: " + error->text);
    print_line(size_text(size, moves));
    return exit_done;
}

}  // namespace defiance
