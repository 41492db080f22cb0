#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/base/random.hpp>
#include <defiance/base/result.hpp>
#include <defiance/book/book_choice.hpp>
#include <defiance/book/opening_book.hpp>
#include <defiance/engine/file_wait.hpp>
#include <defiance/engine/game_core.hpp>
#include <defiance/rules/game.hpp>

namespace defiance {

class SlowWork;

/// A move that an engine plays from its book.
struct BookChoice {
    BookMove move;
    std::vector<Move> line;  ///< the move, and the best moves of the book after it
};

/// Opens the book of a path.
using BookOpener = std::function<Result<std::shared_ptr<const OpeningBook>>(
    const GameRules& rules, const std::string& path)>;

/// Opens the book of a file. A path that does not begin at a root is looked for in the folders in
/// which books lie: that of the module, and in it `defiance` and `books`.
[[nodiscard]] Result<std::shared_ptr<const OpeningBook>> open_book(const GameRules& rules,
                                                                   const std::string& path);

/// The opening book of an engine: the file of the option bookfile, or else `<game>.book` in the
/// first folder that has one, see open_book(). Create it with std::make_shared, because background
/// tasks share it.
///
/// Safe from several threads. A book is opened and read on another thread, because a drive of the
/// network that is off takes long to say so; only set() waits for it as long as that takes.
class BookKeeper : public std::enable_shared_from_this<BookKeeper> {
public:
    /// Starts with the file of this path, which is opened when it is first needed; empty: that of
    /// the game. `seed` is of the choice among moves.
    BookKeeper(const GameCore& core, std::string path, std::uint64_t seed,
               BookOpener open = open_book);

    /// Takes the book of a file, or that of the game when the path is empty. Error, naming the
    /// file: it is no sound book of this game, and everything stays as it was.
    Result<std::string> set(const std::string& path);

    /// The path as it was set.
    [[nodiscard]] std::string path() const;

    /// Makes the choice among moves repeatable.
    void seed(std::uint64_t seed);

    /// A move of the book for the position of the game, never one that brings back an earlier
    /// position. With `search_moves`, one of them. Nothing when the book has none, or has not told
    /// within the wait.
    [[nodiscard]] std::optional<BookChoice> choose(const Game& game, BookUse use,
                                                   const std::vector<Move>& search_moves,
                                                   const FileWait& wait);

    /// Which book it is, for the user: one line. If it takes more than some milliseconds to open
    /// it, the answer says so.
    [[nodiscard]] std::string report();

private:
    [[nodiscard]] std::shared_ptr<SlowWork> files() const;
    [[nodiscard]] bool may_have_book();
    [[nodiscard]] std::shared_ptr<const OpeningBook> book();
    [[nodiscard]] std::optional<BookChoice> look_up(const Game& game, BookUse use,
                                                    const std::vector<Move>& search_moves);

    const GameCore& core_;
    const BookOpener open_;
    mutable std::mutex mutex_;         // guards the rest; held for moments only
    std::shared_ptr<SlowWork> files_;  // opens and reads the book of the path
    std::string path_;
    std::uint64_t times_set_ = 0;
    std::string fault_;  // why there is no book although there is a file
    RetryPacer pacer_;   // of attempts to open a book
    std::shared_ptr<const OpeningBook> book_;
    Random random_;
};

}  // namespace defiance
