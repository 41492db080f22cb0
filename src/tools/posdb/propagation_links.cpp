// How positions learn of those before them, and how far they are from the start.

#include <deque>

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

/// Positions from which the side that is not to move may have come here by a quiet move.
std::vector<Position> quiet_origins(const GameRules& rules, const Position& position) {
    std::vector<Position> origins;
    for (Bitboard left = position.theirs(); left != 0; left &= left - 1)
        take_back(rules, position, left & (~left + 1), origins);
    return origins;
}

}  // namespace

/// Tells known positions from which a quiet move leads here that they have a child. Those with a
/// capture are found when they are read or changed next.
std::optional<Error> PositionDatabase::link_quiet_parents(const PositionKey& key) {
    const Position position = board_of(key);
    const std::vector<Position> origins = quiet_origins(rules(), position);
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
