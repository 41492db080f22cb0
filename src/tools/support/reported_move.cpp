#include <tools/support/reported_move.hpp>

#include <cstdlib>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/board.hpp>

namespace defiance {
namespace {

/// What a CBmove has room for, with the square of the last landing.
constexpr int max_jumps = 11;

/// Takes numbers one by one off a list such as 1,6,6;
class NumberReader {
public:
    explicit NumberReader(std::string_view text) : rest_(text) {}

    int take() {
        const std::size_t end = rest_.find(',');
        const auto number = parse_integer(rest_.substr(0, end), 0, 99);
        if (!number) failed_ = true;
        rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
        return number ? static_cast<int>(*number) : 0;
    }
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] bool at_end() const { return rest_.empty(); }

private:
    std::string_view rest_;
    bool failed_ = false;
};

bool is_on_board(coor c) {
    return is_playable({c.x, c.y});
}

bool same(coor a, coor b) {
    return a.x == b.x && a.y == b.y;
}

int piece_at(const CbBoard& board, coor c) {
    DEFIANCE_ASSERT(is_on_board(c));
    return board.squares[c.x][c.y];
}

/// Steps from a towards b must meet nothing but the captured piece; false when they meet anything
/// else or b does not lie on a diagonal of a.
bool passes_only(const CbBoard& board, coor origin, coor a, coor b, const coor* captured) {
    const int dx = b.x > a.x ? 1 : -1;
    const int dy = b.y > a.y ? 1 : -1;
    if (std::abs(b.x - a.x) != std::abs(b.y - a.y) || same(a, b)) return false;
    bool has_captured = captured == nullptr;
    for (coor c{a.x + dx, a.y + dy}; !same(c, b); c = {c.x + dx, c.y + dy}) {
        if (captured != nullptr && same(c, *captured)) {
            has_captured = true;
            continue;
        }
        if (piece_at(board, c) != 0 && !same(c, origin)) return false;
    }
    return has_captured;
}

/// The last landing need only stand in `to`.
ReportedMove with_last_landing(CBmove move) {
    DEFIANCE_ASSERT(move.jumps <= max_jumps);
    if (move.jumps > 0) move.path[move.jumps] = move.to;
    return from_description(move);
}

}  // namespace

std::string read_movelist(std::string_view reply, const std::function<int(int)>& index_of_number,
                          std::vector<ReportedMove>& moves) {
    constexpr std::string_view heading = "movelist ";
    if (reply.size() > 1023) return "movelist is too long";
    if (!reply.starts_with(heading)) return "movelist has no heading";
    reply.remove_prefix(heading.size());
    if (reply == "0") return {};
    const std::size_t comma = reply.find(',');
    const auto count = parse_integer(reply.substr(0, comma), 1, 28);
    if (!count || comma == std::string_view::npos) return "movelist has no count from 1 to 28";
    reply.remove_prefix(comma + 1);
    const auto place = [&](int number) {
        const Coordinate c = coordinate_of(index_of_number(is_square_number(number) ? number : 1));
        return coor{c.x, c.y};
    };
    while (!reply.empty()) {
        const std::size_t end = reply.find(';');
        if (end == std::string_view::npos) return "a record has no end";
        NumberReader numbers(reply.substr(0, end));
        reply.remove_prefix(end + 1);
        ReportedMove move;
        const int jumps = numbers.take();
        if (jumps > max_jumps) return "a move has more than 11 jumps";
        move.old_piece = numbers.take();
        move.new_piece = numbers.take();
        move.from = place(numbers.take());
        move.to = place(numbers.take());
        for (int i = 0; i < jumps; ++i) {
            const coor landing = place(numbers.take());
            const coor captured = place(numbers.take());
            move.jumps.push_back({landing, captured, numbers.take()});
        }
        if (numbers.failed() || !numbers.at_end()) return "a record cannot be read";
        moves.push_back(move);
    }
    return moves.size() == static_cast<std::size_t>(*count) ? "" : "movelist counts wrongly";
}

ReportedMove from_description(const CBmove& move) {
    ReportedMove result;
    result.old_piece = move.oldpiece;
    result.new_piece = move.newpiece;
    result.from = move.from;
    result.to = move.to;
    for (int i = 0; i < move.jumps && i < 12; ++i)
        result.jumps.push_back(
            {i < 11 ? move.path[i + 1] : move.to, move.del[i], move.delpiece[i]});
    return result;
}

CbBoard carry_out(CbBoard board, const ReportedMove& move) {
    DEFIANCE_ASSERT(is_on_board(move.from) && is_on_board(move.to));
    board.squares[move.from.x][move.from.y] = 0;
    board.squares[move.to.x][move.to.y] = move.new_piece;
    for (const ReportedMove::Jump& jump : move.jumps) {
        DEFIANCE_ASSERT(is_on_board(jump.captured));
        board.squares[jump.captured.x][jump.captured.y] = 0;
    }
    return board;
}

std::string find_fault(const ReportedMove& move, const CbBoard& board) {
    if (!is_on_board(move.from) || !is_on_board(move.to)) return "a square is off the board";
    if (piece_at(board, move.from) != move.old_piece) return "another piece moves";
    const bool stands_still = same(move.from, move.to) && move.jumps.empty();
    if (stands_still) return move.new_piece == move.old_piece ? "" : "a piece changes in its place";
    coor at = move.from;
    for (const ReportedMove::Jump& jump : move.jumps) {
        if (!is_on_board(jump.landing) || !is_on_board(jump.captured))
            return "a square is off the board";
        if (jump.piece == 0 || piece_at(board, jump.captured) != jump.piece)
            return "another piece is taken";
        if (!passes_only(board, move.from, at, jump.landing, &jump.captured))
            return "the path does not fit";
        at = jump.landing;
    }
    if (!move.jumps.empty()) return same(at, move.to) ? "" : "the path ends elsewhere";
    if (piece_at(board, move.to) != 0) return "the square moved to is taken";
    return passes_only(board, move.from, move.from, move.to, nullptr) ? "" : "the way does not fit";
}

std::string find_description_fault(const CBmove& move, const CbBoard& board) {
    if (move.jumps < 0 || move.jumps > max_jumps)
        return "it has " + std::to_string(move.jumps) + " jumps";
    return find_fault(with_last_landing(move), board);
}

CbBoard carried_out(const CBmove& move, const CbBoard& board) {
    return carry_out(board, with_last_landing(move));
}

}  // namespace defiance
