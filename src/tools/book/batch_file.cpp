#include <tools/book/batch_file.hpp>

#include <string_view>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

constexpr std::string_view no_parent = "-";

/// A position to search; nothing when the line is none.
std::optional<ExpansionLeaf> read_leaf(const GameRules& rules, std::string_view line) {
    const Result<Position> position = read_position(rules, take_word(line));
    const auto ply = parse_integer(take_word(line), 0, KnownPosition::max_ply_from_start);
    if (!position || !ply || rules.count_moves(*position) == 0) return std::nullopt;
    ExpansionLeaf leaf{*position, static_cast<std::uint8_t>(*ply), std::nullopt};
    const std::string_view parent = take_word(line);
    if (parent == no_parent) return leaf;
    const Result<Position> from = read_position(rules, parent);
    if (!from) return std::nullopt;
    leaf.parent = *from;
    return leaf;
}

}  // namespace

std::optional<Error> write_batch(const GameRules& rules, const std::string& path,
                                 const std::vector<ExpansionLeaf>& batch) {
    DEFIANCE_ASSERT(!batch.empty());
    std::string text;
    for (const ExpansionLeaf& leaf : batch)
        text += to_fen(rules, leaf.position) + ' ' + std::to_string(leaf.ply) + ' ' +
                (leaf.parent ? to_fen(rules, *leaf.parent) : std::string(no_parent)) + '\n';
    return write_file(path, text);
}

Result<std::vector<ExpansionLeaf>> read_batch(const GameRules& rules, const std::string& path) {
    constexpr std::size_t max_bytes = std::size_t{16} << 20;
    std::vector<ExpansionLeaf> batch;
    if (!file_exists(path)) return batch;
    const Result<std::string> content = read_file(path, max_bytes);
    if (!content) return Error{content.error()};
    std::string_view text = *content;
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::size_t end = text.find('\n');
        const auto leaf = read_leaf(rules, text.substr(0, end));
        if (!leaf)
            return file_error(path, "is damaged in line " + std::to_string(line) +
                                        "; without it the run chooses anew what to search");
        batch.push_back(*leaf);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    return batch;
}

}  // namespace defiance
