#include <defiance/book/opening_book.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>

#include "book_format.hpp"

namespace defiance {
namespace {

using namespace book_format;

using Bytes = std::span<const std::uint8_t>;

bool ends_with_checksum(Bytes bytes) {
    const std::size_t content = bytes.size() - checksum_bytes;
    return checksum(bytes.first(content)) == little_endian_at(bytes, content, checksum_bytes);
}

bool begins_with_magic(Bytes head) {
    return std::equal(magic.begin(), magic.end(), head.begin(),
                      [](char a, unsigned b) { return static_cast<unsigned char>(a) == b; });
}

/// The word of the game in the head of a book.
std::string_view game_word(Bytes head) {
    const std::string_view word(reinterpret_cast<const char*>(head.data() + game_at),
                                game_word_bytes);
    return word.substr(0, word.find('\0'));
}

/// The moves at a place in a page; nothing when one is not legal, comes twice or is out of range.
std::optional<std::vector<BookMove>> read_moves(const GameRules& rules, const Position& seen,
                                                Bytes bytes) {
    DEFIANCE_ASSERT(bytes.size() % move_bytes == 0);
    std::vector<BookMove> moves;
    for (std::size_t at = 0; at < bytes.size(); at += move_bytes) {
        const auto move =
            find_book_move(rules, seen, static_cast<std::uint16_t>(little_endian_at(bytes, at, 2)));
        const auto score = static_cast<std::int16_t>(little_endian_at(bytes, at + 2, 2));
        if (!move || score > proven_book_score || score < -proven_book_score) return std::nullopt;
        const auto is_same = [&](const BookMove& m) { return m.move == *move; };
        if (std::any_of(moves.begin(), moves.end(), is_same)) return std::nullopt;
        moves.push_back({*move, score, bytes[at + 4], bytes[at + 5]});
    }
    return moves;
}

/// Goes through the positions of a page.
class PageReader {
public:
    explicit PageReader(Bytes page)
        : page_(page),
          left_(little_endian_at(page, 0, 2)),
          end_(std::min(static_cast<std::size_t>(little_endian_at(page, 2, 2)),
                        page.size() - checksum_bytes)) {}

    /// Moves on to the next position; false at the end of the page.
    bool next() {
        at_ = after_;
        if (left_ == 0 || at_ + key_bytes + 1 > end_) return false;
        moves_ = page_[at_ + key_bytes];
        after_ = at_ + key_bytes + 1 + moves_ * move_bytes;
        if (after_ > end_) return false;
        --left_;
        return true;
    }
    /// True when the page holds as many positions as it says, and nothing else.
    [[nodiscard]] bool is_complete() const { return left_ == 0 && after_ == end_; }

