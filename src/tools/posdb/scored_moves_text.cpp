#include <tools/posdb/scored_moves_text.hpp>

#include <algorithm>
#include <charconv>
#include <system_error>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/posdb/move_names.hpp>

namespace defiance {
namespace {

/// What stands before the next separator, which is taken off.
std::string_view take_part(std::string_view& rest, char separator) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

std::optional<int> digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return std::nullopt;
}

}  // namespace

std::string to_text(const GameRules& rules, const Position& position,
                    std::span<const KnownMove> moves) {
    const auto canonical = canonical_moves(rules, position);
    const auto named = named_moves(rules, position);
    std::string text;
    for (const KnownMove& move : moves) {
        DEFIANCE_ASSERT(move.index < canonical.size());
        const auto found = std::find_if(named.begin(), named.end(), [&](const NamedMove& n) {
            return n.after == canonical[move.index].after;
        });
        DEFIANCE_ASSERT(found != named.end());
        if (!text.empty()) text += '|';
        text += found->name + ',' + std::to_string(move.score) + ',' + std::to_string(move.depth) +
                ',' + std::to_string(static_cast<int>(move.source));
    }
    return text;
}

std::optional<std::vector<KnownMove>> parse_scored_moves(const GameRules& rules,
                                                         const Position& position,
                                                         std::string_view text) {
    const auto canonical = canonical_moves(rules, position);
    const auto named = named_moves(rules, position);
    std::vector<KnownMove> moves;
    while (!text.empty()) {
        std::string_view entry = take_part(text, '|');
        const auto name = find_move(rules, position, named, take_part(entry, ','));
        const auto score = parse_integer(take_part(entry, ','), -proven_score, proven_score);
        const auto depth = parse_integer(take_part(entry, ','), 0, 255);
        const auto source = parse_integer(entry, 0, static_cast<int>(ScoreSource::final));
        if (!name || !score || !depth || !source) return std::nullopt;
        const auto index = index_of_move_to(canonical, named[*name].after);
        DEFIANCE_ASSERT(index);
        const auto is_same = [&](const KnownMove& move) { return move.index == *index; };
        if (std::any_of(moves.begin(), moves.end(), is_same)) return std::nullopt;
        moves.push_back({static_cast<std::uint8_t>(*index), static_cast<std::int16_t>(*score),
                         static_cast<std::uint8_t>(*depth), static_cast<ScoreSource>(*source)});
    }
    return moves;
}

std::optional<std::uint64_t> parse_lease(std::string_view text) {
    std::uint64_t lease = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, lease);
    if (error != std::errc() || stop != end || lease == 0) return std::nullopt;
    return lease;
}

std::optional<std::string> from_hex(std::string_view digits) {
    if (digits.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const auto high = digit_value(digits[i]);
        const auto low = digit_value(digits[i + 1]);
        if (!high || !low) return std::nullopt;
        bytes += static_cast<char>(*high * 16 + *low);
    }
    return bytes;
}

}  // namespace defiance
