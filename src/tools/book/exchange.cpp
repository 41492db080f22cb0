#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <tools/book/book_text.hpp>
#include <tools/book/game_counts.hpp>
#include <tools/book/tasks.hpp>
#include <tools/book/user_book.hpp>
#include <tools/support/games.hpp>
#include <tools/support/other_file.hpp>
#include <tools/support/same_file.hpp>
#include <tools/support/text_file.hpp>

namespace defiance {
namespace {

constexpr std::int64_t default_plies = 30;
constexpr std::int64_t default_games = 2;

/// Positions of several sources: what comes first counts.
class Collection {
public:
    void add(BookPosition entry) {
        if (seen_.insert(with_black_to_move(entry.position)).second)
            positions_.push_back(std::move(entry));
    }
    [[nodiscard]] bool is_empty() const { return positions_.empty(); }
    [[nodiscard]] std::vector<BookPosition> take() { return std::move(positions_); }

private:
    std::vector<BookPosition> positions_;
    std::unordered_set<Position, PositionHash> seen_;
};

/// Tells every few seconds how far an import is.
class FileProgress {
public:
    explicit FileProgress(std::size_t files) : files_(files) {}

    /// So many files are read, and perhaps a part of one more.
    void note(double done) {
        const double seconds = stopwatch_.seconds();
        const auto all = static_cast<double>(files_);
        if (seconds < next_ || done <= 0 || done >= all) return;
        next_ = seconds + 5;
        print_note("files " + fixed(done, 1) + " of " + std::to_string(files_) + ", " +
                   fixed(seconds * (all - done) / done, 0) + " s left");
    }

private:
    std::size_t files_;
    Stopwatch stopwatch_;
    double next_ = 2;
};

/// Adds the positions of a book that is no PDN file.
std::optional<Error> import_file(const GameRules& rules, const std::string& path,
                                 const std::string& content, Collection& collection) {
    if (lower_case(path).ends_with(".bin")) {
        const Result<UserBook> book = read_user_book(rules, content);
        if (!book) return Error{path + ": " + book.error()};
        for (const BookPosition& entry : book->positions)
            collection.add(entry);
        if (book->left_out != 0)
            print_note(path + ": " + std::to_string(book->left_out) +
                       " moves are not legal in this game and left out");
        return std::nullopt;
    }
    const Result<std::vector<BookPosition>> entries = read_book_lines(rules, content);
    if (!entries) return Error{path + ": " + entries.error()};
    for (const BookPosition& entry : *entries)
        collection.add(entry);
    return std::nullopt;
}

/// Tells what an import has found in games.
void tell_counts(const GameCounts& counts) {
    if (counts.games() == 0) return;
    print_note("games " + std::to_string(counts.games()) + ", not read to their end " +
               std::to_string(counts.faults()) + ", left out for their GameType " +
               std::to_string(counts.of_other_games()) + ", results not understood " +
               std::to_string(counts.unknown_results()) + ", moves beyond " +
               std::to_string(GameCounts::max_positions) + " positions " +
               std::to_string(counts.moves_left_out()));
}

/// Why there is no move to make a book of, if games are to blame.
std::optional<Error> find_no_moves(const GameRules& rules, const GameCounts& counts,
                                   std::uint32_t least) {
    if (counts.games() == 0) return std::nullopt;
    if (counts.games() == counts.of_other_games()) {
        const auto other = find_other_game(counts.other_game_type(), rules);
        return Error{"all games are of another game: " + (other ? other->text : "")};
    }
    if (least == 1) return std::nullopt;
    return Error{"no move was played in " + std::to_string(least) + " games; see --games"};
}

/// The positions that the moves of a book lead to from the start, nearest first, as many as a user
/// book can take.
std::vector<BookPosition> nearest_positions(const OpeningBook& book) {
    const GameRules& rules = book.rules();
    std::vector<BookPosition> positions;
    std::vector<Position> reached = {rules.start_position()};
    std::unordered_set<Position, PositionHash> seen(reached.begin(), reached.end());
    for (std::size_t i = 0; i < reached.size() && positions.size() < max_user_book; ++i) {
        std::vector<BookMove> moves = book.find(reached[i]);
        if (moves.empty()) continue;
        for (const BookMove& m : moves) {
            const Position next = rules.after(reached[i], m.move);
            if (seen.insert(next).second) reached.push_back(next);
        }
        positions.push_back({reached[i], std::move(moves)});
    }
    return positions;
}

/// Error: the file that a book is to be exported to is none that an earlier export has left.
std::optional<Error> check_export_output(const GameRules& rules, const std::string& path,
                                         bool is_user_book) {
    if (!is_user_book)
        return find_other_file(path, [&](std::string_view begin) {
            const auto entries = read_book_lines(rules, first_line_of(begin));
            return entries && !entries->empty();
        });
    if (!file_exists(path)) return std::nullopt;
    const Result<std::string> content = read_file(path);
    if (!content) return Error{content.error()};
    if (content->empty()) return std::nullopt;
    const Result<UserBook> book = read_user_book(rules, *content);
    if (book && !book->positions.empty()) return std::nullopt;
    return other_file_error(path);
}

/// What export writes of the book: a user book, or its lines, which are printed if `out` is empty.
Result<std::string> exported(const OpeningBook& book, bool is_user_book, const std::string& out) {
    std::string text;
    const auto error = book.for_each([&](const BookPosition& entry) {
        if (is_user_book) return true;  // as to look positions up passes over damaged pages
        if (out.empty())
            print_line(book_line(book.rules(), entry));
        else
            text += book_line(book.rules(), entry) + '\n';
        return true;
    });
    if (error) return *error;
    if (!is_user_book) return text;
    text = make_user_book(book.rules(), nearest_positions(book));
    if (text.empty()) return Error{"the book does not know the start position"};
    return text;
}

}  // namespace

ExitCode export_book(const Arguments& arguments) {
    if (arguments.positionals().size() != 2) return fail("book export: one book must be named");
    const std::string path(arguments.positionals()[1]);
    const Result<const GameCore*> core = game_of_book(arguments, path);
    if (!core) return fail(core.error());
    const GameRules& rules = (*core)->rules;
    const auto book = OpeningBook::open(rules, path);
    if (!book) return fail("book export: " + book.error());
    const bool is_user_book = arguments.has("userbook");
    const std::string out(arguments.text("out").value_or(""));
    if (is_user_book && out.empty()) return fail("book export: --out is missing");
    if (!out.empty() && is_same_file(out, path))
        return fail("book export: " + out + " is to be read and is not overwritten");
    if (!out.empty())
        if (const auto error = check_export_output(rules, out, is_user_book))
            return fail("book export: " + error->text);
    const Result<std::string> text = exported(*book, is_user_book, out);
    if (!text) return fail("book export: " + text.error());
    if (!out.empty())
        if (const auto error = write_file(out, *text)) return fail("book export: " + error->text);
    return exit_done;
}

ExitCode import_book(const Arguments& arguments) {
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return fail(core.error());
    const GameRules& rules = (*core)->rules;
    const std::string out(arguments.text("out").value_or(""));
    if (out.empty()) return fail("book import: --out is missing");
    const auto& words = arguments.positionals();
    if (words.size() < 2) return fail("book import: no file is named");
    if (const auto error = check_book_output(rules, out, {words.begin() + 1, words.end()}))
        return fail("book import: " + error->text);
    GameCounts counts(rules,
                      static_cast<std::size_t>(arguments.integer("plies").value_or(default_plies)));
    Collection collection;
    FileProgress progress(words.size() - 1);
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string path(words[i]);
        const Result<std::string> content = read_file(path);
        if (!content) return fail("book import: " + content.error());
        if (!lower_case(path).ends_with(".bin"))
            if (const auto error = find_no_text(path, *content))
                return fail("book import: " + error->text);
        if (lower_case(path).ends_with(".pdn"))
            counts.add_games(
                *content, [&](double part) { progress.note(static_cast<double>(i - 1) + part); });
        else if (const auto error = import_file(rules, path, *content, collection))
            return fail("book import: " + error->text);
        progress.note(static_cast<double>(i));
    }
    const auto least =
        static_cast<std::uint32_t>(arguments.integer("games").value_or(default_games));
    for (BookPosition& entry : counts.positions(least))
        collection.add(std::move(entry));
    tell_counts(counts);
    if (collection.is_empty())
        if (const auto error = find_no_moves(rules, counts, least))
            return fail("book import: " + error->text);
    return save_book(rules, collection.take(), "import", out);
}

ExitCode merge_books(const Arguments& arguments) {
    const auto& words = arguments.positionals();
    if (words.size() < 3) return fail("book merge: a book to write and one to read must be named");
    const Result<const GameCore*> core = game_of_book(arguments, words[2]);
    if (!core) return fail(core.error());
    const GameRules& rules = (*core)->rules;
    const std::string out(words[1]);
    if (const auto error = check_book_output(rules, out, {words.begin() + 2, words.end()}))
        return fail("book merge: " + error->text);
    Collection collection;
    for (std::size_t i = 2; i < words.size(); ++i) {
        const auto book = OpeningBook::open(rules, std::string(words[i]));
        if (!book) return fail("book merge: " + book.error());
        const auto error = book->for_each([&](const BookPosition& entry) {
            collection.add(entry);
            return true;
        });
        if (error) return fail("book merge: " + error->text);
    }
    return save_book(rules, collection.take(), "merge", out);
}

}  // namespace defiance
