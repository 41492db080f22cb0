#include <tools/posdb/move_names.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/rules/path.hpp>

namespace defiance {
namespace {

using SquareNumbers = std::vector<int>;  // numbers, from the start square to the last one landed on

std::string text_of(const SquareNumbers& squares, bool is_capture) {
    std::string text = std::to_string(squares.front());
    for (std::size_t i = 1; i < squares.size(); ++i)
        text += (is_capture ? 'x' : '-') + std::to_string(squares[i]);
    return text;
}

/// The squares of each path, the smallest numbers first.
std::vector<SquareNumbers> paths_in_order(const GameRules& rules, const Position& position,
                                          const Move& move) {
    std::vector<SquareNumbers> all;
    if (!move.is_capture()) return {{rules.number(move.from), rules.number(move.to)}};
    for (const Path& path : paths_of(rules, position, move)) {
        SquareNumbers squares = {rules.number(move.from)};
        for (const Jump& jump : path)
            squares.push_back(rules.number(jump.landing));
        all.push_back(std::move(squares));
    }
    DEFIANCE_ASSERT(!all.empty());
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

std::vector<NamedMove> named_moves(const GameRules& rules, const Position& position) {
    struct Entry {
        SquareNumbers squares;
        Move move;
    };
    MoveList list;
    rules.generate_moves(position, list);
    std::vector<Entry> entries;
    for (const Move& move : list)
        entries.push_back({paths_in_order(rules, position, move).front(), move});
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.squares < b.squares; });
    std::vector<NamedMove> moves;
    for (const Entry& entry : entries) {
        const Position after = rules.after(position, entry.move);
        const bool is_known = std::any_of(moves.begin(), moves.end(), [&](const NamedMove& named) {
            return named.after == after;
        });
        if (is_known) continue;
        moves.push_back({entry.move, after, text_of(entry.squares, entry.move.is_capture()),
                         to_text(rules, position, entry.move, MoveTextStyle::shortened)});
    }
    return moves;
}

std::vector<std::string> path_names(const GameRules& rules, const Position& position,
                                    const Move& move) {
    std::vector<std::string> names;
    for (const SquareNumbers& squares : paths_in_order(rules, position, move))
        names.push_back(text_of(squares, move.is_capture()));
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

Result<Move> parse_request_move(const GameRules& rules, const Position& position,
                                std::string_view text) {
    constexpr std::string_view prefix = "move:";
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    return parse_move(rules, position, text);
}

std::optional<std::size_t> find_move(const GameRules& rules, const Position& position,
                                     const std::vector<NamedMove>& moves, std::string_view text) {
    const Result<Move> move = parse_request_move(rules, position, text);
    if (!move) return std::nullopt;
    const Position after = rules.after(position, *move);
    const auto found = std::find_if(moves.begin(), moves.end(),
                                    [&](const NamedMove& named) { return named.after == after; });
    if (found == moves.end()) return std::nullopt;
    return static_cast<std::size_t>(found - moves.begin());
}

}  // namespace defiance
