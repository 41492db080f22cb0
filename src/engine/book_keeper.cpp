#include <defiance/engine/book_keeper.hpp>

#include <algorithm>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/search/hints.hpp>

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

Result<std::shared_ptr<const OpeningBook>> open_book(const GameRules& rules,
                                                     const std::string& path) {
    std::string file = path;
    if (!is_absolute(path)) file = find_book(path);
    if (file.empty()) file = folder_of(module_path()) + path;
    Result<OpeningBook> book = OpeningBook::open(rules, file);
    if (!book) return Error{book.error()};
    return std::make_shared<const OpeningBook>(*std::move(book));
}

/// True when the move is one of `search_moves`, if there are any, and repeats no position.
bool may_play(const Game& game, const std::vector<Move>& search_moves, const Move& move) {
    const auto& history = game.reversible_history();
    const Position after = game.rules().after(game.position(), move);
    return permits(search_moves, move) &&
           std::find(history.begin(), history.end(), after) == history.end();
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

/// The book in use; null when there is none. For a caller that holds the lock.
std::shared_ptr<const OpeningBook> BookKeeper::book() {
    if (book_ != nullptr) return book_;
    // Looked for again as long as there is none that can be opened: the user may be copying it
    // there. But a drive on the network that is gone can take many seconds to say so.
    if (!pacer_.is_due()) return nullptr;
    fault_.clear();
    const Stopwatch stopwatch;
    const std::string path = path_.empty() ? default_file(core_.rules) : path_;
    if (path.empty()) return nullptr;
    const auto opened = open_book(core_.rules, path);
    if (opened) return book_ = *opened;
    fault_ = opened.error();
    pacer_.note_failure(stopwatch.seconds());
    return nullptr;
}

Result<std::string> BookKeeper::set(const std::string& path) {
    std::shared_ptr<const OpeningBook> opened;
    if (!path.empty()) {
        const auto result = open_book(core_.rules, path);
        if (!result) return Error{result.error()};
        opened = *result;
    }
    const std::lock_guard lock(mutex_);
    path_ = path;
    fault_.clear();
    pacer_ = RetryPacer();
    book_ = std::move(opened);
    return path_;
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
                                             const std::vector<Move>& search_moves) {
    if (use == BookUse::none) return std::nullopt;
    std::unique_lock lock(mutex_);
    const std::shared_ptr<const OpeningBook> used = book();
    lock.unlock();
    if (used == nullptr) return std::nullopt;
    std::vector<BookMove> moves = used->find(game.position());
    std::erase_if(
        moves, [&](const BookMove& m) { return !is_legal(game.rules(), game.position(), m.move); });
    lock.lock();
    const auto chosen = choose_book_move(
        moves, use, random_, [&](const Move& move) { return may_play(game, search_moves, move); });
    lock.unlock();
    if (!chosen) return std::nullopt;
    DEFIANCE_ASSERT(is_legal(game.rules(), game.position(), chosen->move));
    return BookChoice{*chosen, line_of(*used, game.position(), chosen->move)};
}

std::string BookKeeper::report() {
    const std::lock_guard lock(mutex_);
    const std::shared_ptr<const OpeningBook> used = book();
    if (used == nullptr) return fault_.empty() ? "none" : "none; " + fault_;
    return std::to_string(used->positions()) + " positions in " + used->path();
}

}  // namespace defiance
