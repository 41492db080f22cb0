#include <tools/posdb/known_position.hpp>

#include <algorithm>
#include <tuple>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>
#include <tools/store/byte_codec.hpp>

namespace defiance {
namespace {

constexpr std::uint8_t record_format = 1;
constexpr std::size_t head_bytes = 6;  // format, ply, guard (2), moves, parents
constexpr std::size_t move_bytes = 5;  // index, score (2), depth, source

/// Tells lists of moves apart, so that an index never means another move.
std::uint16_t guard_of(const std::vector<CanonicalMove>& moves) {
    std::string bytes;
    for (const CanonicalMove& move : moves)
        append_key(bytes, {move.after.black, move.after.white, move.after.kings});
    return static_cast<std::uint16_t>(checksum(bytes_of(bytes)));
}

/// The order of positions after moves of black.
bool is_before(const Position& a, const Position& b) {
    if (a.black != b.black) return a.black < b.black;
    return a.white != b.white ? a.white < b.white : a.kings < b.kings;
}

bool is_sound(const KnownPosition& known, std::size_t legal_moves) {
    int last = -1;
    for (const KnownMove& move : known.moves) {
        if (move.index <= last || move.index >= legal_moves || move.source > ScoreSource::final ||
            move.score > proven_score || move.score < -proven_score)
            return false;
        last = move.index;
    }
    return true;
}

}  // namespace

bool is_preferred(const KnownMove& a, const KnownMove& b) {
    const auto rank = [](const KnownMove& move) {
        return std::tuple(move.score, !move.is_detour(), move.source == ScoreSource::expansion,
                          move.depth);
    };
    return rank(a) > rank(b);
}

const KnownMove& best_move_of(std::span<const KnownMove> moves) {
    DEFIANCE_ASSERT(!moves.empty());
    return *std::min_element(moves.begin(), moves.end(), is_preferred);
}

const KnownMove* KnownPosition::find(std::size_t index) const {
    const auto found = std::find_if(moves.begin(), moves.end(),
                                    [&](const KnownMove& move) { return move.index == index; });
    return found == moves.end() ? nullptr : &*found;
}

PositionKey key_of_board(const Position& position) {
    const Position p = with_black_to_move(position);
    return {p.black, p.white, p.kings};
}

Position board_of(const PositionKey& key) {
    return {key.own, key.other, key.kings, Side::black};
}

std::vector<CanonicalMove> canonical_moves(const GameRules& rules, const Position& position) {
    DEFIANCE_ASSERT(position.is_consistent());
    MoveList list;
    rules.generate_moves(position, list);
    struct Entry {
        Position seen;  // by the mover as black
        CanonicalMove move;
    };
    std::vector<Entry> entries;
    entries.reserve(list.size());
    for (const Move& move : list) {
        const Position after = rules.after(position, move);
        entries.push_back({position.side == Side::black ? after : flipped(after), {move, after}});
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return is_before(a.seen, b.seen); });
    std::vector<CanonicalMove> moves;
    moves.reserve(entries.size());
    for (const Entry& entry : entries)
        if (moves.empty() || moves.back().after != entry.move.after) moves.push_back(entry.move);
    return moves;
}

std::optional<std::size_t> index_of_move_to(const std::vector<CanonicalMove>& moves,
                                            const Position& after) {
    const auto found = std::find_if(moves.begin(), moves.end(),
                                    [&](const CanonicalMove& m) { return m.after == after; });
    if (found == moves.end()) return std::nullopt;
    return static_cast<std::size_t>(found - moves.begin());
}

bool is_complete(const std::optional<KnownPosition>& known, const GameRules& rules,
                 const Position& position) {
    return known && !known->moves.empty() &&
           known->moves.size() == canonical_moves(rules, position).size();
}

std::string encode(const KnownPosition& known, const GameRules& rules, const PositionKey& key) {
    const std::vector<CanonicalMove> legal = canonical_moves(rules, board_of(key));
    DEFIANCE_ASSERT(is_sound(known, legal.size()));
    DEFIANCE_ASSERT(known.parents.size() <= KnownPosition::max_parents);
    std::string bytes;
    append_little_endian(bytes, record_format, 1);
    append_little_endian(bytes, known.ply, 1);
    append_little_endian(bytes, guard_of(legal), 2);
    append_little_endian(bytes, known.moves.size(), 1);
    append_little_endian(bytes, known.parents.size(), 1);
    for (const KnownMove& move : known.moves) {
        append_little_endian(bytes, move.index, 1);
        append_little_endian(bytes, static_cast<std::uint16_t>(move.score), 2);
        append_little_endian(bytes, move.depth, 1);
        append_little_endian(bytes, static_cast<std::uint8_t>(move.source), 1);
    }
    for (const PositionKey& parent : known.parents)
        append_key(bytes, parent);
    return bytes;
}

std::optional<KnownPosition> decode(std::string_view bytes, const GameRules& rules,
                                    const PositionKey& key) {
    if (bytes.size() < head_bytes || little_endian_at(bytes, 0, 1) != record_format)
        return std::nullopt;
    const auto moves = static_cast<std::size_t>(little_endian_at(bytes, 4, 1));
    const auto parents = static_cast<std::size_t>(little_endian_at(bytes, 5, 1));
    if (bytes.size() != head_bytes + moves * move_bytes + parents * position_key_bytes ||
        parents > KnownPosition::max_parents)
        return std::nullopt;
    const Position board = board_of(key);
    if (!board.is_consistent()) return std::nullopt;
    const std::vector<CanonicalMove> legal = canonical_moves(rules, board);
    if (little_endian_at(bytes, 2, 2) != guard_of(legal)) return std::nullopt;
    KnownPosition known;
    known.ply = static_cast<std::uint8_t>(little_endian_at(bytes, 1, 1));
    std::size_t at = head_bytes;
    for (std::size_t i = 0; i < moves; ++i, at += move_bytes)
        known.moves.push_back({static_cast<std::uint8_t>(little_endian_at(bytes, at, 1)),
                               static_cast<std::int16_t>(little_endian_at(bytes, at + 1, 2)),
                               static_cast<std::uint8_t>(little_endian_at(bytes, at + 3, 1)),
                               static_cast<ScoreSource>(little_endian_at(bytes, at + 4, 1))});
    for (std::size_t i = 0; i < parents; ++i, at += position_key_bytes)
        known.parents.push_back(key_at(bytes, at));
    if (!is_sound(known, legal.size())) return std::nullopt;
    return known;
}

std::uint8_t ply_after(std::uint8_t ply) {
    return ply < KnownPosition::max_ply_from_start ? static_cast<std::uint8_t>(ply + 1) : ply;
}

}  // namespace defiance
