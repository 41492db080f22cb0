// How positions learn of those before them, and how far they are from the start.

#include <tools/posdb/propagation_links.hpp>

#include <bit>
#include <deque>
#include <utility>

#include <defiance/base/assert.hpp>
#include <tools/posdb/position_database.hpp>

namespace defiance {
namespace {

/// Takes back the quiet moves by which the piece on `to` may have come there. Some of the positions
/// are none that it could have moved from: the caller must look at their moves.
void take_back(const GameRules& rules, const Position& position, Bitboard to,
               std::vector<Position>& origins) {
    const Side side = opponent(position.side);
    const bool is_king = (position.kings & to) != 0;
    Position without = position;
    without.side = side;
    (side == Side::black ? without.black : without.white) &= ~to;
    without.kings &= ~to;
    const auto add = [&](Bitboard from, Bitboard king) {
        Position origin = without;
        (side == Side::black ? origin.black : origin.white) |= from;
        origin.kings |= king;
        if (!find_fault(origin)) origins.push_back(origin);
    };
    for (const Direction direction : all_directions) {
        Bitboard from = step(direction, to) & position.empty();
        const bool may_be_man = !is_king || (to & crowning_row_of(side)) != 0;
        if (from != 0 && may_be_man) add(from, 0);
        if (!is_king) continue;
        for (; from != 0; from = step(direction, from) & position.empty()) {
            add(from, from);
            if (!rules.flying_kings) break;
        }
    }
}

/// A piece on its way back along a capture.
struct TakenBack {
    Position others;  ///< without the piece, with what it has captured from here on
    Bitboard at = 0;
};

/// Takes back one jump in all ways.
void take_back_jump(const TakenBack& after, bool is_flying, std::vector<TakenBack>& before) {
    const auto add = [&](Bitboard over, Bitboard from, Bitboard king) {
        TakenBack taken = {after.others, from};
        Position& others = taken.others;
        (others.side == Side::black ? others.black : others.white) |= over;
        others.kings |= king;
        if (!find_fault(others) || std::popcount(others.theirs()) == 0) before.push_back(taken);
    };
    const Bitboard empty = after.others.empty();
    for (const Direction direction : all_directions)
        for (Bitboard over = step(direction, after.at) & empty; over != 0;) {
            Bitboard from = step(direction, over) & empty;
            while (from != 0) {
                add(over, from, 0);
                add(over, from, over);
                from = is_flying ? step(direction, from) & empty : 0;
            }
            over = is_flying ? step(direction, over) & empty : 0;
        }
}

/// The position before a capture whose jumps were all taken back.
Position origin_of(const TakenBack& taken, bool is_king) {
    Position origin = taken.others;
    origin.side = opponent(origin.side);
    (origin.side == Side::black ? origin.black : origin.white) |= taken.at;
    if (is_king) origin.kings |= taken.at;
    return origin;
}

/// Takes back captures by which the piece on `to` may have come there, those of few pieces first,
/// until there are so many origins. As in take_back() some are none.
void take_back_captures(const GameRules& rules, const Position& position, Bitboard to,
                        std::size_t most, std::vector<Position>& origins) {
    const bool is_king = (position.kings & to) != 0;
    const bool may_be_man = !is_king || rules.crowned_in_passing ||
                            (to & crowning_row_of(opponent(position.side))) != 0;
    Position others = position;
    (position.side == Side::black ? others.white : others.black) &= ~to;
    others.kings &= ~to;
    std::vector<TakenBack> after = {{others, to}};
    while (!after.empty() && origins.size() < most) {
        std::vector<TakenBack> before;
        for (const TakenBack& taken : after)
            if (before.size() < most) take_back_jump(taken, is_king && rules.flying_kings, before);
        for (const TakenBack& taken : before) {
            for (const bool was_king : {false, true}) {
                if (was_king ? !is_king : !may_be_man) continue;
                const Position origin = origin_of(taken, was_king);
                if (!find_fault(origin)) origins.push_back(origin);
            }
        }
        after = std::move(before);
    }
}

/// Positions from which a capture may have led here: all of few pieces, and of others as many as
/// can be looked up in a moment.
std::vector<Position> capture_origins(const GameRules& rules, const Position& position) {
    constexpr std::size_t most_of_piece = 256;
    std::vector<Position> all;
    for (Bitboard left = position.theirs(); left != 0; left &= left - 1) {
        std::vector<Position> origins;
        take_back_captures(rules, position, left & (~left + 1), most_of_piece, origins);
        all.insert(all.end(), origins.begin(), origins.end());
    }
    return all;
}

}  // namespace

std::vector<Position> quiet_origins(const GameRules& rules, const Position& position,
                                    Bitboard pieces) {
    DEFIANCE_ASSERT((pieces & ~position.theirs()) == 0);
    std::vector<Position> origins;
    for (Bitboard left = pieces; left != 0; left &= left - 1)
        take_back(rules, position, left & (~left + 1), origins);
    return origins;
}

/// Tells known positions from which a move leads here that they have a child. Those with a long
/// capture that are not found are told when they are read or changed next.
std::optional<Error> PositionDatabase::link_parents(const PositionKey& key) {
    const Position position = board_of(key);
    std::vector<Position> origins = quiet_origins(rules(), position, position.theirs());
    const std::vector<Position> captures = capture_origins(rules(), position);
    origins.insert(origins.end(), captures.begin(), captures.end());
    const auto known = find_many(origins);
    if (!known) return Error{known.error()};
    for (std::size_t i = 0; i < origins.size(); ++i) {
        if (!(*known)[i]) continue;
        if (!index_of_move_to(canonical_moves(rules(), origins[i]), position)) continue;
        if (auto error = link(key_of_board(origins[i]), key)) return error;
    }
    return std::nullopt;
}

/// Tells known positions after a position whose ply has become less. It ends because plies only
/// fall.
std::optional<Error> PositionDatabase::carry_plies_down(const PositionKey& key) {
    std::deque<PositionKey> changed = {key};
    for (; !changed.empty(); changed.pop_front()) {
        const auto known = find(board_of(changed.front()));
        if (!known) return Error{known.error()};
        if (!*known) continue;
        std::vector<Position> after;
        for (const CanonicalMove& move : canonical_moves(rules(), board_of(changed.front())))
            after.push_back(move.after);
        const auto children = find_many(after);
        if (!children) return Error{children.error()};
        for (std::size_t i = 0; i < after.size(); ++i) {
            if (!(*children)[i] || (*children)[i]->ply <= ply_after((*known)->ply)) continue;
            const PositionKey child = key_of_board(after[i]);
            if (auto error = link(changed.front(), child)) return error;
            changed.push_back(child);
        }
    }
    return std::nullopt;
}

}  // namespace defiance