    [[nodiscard]] Position position() const { return position_at(page_, at_); }
    [[nodiscard]] Bytes moves() const {
        return page_.subspan(at_ + key_bytes + 1, moves_ * move_bytes);
    }

private:
    Bytes page_;
    std::uint64_t left_;
    std::size_t end_;
    std::size_t at_ = page_head_bytes;
    std::size_t after_ = page_head_bytes;
    std::size_t moves_ = 0;
};

}  // namespace

Error OpeningBook::damage(const std::string& what) const {
    return file_error(path_, "is a damaged book: " + what);
}

Result<OpeningBook> OpeningBook::open(const GameRules& rules, const std::string& path) {
    Result<RandomAccessFile> file = RandomAccessFile::open(path);
    if (!file) return Error{file.error()};
    OpeningBook book(rules, path, *std::move(file));
    if (auto error = book.read_head()) return *std::move(error);
    if (auto error = book.check_index()) return *std::move(error);
    return book;
}

std::optional<std::string> OpeningBook::game_in(const std::string& path) {
    std::array<std::uint8_t, head_bytes> head;
    const Result<RandomAccessFile> file = RandomAccessFile::open(path);
    if (!file || !file->read_at(0, head) || !begins_with_magic(head)) return std::nullopt;
    return std::string(game_word(head));
}

std::optional<Error> OpeningBook::read_head() {
    std::array<std::uint8_t, head_bytes> head;
    if (!file_.read_at(0, head) || !begins_with_magic(head))
        return file_error(path_, "is no opening book of Defiance");
    if (!ends_with_checksum(head)) return damage("its head has a wrong checksum");
    if (little_endian_at(head, version_at, 4) != version)
        return file_error(path_, "is a book of another version of Defiance");
    const std::string_view game = game_word(head);
    if (game != rules_->file_word)
        return file_error(path_, "is a book for the game " + shown(game) + ", not " +
                                     std::string(rules_->file_word));
    positions_ = little_endian_at(head, positions_at, 8);
    moves_ = little_endian_at(head, moves_at, 8);
    pages_ = static_cast<std::uint32_t>(little_endian_at(head, pages_at, 4));
    page_bytes_ = static_cast<std::uint32_t>(little_endian_at(head, page_bytes_at, 4));
    index_checksum_ = static_cast<std::uint32_t>(little_endian_at(head, index_checksum_at, 4));
    const auto description_size =
        static_cast<std::size_t>(little_endian_at(head, description_size_at, 2));
    if (page_bytes_ < min_page_bytes || page_bytes_ > max_page_bytes || pages_ == 0 ||
        pages_ > max_pages || description_size > max_description || positions_ < pages_ ||
        positions_ > std::uint64_t{pages_} * (page_bytes_ / key_bytes) || moves_ < positions_ ||
        little_endian_at(head, file_bytes_at, 8) != file_.size() ||
        page_at(pages_, page_bytes_, pages_) != file_.size())
        return damage("its size is not what its head says");
    description_ =
        shown({reinterpret_cast<const char*>(head.data()) + description_at, description_size},
              max_description);
    return std::nullopt;
}

std::optional<Error> OpeningBook::check_index() const {
    const auto index = file_.read_part(head_bytes, index_bytes(pages_));
    if (!index) return file_error(path_, index.error());
    if (checksum(*index) != index_checksum_) return damage("its index has a wrong checksum");
    for (std::size_t i = 1; i < pages_; ++i)
        if (key_of_entry(position_at(*index, (i - 1) * key_bytes)) >=
            key_of_entry(position_at(*index, i * key_bytes)))
            return damage("its index is not in order");
    return std::nullopt;
}

/// The page in which the position stands if it is in the book.
std::optional<std::uint32_t> OpeningBook::page_of(const Position& seen) const {
    std::uint32_t low = 0;
    std::uint32_t high = pages_;  // the pages from here on begin behind the position
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        std::array<std::uint8_t, key_bytes> key;
        if (!file_.read_at(head_bytes + std::uint64_t{middle} * key_bytes, key))
            return std::nullopt;
        if (key_of_entry(seen) < key_of_entry(position_at(key, 0)))
            high = middle;
        else
            low = middle + 1;
    }
    if (low == 0) return std::nullopt;
    return low - 1;
}

std::optional<std::vector<std::uint8_t>> OpeningBook::read_page(std::uint32_t number) const {
    DEFIANCE_ASSERT(number < pages_);
    std::vector<std::uint8_t> page(page_bytes_);
    if (!file_.read_at(page_at(pages_, page_bytes_, number), page)) return std::nullopt;
    if (!ends_with_checksum(page)) return std::nullopt;
    return page;
}

std::vector<BookMove> OpeningBook::find(const Position& position) const {
    const Position seen = with_black_to_move(position);
    const auto number = page_of(seen);
    if (!number) return {};
    const auto page = read_page(*number);
    if (!page) return {};
    for (PageReader entry(*page); entry.next();) {
        if (entry.position() != seen) continue;
        auto moves = read_moves(*rules_, seen, entry.moves());
        if (!moves) return {};
        if (position.side == Side::white)
            for (BookMove& m : *moves)
                m.move = turned(m.move);
        return *std::move(moves);
    }
    return {};
}

std::optional<Error> OpeningBook::for_each(
    const std::function<bool(const BookPosition&)>& visit) const {
    std::uint64_t positions = 0;
    std::uint64_t moves = 0;
    std::optional<Position> last;
    for (std::uint32_t number = 0; number < pages_; ++number) {
        const std::string place = "page " + std::to_string(number);
        const auto page = read_page(number);
        if (!page) return damage(place + " cannot be read or has a wrong checksum");
        PageReader entry(*page);
        for (; entry.next(); ++positions) {
            BookPosition known{entry.position(), {}};
            const bool is_in_order = !last || key_of_entry(*last) < key_of_entry(known.position);
            if (!known.position.is_consistent() || find_fault(known.position) || !is_in_order)
                return damage(place + " has a position that cannot be one");
            last = known.position;
            auto read = read_moves(*rules_, known.position, entry.moves());
            if (!read || read->empty())
                return damage(place + " has a move that is not legal, or twice");
            known.moves = *std::move(read);
            moves += known.moves.size();
            if (!visit(known)) return std::nullopt;
        }
        if (!entry.is_complete()) return damage(place + " ends in the middle of a position");
    }
    if (positions != positions_ || moves != moves_)
        return damage("it has not as many positions as its head says");
    return std::nullopt;
}

}  // namespace defiance
