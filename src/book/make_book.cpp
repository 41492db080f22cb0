#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>
#include <defiance/base/little_endian.hpp>
#include <defiance/book/opening_book.hpp>

#include "book_format.hpp"

namespace defiance {
namespace {

using namespace book_format;

void append_key(std::string& bytes, const Position& seen) {
    append_little_endian(bytes, seen.black, 4);
    append_little_endian(bytes, seen.white, 4);
    append_little_endian(bytes, seen.kings, 4);
}

std::uint32_t checksum_of(const std::string& bytes) {
    return checksum({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

/// Fills the text up with zeros to this size.
void fill(std::string& bytes, std::size_t size) {
    DEFIANCE_ASSERT(bytes.size() <= size);
    bytes.resize(size);
}

/// The bytes of an entry; the position has black to move.
std::string entry_bytes(const GameRules& rules, const BookPosition& entry) {
    DEFIANCE_ASSERT(!entry.moves.empty() && entry.moves.size() <= MoveList::capacity);
    std::string bytes;
    append_key(bytes, entry.position);
    append_little_endian(bytes, entry.moves.size(), 1);
    for (const BookMove& m : entry.moves) {
        DEFIANCE_ASSERT(m.score >= -proven_book_score && m.score <= proven_book_score);
        append_little_endian(bytes, book_move_code(rules, entry.position, m.move), 2);
        append_little_endian(bytes, static_cast<std::uint16_t>(m.score), 2);
        append_little_endian(bytes, m.depth, 1);
        append_little_endian(bytes, m.support, 1);
    }
    return bytes;
}

/// Turns all positions so that black is to move, sorts their moves, and them by their keys.
void bring_in_order(const GameRules& rules, std::vector<BookPosition>& positions) {
    for (BookPosition& entry : positions) {
        if (entry.position.side == Side::white) {
            entry.position = flipped(entry.position);
            for (BookMove& m : entry.moves)
                m.move = turned(m.move);
        }
        sort_book_moves(rules, entry);
    }
    std::sort(positions.begin(), positions.end(), [](const BookPosition& a, const BookPosition& b) {
        return key_of_entry(a.position) < key_of_entry(b.position);
    });
}

/// The index and the pages of a book.
struct Body {
    std::string index;
    std::string pages;
    std::size_t page_count = 0;
};

Body make_body(const std::vector<std::string>& entries, std::size_t page_bytes) {
    Body body;
    std::string page;
    std::size_t in_page = 0;
    const auto end_page = [&] {
        if (in_page == 0) return;
        std::string bytes;
        append_little_endian(bytes, in_page, 2);
        append_little_endian(bytes, page_head_bytes + page.size(), 2);
        bytes += page;
        fill(bytes, page_bytes - checksum_bytes);
        append_little_endian(bytes, checksum_of(bytes), checksum_bytes);
        body.pages += bytes;
        ++body.page_count;
        page.clear();
        in_page = 0;
    };
    for (const std::string& entry : entries) {
        if (page_head_bytes + page.size() + entry.size() + checksum_bytes > page_bytes) end_page();
        if (in_page == 0) body.index += entry.substr(0, key_bytes);
        page += entry;
        ++in_page;
    }
    end_page();
    fill(body.index, static_cast<std::size_t>(index_bytes(body.page_count)));
    return body;
}

}  // namespace

Result<std::string> make_book(const GameRules& rules, std::vector<BookPosition> positions,
                              const std::string& description) {
    // More pages make the index too long to be checked in a moment.
    constexpr std::size_t max_small_pages = 1U << 16;
    // A reader would take the book for a damaged one.
    for (const BookPosition& entry : positions)
        if (const auto fault = find_fault(entry.position))
            return Error{"a position has " + std::string(describe(*fault))};
    bring_in_order(rules, positions);
    std::vector<std::string> entries;
    std::uint64_t moves = 0;
    std::size_t all_bytes = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (i > 0 && positions[i].position == positions[i - 1].position)
            return Error{"a position comes twice"};
        entries.push_back(entry_bytes(rules, positions[i]));
        moves += positions[i].moves.size();
        all_bytes += entries.back().size();
    }
    if (entries.empty()) return Error{"a book needs at least one position"};
    std::size_t page_bytes = min_page_bytes;
    while (page_bytes < max_page_bytes && all_bytes / page_bytes >= max_small_pages)
        page_bytes *= 2;
    if (all_bytes / page_bytes >= max_pages / 2) return Error{"there are too many positions"};
    const Body body = make_body(entries, page_bytes);
    DEFIANCE_ASSERT(body.page_count <= max_pages);

    std::string head(magic);
    append_little_endian(head, version, 4);
    append_little_endian(head, page_bytes, 4);
    head += rules.file_word;
    fill(head, game_at + game_word_bytes);
    append_little_endian(head, positions.size(), 8);
    append_little_endian(head, moves, 8);
    append_little_endian(head, body.page_count, 4);
    append_little_endian(head, checksum_of(body.index), 4);
    append_little_endian(head, head_bytes + body.index.size() + body.pages.size(), 8);
    const std::string_view text = std::string_view(description).substr(0, max_description);
    append_little_endian(head, text.size(), 2);
    DEFIANCE_ASSERT(head.size() == description_at);
    head += text;
    fill(head, head_bytes - checksum_bytes);
    append_little_endian(head, checksum_of(head), checksum_bytes);
    return head + body.index + body.pages;
}

}  // namespace defiance
