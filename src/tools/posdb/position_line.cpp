#include <tools/posdb/position_line.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/posdb/move_names.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

/// By ScoreSource.
constexpr std::array<std::string_view, 4> source_words = {"search", "expansion", "egdb", "final"};

constexpr std::string_view ply_word = "ply";
constexpr std::string_view parent_word = "from";

/// The names of moves in the order of canonical_moves().
std::vector<std::string> names_in_order(const GameRules& rules, const Position& board,
                                        const std::vector<CanonicalMove>& moves) {
    std::vector<std::string> names(moves.size());
    if (!moves.front().move.is_capture()) {
        for (std::size_t i = 0; i < moves.size(); ++i)
            names[i] = to_text(rules, board, moves[i].move);
        return names;
    }
    for (NamedMove& named : named_moves(rules, board)) {
        const auto index = index_of_move_to(moves, named.after);
        DEFIANCE_ASSERT(index);
        names[*index] = std::move(named.name);
    }
    return names;
}

/// Whether a move leads from one position to the other.
bool leads_to(const GameRules& rules, const Position& from, const Position& to) {
    return index_of_move_to(canonical_moves(rules, from), to).has_value();
}

/// A parent of a position with black to move, as it is shown: with white to move. Nothing when it
/// is none.
std::optional<Position> shown_parent(const GameRules& rules, const PositionKey& parent,
                                     const Position& board) {
    const Position seen_by_black = board_of(parent);
    if (!seen_by_black.is_consistent() || !find_problem(seen_by_black).empty()) return std::nullopt;
    const Position position = flipped(seen_by_black);
    if (!leads_to(rules, position, board)) return std::nullopt;
    return position;
}

std::string_view take_field(std::string_view& text) {
    const std::size_t end = text.find(';');
    const std::string_view field = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return field;
}

/// Reads the fields after a FEN.
class FieldReader {
public:
    FieldReader(const GameRules& rules, const Position& board)
        : rules_(rules), board_(board), legal_(canonical_moves(rules, board)) {}

    [[nodiscard]] bool has_moves() const { return !legal_.empty(); }
    [[nodiscard]] KnownPosition take() {
        std::sort(known_.moves.begin(), known_.moves.end(),
                  [](const KnownMove& a, const KnownMove& b) { return a.index < b.index; });
        return std::move(known_);
    }

    [[nodiscard]] std::optional<Error> read(std::string_view field) {
        std::string_view rest = field;
        const std::string_view word = take_word(rest);
        if (word == ply_word) return read_ply(rest);
        if (word == parent_word) return read_parent(rest);
        return read_move(word, rest);
    }

private:
    [[nodiscard]] std::optional<Error> read_ply(std::string_view text) {
        const auto ply = parse_integer(text, 0, KnownPosition::max_ply_from_start);
        if (!ply) return Error{"the ply is no whole number from 0 to 255"};
        if (std::exchange(has_ply_, true)) return Error{"the ply stands there twice"};
        known_.ply = static_cast<std::uint8_t>(*ply);
        return std::nullopt;
    }

    [[nodiscard]] std::optional<Error> read_parent(std::string_view text) {
        const Result<Position> parent = read_position(rules_, text);
        if (!parent) return Error{"from: " + parent.error()};
        if (!leads_to(rules_, *parent, board_))
            return Error{"from: no move leads from there to the position"};
        const PositionKey key = key_of_board(*parent);
        auto& parents = known_.parents;
        if (std::find(parents.begin(), parents.end(), key) != parents.end())
            return Error{"from: a position stands there twice"};
        if (parents.size() == KnownPosition::max_parents)
            return Error{"from: more than " + std::to_string(KnownPosition::max_parents) +
                         " positions"};
        parents.push_back(key);
        return std::nullopt;
    }

    [[nodiscard]] std::optional<Error> read_move(std::string_view name, std::string_view rest) {
        const Result<Move> move = parse_move(rules_, board_, name);
        if (!move) return Error{move.error()};
        const auto index = index_of_move_to(legal_, rules_.after(board_, *move));
        // A list that is too long for all captures leaves some out.
        if (!index) return Error{"'" + shown(name) + "' is not among the moves"};
        const auto score = parse_integer(take_word(rest), -proven_score, proven_score);
        if (!score)
            return Error{"a score is no whole number within +-" + std::to_string(proven_score)};
        const auto depth = parse_integer(take_word(rest), 0, 255);
        if (!depth) return Error{"a depth is no whole number from 0 to 255"};
        const std::string_view word = rest.empty() ? source_words[0] : rest;
        const auto source = std::find(source_words.begin(), source_words.end(), word);
        if (source == source_words.end())
            return Error{"'" + shown(word) + "' is not search, expansion, egdb or final"};
        if (known_.find(*index) != nullptr) return Error{"a move stands there twice"};
        known_.moves.push_back({static_cast<std::uint8_t>(*index),
                                static_cast<std::int16_t>(*score),
                                static_cast<std::uint8_t>(*depth),
                                static_cast<ScoreSource>(source - source_words.begin())});
        return std::nullopt;
    }

    const GameRules& rules_;
    Position board_;
    std::vector<CanonicalMove> legal_;
    KnownPosition known_;
    bool has_ply_ = false;
};

}  // namespace

std::optional<KnownPosition> decode_sound(const GameRules& rules, const PositionKey& key,
                                          std::string_view bytes) {
    const Position board = board_of(key);
    if (!board.is_consistent() || !find_problem(board).empty()) return std::nullopt;
    if (rules.count_moves(board) == 0) return std::nullopt;
    return decode(bytes, rules, key);
}

std::string position_line(const GameRules& rules, const PositionEntry& entry) {
    const Position board = board_of(entry.key);
    std::string line = to_fen(rules, board);
    if (entry.known.ply != KnownPosition::max_ply_from_start)
        line += "; " + std::string(ply_word) + ' ' + std::to_string(entry.known.ply);
    const std::vector<CanonicalMove> moves = canonical_moves(rules, board);
    DEFIANCE_ASSERT(!moves.empty());
    const std::vector<std::string> names = names_in_order(rules, board, moves);
    std::vector<KnownMove> known = entry.known.moves;
    std::stable_sort(known.begin(), known.end(), is_preferred);
    for (const KnownMove& move : known) {
        DEFIANCE_ASSERT(move.index < names.size());
        line += "; " + names[move.index] + ' ' + std::to_string(move.score) + ' ' +
                std::to_string(move.depth) + ' ' +
                std::string(source_words[static_cast<std::size_t>(move.source)]);
    }
    for (const PositionKey& key : entry.known.parents)
        if (const auto parent = shown_parent(rules, key, board))
            line += "; " + std::string(parent_word) + ' ' + to_fen(rules, *parent);
    DEFIANCE_ASSERT(line.size() <= max_position_line);
    return line;
}

Result<PositionEntry> read_position_line(const GameRules& rules, std::string_view line) {
    if (line.size() > max_position_line) return Error{"the line is too long"};
    const Result<Position> board = read_position(rules, take_field(line));
    if (!board) return Error{board.error()};
    FieldReader reader(rules, *board);
    if (!reader.has_moves()) return Error{"the side to move has no move"};
    while (!line.empty()) {
        const std::string_view field = take_field(line);
        if (field.empty()) continue;
        if (const auto error = reader.read(field)) return *error;
    }
    return PositionEntry{key_of_board(*board), reader.take()};
}

}  // namespace defiance
