#include <defiance/cb/status.hpp>

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move_text.hpp>

namespace defiance {
namespace {

/// A count in at most five characters and a unit: 950, 12.3k, 4.56M.
std::string short_count(double value) {
    if (value < 1000) return fixed(value, 0);
    if (value < 1e6) return fixed(value / 1e3, value < 1e5 ? 1 : 0) + 'k';
    if (value < 1e9) return fixed(value / 1e6, value < 1e8 ? 2 : 0) + 'M';
    return fixed(value / 1e9, 2) + 'G';
}

/// `won in 17 moves`: the winner's own moves, of which one ends the game.
std::string decided_text(bool is_won, std::optional<int> plies) {
    std::string text = is_won ? "won" : "lost";
    if (!plies) return text;
    DEFIANCE_ASSERT(*plies >= 0 && *plies <= score_win);
    const int moves = (*plies + 1) / 2;
    return text + " in " + std::to_string(moves) + (moves == 1 ? " move" : " moves");
}

/// A value in words where it is known, else in 1/100 man; `?` for a move that the first iteration
/// has not come to yet.
std::string value_text(Score score, const std::optional<EgdbResult>& known) {
    const bool has_score = score != -score_infinite;
    if (has_score && is_proven(score))
        return decided_text(is_proven_win(score), plies_to_end(score));
    if (known && known->wld != Wld::draw) return decided_text(known->wld == Wld::win, known->dtw);
    if (known) return "draw";
    if (!has_score) return "?";
    if (is_decided(score)) return decided_text(score > 0, std::nullopt);
    return with_sign(in_centimen(score));
}

/// A beginning and items with separators between them, as many as fit into so many bytes.
class ItemList {
public:
    ItemList(std::string begin, std::string_view separator, std::size_t max_size)
        : text_(std::move(begin)), separator_(separator), max_size_(max_size) {}

    /// False when there is no room.
    bool add(const std::string& item) {
        const std::string_view separator = is_empty_ ? " " : separator_;
        if (text_.size() + separator.size() + item.size() > max_size_) return false;
        text_ += separator;
        text_ += item;
        is_empty_ = false;
        return true;
    }

    [[nodiscard]] std::string text() && { return std::move(text_); }

private:
    std::string text_;
    std::string_view separator_;
    std::size_t max_size_;
    bool is_empty_ = true;
};

std::string line_text(const GameRules& rules, Position position, const std::vector<Move>& line,
                      std::size_t max_size) {
    ItemList items("pv", " ", max_size);
    for (const Move& move : line) {
        if (!items.add(to_text(rules, position, move, MoveTextStyle::shortened))) break;
        position = rules.after(position, move);
    }
    return std::move(items).text();
}

std::string all_text(const GameRules& rules, const Position& root,
                     const std::vector<RootMove>& moves, std::size_t max_size) {
    ItemList items("all", ", ", max_size);
    for (const RootMove& m : moves) {
        const std::string value = value_text(m.score, m.egdb);
        if (!items.add(to_text(rules, root, m.move, MoveTextStyle::shortened) + ' ' + value)) break;
    }
    return std::move(items).text();
}

/// Search statistics: depth, nodes, speed and time.
std::string effort_text(const SearchInfo& thinking) {
    const auto nodes = static_cast<double>(thinking.nodes);
    const double speed = thinking.seconds > 0 ? nodes / thinking.seconds / 1000 : 0;
    return "depth " + std::to_string(thinking.depth) + "  nodes " + short_count(nodes) +
           "  speed " + fixed(speed, 0) + " kN/s  time " + fixed(thinking.seconds, 2) + 's';
}

/// What a status line begins with when there is something special about the move.
std::string remark(const SearchInfo& thinking, bool is_only_move) {
    std::string text = is_only_move ? "only move  " : "";
    if (thinking.is_book_move) text += "book move  ";
    if (thinking.hint)
        text += *thinking.hint == HintSource::book ? "book hint  " : "endgame hint  ";
    return text;
}

}  // namespace

std::string status_line(const GameRules& rules, const Position& root, const SearchInfo& thinking,
                        bool all_scores) {
    const bool is_only_move = rules.count_moves(root) == 1;
    // A forced move is played almost without a search, so its value means nothing.
    const bool is_unknown = (!thinking.has_score && !thinking.egdb) ||
                            (is_only_move && !thinking.is_book_move && thinking.depth <= 1 &&
                             !thinking.egdb && !is_decided(thinking.score));
    const std::string value = is_unknown ? "?" : value_text(thinking.score, thinking.egdb);
    const std::string effort = "  " + effort_text(thinking);
    std::string text = remark(thinking, is_only_move) + "value=" + value + "  ";
    const std::size_t max_size = thinking.is_last ? max_kept_status_bytes : max_status_bytes;
    const std::size_t room = max_size - text.size() - effort.size();
    text += all_scores ? all_text(rules, root, thinking.moves, room)
                       : line_text(rules, root, thinking.line, room);
    text += effort;
    DEFIANCE_ASSERT(text.size() <= max_size);
    return text;
}

void write_status(char* str, std::string_view text) {
    if (str == nullptr) return;
    text = text.substr(0, max_status_bytes);
    const auto put = [str](std::size_t i, char c) {
        std::atomic_ref<char>(str[i]).store(c, std::memory_order_release);
    };
    // The terminator first: a reader who sees any of the new text will meet it.
    put(text.size(), 0);
    for (std::size_t i = 0; i < text.size(); ++i)
        put(i, text[i]);
}

}  // namespace defiance
