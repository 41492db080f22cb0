#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <defiance/base/clock.hpp>
#include <defiance/base/random.hpp>
#include <defiance/base/result.hpp>
#include <defiance/book/book_choice.hpp>
#include <defiance/book/opening_book.hpp>
#include <defiance/engine/game_core.hpp>
#include <defiance/rules/game.hpp>

namespace defiance {

/// A move that an engine plays from its book.
struct BookChoice {
    BookMove move;
    std::vector<Move> line;  ///< the move, and the best moves of the book after it
};

/// The opening book of an engine: the file of the option bookfile, or else `<game>.book` in the
/// first of these folders that has one: that of the module, and in it `defiance` and `books`.
///
/// Safe from several threads. Opening a book and looking into it take less than a few milliseconds
/// unless the disk does.
class BookKeeper {
public:
    /// Starts with the file of this path, which is opened when it is first needed; empty: that of
    /// the game. `seed` is of the choice among moves.
    BookKeeper(const GameCore& core, std::string path, std::uint64_t seed)
        : core_(core), path_(std::move(path)), random_(seed) {}

    /// Takes the book of a file, or that of the game when the path is empty. A path that does not
    /// begin at a root is looked for in the folders in which books lie. Error, naming the file: it
    /// is no sound book of this game, and everything stays as it was.
    Result<std::string> set(const std::string& path);

    /// The path as it was set.
    [[nodiscard]] std::string path() const;

    /// Makes the choice among moves repeatable.
    void seed(std::uint64_t seed);

    /// A move of the book for the position of the game, never one that brings back an earlier
    /// position. With `search_moves`, one of them. Nothing when the book has none.
    [[nodiscard]] std::optional<BookChoice> choose(const Game& game, BookUse use,
                                                   const std::vector<Move>& search_moves);

    /// Which book it is, for the user: one line.
    [[nodiscard]] std::string report();

private:
    [[nodiscard]] std::shared_ptr<const OpeningBook> book();

    const GameCore& core_;
    mutable std::mutex mutex_;  // guards the rest
    std::string path_;
    std::string fault_;  // why there is no book although there is a file
    RetryPacer pacer_;   // of attempts to open a book
    std::shared_ptr<const OpeningBook> book_;
    Random random_;
};

}  // namespace defiance
