#include <defiance/cb/status.hpp>

#include <algorithm>
#include <atomic>

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

std::string value_text(Score score) {
    std::string text = with_sign(score);
    if (is_proven(score))
        text += (is_win(score) ? " (won in " : " (lost in ") + std::to_string(plies_to_end(score)) +
                " plies)";
    else if (is_decided(score))
        text += score > 0 ? " (won)" : " (lost)";
    return text;
}

/// Adds an item with its separator unless the line would get too long.
bool append(std::string& line, std::string_view separator, const std::string& item) {
    if (line.size() + separator.size() + item.size() > longest_status) return false;
    line += separator;
    line += item;
    return true;
}

void append_line(const GameRules& rules, std::string& text, Position position,
                 const std::vector<Move>& line) {
    text += "  pv";
    for (const Move& move : line) {
        if (!append(text, " ", to_text(rules, position, move, MoveTextStyle::shortened))) return;
        position = rules.after(position, move);
    }
}

void append_all(const GameRules& rules, std::string& text, const Position& root,
                const std::vector<RootMove>& moves) {
    text += "  all";
    std::string_view separator = " ";
    for (const RootMove& m : moves) {
        // A move the first iteration has not come to yet has no value.
        const std::string value = m.score == -score_infinite ? "?" : with_sign(m.score);
        const std::string name = to_text(rules, root, m.move, MoveTextStyle::shortened);
        if (!append(text, separator, name + ' ' + value)) return;
        separator = ", ";
    }
}

}  // namespace

std::string status_line(const GameRules& rules, const Position& root, const SearchInfo& thinking,
                        bool all_scores) {
    const auto nodes = static_cast<double>(thinking.nodes);
    std::string text = "depth " + std::to_string(thinking.depth) +
                       "  value=" + value_text(thinking.score) + "  time " +
                       fixed(thinking.seconds, 2) + "s  nodes " + short_count(nodes);
    if (thinking.seconds > 0)
        text += "  speed " + fixed(nodes / thinking.seconds / 1000, 0) + " kN/s";
    else
        text += "  speed 0 kN/s";
    if (all_scores)
        append_all(rules, text, root, thinking.moves);
    else
        append_line(rules, text, root, thinking.line);
    return text;
}

void write_status(char* str, std::string_view text) {
    if (str == nullptr) return;
    text = text.substr(0, longest_status);
    const auto put = [str](std::size_t i, char c) {
        std::atomic_ref<char>(str[i]).store(c, std::memory_order_release);
    };
    // The new end first: who sees any of the rest meets that end mark.
    put(text.size(), 0);
    for (std::size_t i = 0; i < text.size(); ++i)
        put(i, text[i]);
}

}  // namespace defiance
