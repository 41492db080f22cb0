#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <defiance/base/random_access_file.hpp>
#include <defiance/base/result.hpp>
#include <defiance/book/book_move.hpp>
#include <defiance/rules/game_rules.hpp>

namespace defiance {

/// The end of the name of a book file; in front of it stands the game: `english.book`.
inline constexpr const char* book_extension = ".book";

/// A book in a file, open for reading: it costs a file handle and no memory, and each look-up reads
/// some pages of the file. So a medium that goes away makes a position unknown and nothing worse;
/// a file mapped into memory would end the GUI then.
///
/// Opening checks the head of the file and its index of pages. A page is checked when it is read;
/// positions of a damaged one are unknown. Moves that are not legal are never given.
/// Any number of threads may use it.
class OpeningBook {
public:
    /// Error, one line that names the file: it cannot be read, is no book, is damaged, or belongs
    /// to another game.
    static Result<OpeningBook> open(const GameRules& rules, const std::string& path);

    /// The word of the game (GameRules::file_word) that the head of a book names; nothing when the
    /// file is no book.
    [[nodiscard]] static std::optional<std::string> game_in(const std::string& path);

    [[nodiscard]] const GameRules& rules() const { return *rules_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::uint64_t positions() const { return positions_; }
    [[nodiscard]] std::uint64_t moves() const { return moves_; }
    /// How the book was made, in words.
    [[nodiscard]] const std::string& description() const { return description_; }

    /// The moves of the position, the best first; empty when it is not in the book.
    [[nodiscard]] std::vector<BookMove> find(const Position& position) const;

    /// Calls visit for each position, black to move, in the order of the file, until it returns
    /// false. Error: the first damage.
    [[nodiscard]] std::optional<Error> for_each(
        const std::function<bool(const BookPosition&)>& visit) const;

private:
    OpeningBook(const GameRules& rules, std::string path, RandomAccessFile file)
        : rules_(&rules), path_(std::move(path)), file_(std::move(file)) {}

    [[nodiscard]] std::optional<Error> read_head();
    [[nodiscard]] std::optional<Error> check_index() const;
    [[nodiscard]] std::optional<std::uint32_t> page_of(const Position& seen) const;
    [[nodiscard]] std::optional<std::vector<std::uint8_t>> read_page(std::uint32_t number) const;
    [[nodiscard]] Error damage(const std::string& what) const;

    const GameRules* rules_;
    std::string path_;
    RandomAccessFile file_;
    std::uint64_t positions_ = 0;
    std::uint64_t moves_ = 0;
    std::uint32_t pages_ = 0;
    std::uint32_t page_bytes_ = 0;
    std::uint32_t index_checksum_ = 0;
    std::string description_;
};

/// The bytes of a book file. The positions may come in any order and with either side to move, each
/// once; their moves are legal, each once. The same positions make the same bytes. Error: there are
/// none, too many, a position comes twice, or one has a fault, see find_fault().
[[nodiscard]] Result<std::string> make_book(const GameRules& rules,
                                            std::vector<BookPosition> positions,
                                            const std::string& description);

}  // namespace defiance
