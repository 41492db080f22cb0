#include <defiance/engine/book_keeper.hpp>

#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/search/hints.hpp>

#include "slow_work.hpp"

namespace defiance {
namespace {

/// The longest line of a book that is shown, in plies.
constexpr std::size_t max_line = 12;

/// The file of this name where users copy books to; empty when there is none.
std::string find_book(const std::string& name) {
    const std::string beside = folder_of(module_path());
    for (const std::string_view folder : {"", "defiance", "books"}) {
        std::string path = beside + std::string(folder);
        if (!folder.empty()) path += path_separator;
        path += name;
        if (file_exists(path)) return path;
    }
    return {};
}

/// The book of the game; empty when there is none.
std::string default_file(const GameRules& rules) {
    return find_book(std::string(rules.file_word) + book_extension);
}

/// True when the move is one of `search_moves`, if there are any, and repeats no position.
bool may_play(const Game& game, const std::vector<Move>& search_moves, const Move& move) {
    return permits(search_moves, move) && !game.would_repeat(move);
}

/// The move, and the best moves that the book has after it.
std::vector<Move> line_of(const OpeningBook& book, Position position, const Move& first) {
    std::vector<Move> line = {first};
    while (line.size() < max_line) {
        position = book.rules().after(position, line.back());
        const std::vector<BookMove> moves = book.find(position);
        if (moves.empty()) break;
        line.push_back(moves.front().move);
    }
    return line;
}

}  // namespace

Result<std::shared_ptr<const OpeningBook>> open_book(const GameRules& rules,
                                                     const std::string& path) {
    std::string file = path;
    if (!is_absolute(path)) file = find_book(path);
    if (file.empty()) file = folder_of(module_path()) + path;
    Result<OpeningBook> book = OpeningBook::open(rules, file);
    if (!book) return Error{book.error()};
    return std::make_shared<const OpeningBook>(*std::move(book));
}

BookKeeper::BookKeeper(const GameCore& core, std::string path, std::uint64_t seed, BookOpener open)
    : core_(core),
      open_(std::move(open)),
      files_(std::make_shared<SlowWork>()),
      path_(std::move(path)),
      random_(seed) {}

/// True when a book is open, or there is a file to be tried. It is looked for again as long as
/// there is none that can be opened: the user may be copying it there. But what has failed slowly
/// is seldom tried again. Looks into the folders of the module only.
bool BookKeeper::may_have_book() {
    {
        const std::lock_guard lock(mutex_);
        // A drive that goes away while the book is open makes reading slow.
        if (book_ != nullptr) return pacer_.is_due();
        if (!pacer_.is_due()) return false;
        if (!path_.empty()) return true;
    }
    if (!default_file(core_.rules).empty()) return true;
    const std::lock_guard lock(mutex_);
    if (path_.empty()) fault_.clear();  // of a file that has gone
    return false;
}

/// The book in use, opened if that is due; null when there is none. A task of files_.
std::shared_ptr<const OpeningBook> BookKeeper::book() {
    std::string path;
    std::uint64_t times_set = 0;
    {
        const std::lock_guard lock(mutex_);
        if (book_ != nullptr || !pacer_.is_due()) return book_;
        path = path_;
        times_set = times_set_;
    }
    const Stopwatch stopwatch;
    if (path.empty()) path = default_file(core_.rules);
    if (path.empty()) return nullptr;
    const auto opened = open_(core_.rules, path);
    const std::lock_guard lock(mutex_);
    // The user may have set another one meanwhile.
    if (times_set != times_set_) return book_;
    if (opened) {
        book_ = *opened;
        fault_.clear();
    } else {
        fault_ = opened.error();
        pacer_.note_failure(stopwatch.seconds());
    }
    return book_;
}

Result<std::string> BookKeeper::set(const std::string& path) {
    std::shared_ptr<const OpeningBook> opened;
    if (!path.empty()) {
        const auto result = open_(core_.rules, path);
        if (!result) return Error{result.error()};
        opened = *result;
    }
    // What hangs on the drive of the book before must not keep this one waiting.
    auto files = std::make_shared<SlowWork>();
    const std::lock_guard lock(mutex_);
    path_ = path;
    files_ = std::move(files);
    ++times_set_;
    fault_.clear();
    pacer_ = RetryPacer();
    book_.swap(opened);  // the old one is closed after the lock
    return path;
}

std::string BookKeeper::path() const {
    const std::lock_guard lock(mutex_);
    return path_;
}

void BookKeeper::seed(std::uint64_t seed) {
    const std::lock_guard lock(mutex_);
    random_ = Random(seed);
}

std::optional<BookChoice> BookKeeper::choose(const Game& game, BookUse use,
                                             const std::vector<Move>& search_moves,
                                             const FileWait& wait) {
    if (use == BookUse::none || !may_have_book()) return std::nullopt;
    const auto answer = std::make_shared<std::optional<BookChoice>>();
    const bool has_answer =
        files()->run([self = shared_from_this(), answer, game, use,
                      search_moves] { *answer = self->look_up(game, use, search_moves); },
                     "opening the book", wait);
    // Without the end of the task the answer still belongs to it.
    return has_answer ? std::move(*answer) : std::nullopt;
}

std::shared_ptr<SlowWork> BookKeeper::files() const {
    const std::lock_guard lock(mutex_);
    return files_;
}

/// What choose() answers. A task of files_.
std::optional<BookChoice> BookKeeper::look_up(const Game& game, BookUse use,
                                              const std::vector<Move>& search_moves) {
    const std::shared_ptr<const OpeningBook> used = book();
    if (used == nullptr) return std::nullopt;
    const Stopwatch stopwatch;
    std::vector<BookMove> moves = used->find(game.position());
    const double seconds = stopwatch.seconds();
    std::erase_if(
        moves, [&](const BookMove& m) { return !is_legal(game.rules(), game.position(), m.move); });
    std::unique_lock lock(mutex_);
    if (moves.empty() && used == book_) pacer_.note_failure(seconds);
    const auto chosen = choose_book_move(
        moves, use, random_, [&](const Move& move) { return may_play(game, search_moves, move); });
    lock.unlock();
    if (!chosen) return std::nullopt;
    DEFIANCE_ASSERT(is_legal(game.rules(), game.position(), chosen->move));
    return BookChoice{*chosen, line_of(*used, game.position(), chosen->move)};
}

std::string BookKeeper::report() {
    std::unique_lock lock(mutex_);
    bool is_known = book_ != nullptr;
    lock.unlock();
    if (!is_known)
        is_known = !may_have_book() ||
                   files()->run([self = shared_from_this()] { static_cast<void>(self->book()); },
                                "opening the book", brief_wait());
    lock.lock();
    if (book_ != nullptr)
        return std::to_string(book_->positions()) + " positions in " + book_->path();
    if (!is_known) return "being opened; ask again in a few seconds";
    return fault_.empty() ? "none" : "none; " + fault_;
}

}  // namespace defiance
