#include <tools/book/user_book.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <unordered_set>

#include <defiance/base/assert.hpp>
#include <defiance/cb/board.hpp>
#include <defiance/rules/board.hpp>

namespace defiance {
namespace {

// An entry is `struct pos` (black men, black kings, white men, white kings as sets of squares) and
// a CBmove, all of them numbers of 32 bits as the processors of Windows keep them.
constexpr std::size_t number_bytes = 4;
constexpr std::size_t position_numbers = 4;
constexpr std::size_t move_numbers = sizeof(CBmove) / number_bytes;
constexpr std::size_t entry_numbers = position_numbers + move_numbers;
constexpr std::size_t entry_bytes = entry_numbers * number_bytes;
static_assert(sizeof(CBmove) == 268 && entry_bytes == 284);

using EntryNumbers = std::array<std::uint32_t, entry_numbers>;

/// CheckerBoard's set of squares: rows from Black's side, each from the left.
std::uint32_t as_rows(Bitboard squares) {
    std::uint32_t rows = 0;
    for (const int square : Squares(squares)) {
        const Coordinate c = coordinate_of(square);
        rows |= 1U << (4 * c.y + c.x / 2);
    }
    return rows;
}

Bitboard from_rows(std::uint32_t rows) {
    Bitboard squares = 0;
    for (int i = 0; i < 32; ++i)
        if ((rows >> i & 1U) != 0) squares |= bit(index_of({2 * (i % 4) + i / 4 % 2, i / 4}));
    return squares;
}

EntryNumbers numbers_of(const GameRules& rules, const Position& position, const Move& move) {
    const CBmove described = describe_legal_move(rules, position, move);
    EntryNumbers numbers{};
    const Bitboard kings = position.kings;
    numbers[0] = as_rows(position.black & ~kings);
    numbers[1] = as_rows(position.black & kings);
    numbers[2] = as_rows(position.white & ~kings);
    numbers[3] = as_rows(position.white & kings);
    std::memcpy(numbers.data() + position_numbers, &described, sizeof described);
    return numbers;
}

EntryNumbers read_numbers(std::string_view bytes) {
    DEFIANCE_ASSERT(bytes.size() == entry_bytes);
    EntryNumbers numbers{};
    for (std::size_t i = 0; i < entry_bytes; ++i)
        numbers[i / number_bytes] |= std::uint32_t{static_cast<unsigned char>(bytes[i])}
                                     << (8 * (i % number_bytes));
    return numbers;
}

/// The square of CheckerBoard's coordinates; nothing when they are none.
std::optional<int> square_at(const coor& c) {
    if (c.x < 0 || c.x > 7 || c.y < 0 || c.y > 7 || !is_playable({c.x, c.y})) return std::nullopt;
    return index_of({c.x, c.y});
}

/// Position and move of an entry; nothing when they are not legal.
std::optional<BookPosition> read_entry(const GameRules& rules, const EntryNumbers& numbers) {
    CBmove described;
    std::memcpy(&described, numbers.data() + position_numbers, sizeof described);
    Position position;
    position.black = from_rows(numbers[0] | numbers[1]);
    position.white = from_rows(numbers[2] | numbers[3]);
    position.kings = from_rows(numbers[1] | numbers[3]);
    // No side is named, only the piece that moves.
    position.side = (described.oldpiece & cb_white) != 0 ? Side::white : Side::black;
    const bool is_sound = (numbers[0] & numbers[1]) == 0 && (numbers[2] & numbers[3]) == 0 &&
                          position.is_consistent() && !find_fault(position);
    const auto from = square_at(described.from);
    const auto to = square_at(described.to);
    if (!is_sound || !from || !to) return std::nullopt;
    MoveList list;
    rules.generate_moves(position, list);
    for (const Move& move : list) {
        if (move.from != *from || move.to != *to) continue;
        // Of captures between the same squares the one that takes the same pieces.
        const CBmove ours = describe_legal_move(rules, position, move);
        Bitboard taken = 0;
        for (int i = 0; i < std::clamp(described.jumps, 0, 12); ++i)
            if (const auto square = square_at(described.del[i])) taken |= bit(*square);
        if (ours.jumps == described.jumps && taken == move.captured)
            return BookPosition{position, {{move, 0, 0, BookMove::max_support}}};
    }
    return std::nullopt;
}

}  // namespace

std::string make_user_book(const GameRules& rules, const std::vector<BookPosition>& positions) {
    std::string bytes;
    std::unordered_set<std::string> seen;
    for (const BookPosition& entry : positions) {
        if (seen.size() == max_user_book) break;
        DEFIANCE_ASSERT(!entry.moves.empty());
        std::string text;
        for (const std::uint32_t number :
             numbers_of(rules, entry.position, entry.moves.front().move))
            for (std::size_t i = 0; i < number_bytes; ++i)
                text += static_cast<char>(number >> (8 * i) & 0xFF);
        if (seen.insert(text.substr(0, position_numbers * number_bytes)).second) bytes += text;
    }
    return bytes;
}

Result<UserBook> read_user_book(const GameRules& rules, std::string_view bytes) {
    if (bytes.empty() || bytes.size() % entry_bytes != 0 ||
        bytes.size() / entry_bytes > max_user_book)
        return Error{"it is no user book of CheckerBoard: its size is not that of 1 to " +
                     std::to_string(max_user_book) + " moves"};
    UserBook book;
    for (std::size_t at = 0; at < bytes.size(); at += entry_bytes) {
        const auto entry = read_entry(rules, read_numbers(bytes.substr(at, entry_bytes)));
        if (entry)
            book.positions.push_back(*entry);
        else
            ++book.left_out;
    }
    return book;
}

}  // namespace defiance
