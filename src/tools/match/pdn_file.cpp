#include <tools/match/pdn_file.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/pdn.hpp>
#include <tools/support/other_file.hpp>
#include <tools/support/text_file.hpp>

namespace defiance {
namespace {

std::size_t games_in(std::string_view pdn) {
    PdnReader reader(pdn);
    std::size_t count = 0;
    while (reader.next())
        ++count;
    return count;
}

/// Bytes of the square that the text begins with, as 7, 32 or c3; 0 when there is none.
std::size_t length_of_square(std::string_view text) {
    const auto is_digit_at = [&](std::size_t at) { return at < text.size() && is_digit(text[at]); };
    if (text.empty() || text[0] == '0' || !is_digit_at(is_digit(text[0]) ? 0 : 1)) return 0;
    if (!is_digit(text[0]))
        return std::string_view("abcdefghABCDEFGH").find(text[0]) != std::string_view::npos ? 2 : 0;
    return is_digit_at(1) ? 2 : 1;
}

/// Whether the word is squares, at least two, with signs of a move between them. No date is such a
/// word, and no number.
bool looks_like_move(std::string_view word) {
    constexpr std::string_view signs = "-.xX:\xE2\x80\x93";
    std::size_t squares = 0;
    while (const std::size_t length = length_of_square(word)) {
        ++squares;
        const bool has_letter = !is_digit(word[0]);
        word.remove_prefix(length);
        if (word.empty()) return squares >= 2;
        const std::size_t next = std::min(word.find_first_not_of(signs), word.size());
        if (next == 0 && !has_letter) return false;
        word.remove_prefix(next);
    }
    return false;
}

/// Whether a tag of this text has its value in quotation marks, as those of games have.
bool is_quoted(std::string_view text, const PdnTag& tag) {
    const auto name_end = static_cast<std::size_t>(tag.name.data() - text.data()) + tag.name.size();
    return trimmed(text.substr(name_end)).starts_with('"');
}

/// Whether a file that begins like this may hold games. There may be a title before the first tag.
bool may_be_pdn(std::string_view begin) {
    if (!is_text(begin)) return false;
    PdnReader reader(begin);
    bool has_words = false;
    while (const auto game = reader.next()) {
        if (std::any_of(game->tags.begin(), game->tags.end(),
                        [&](const PdnTag& tag) { return is_quoted(begin, tag); }) ||
            std::any_of(game->moves.begin(), game->moves.end(),
                        [](const PdnMove& move) { return looks_like_move(move.text); }))
            return true;
        has_words |= !game->tags.empty() || !game->moves.empty();
    }
    return !has_words;
}

}  // namespace

Result<PdnFile> PdnFile::open(const std::string& path, std::optional<std::uint64_t> known_bytes) {
    PdnFile pdn;
    if (path.empty()) return pdn;
    // Before a file that is gone is made anew.
    const Result<std::uint64_t> size = size_of(path);
    if (!size) return Error{size.error()};
    if (known_bytes && *size < *known_bytes)
        return file_error(
            path, std::string(file_exists(path) ? "lacks games" : "is gone, with games") +
                      " that the state tells of; put it back, or begin anew without the state");
    if (!known_bytes)
        if (const auto error = find_other_kind(path)) return *error;
    Result<AppendFile> file = AppendFile::open(path);
    if (!file) return Error{file.error()};
    pdn.path_ = path;
    pdn.known_bytes_ = known_bytes.value_or(0);
    pdn.file_.emplace(*std::move(file));
    const Result<std::string> text = read_file(path);
    if (!text) return Error{text.error()};
    const std::string_view all = *text;
    const std::string_view own =
        all.substr(0, static_cast<std::size_t>(known_bytes.value_or(all.size())));
    pdn.lacks_line_end_ = !own.empty() && own.back() != '\n';
    pdn.games_ = games_in(all);
    if (own.size() == all.size()) return pdn;
    const std::string_view rest = all.substr(own.size());
    if (games_in(rest) > 1) return pdn.foreign_games();
    pdn.games_ = games_in(own);
    pdn.rest_ = rest;
    return pdn;
}

std::optional<Error> PdnFile::find_other_kind(const std::string& path) {
    return find_other_file(path, may_be_pdn, Writing::behind);
}

std::optional<Error> PdnFile::cut_rest() {
    if (rest_.empty()) return std::nullopt;
    DEFIANCE_ASSERT(file_.has_value());
    if (bytes() != known_bytes_ + rest_.size()) return foreign_games();
    if (!file_->cut(known_bytes_))
        return Error{"the file '" + shown(path_, 200) + "' cannot be cut to its finished games"};
    DEFIANCE_ASSERT(bytes() == known_bytes_);
    rest_.clear();
    return std::nullopt;
}

Error PdnFile::foreign_games() const {
    // Whoever takes these out leaves the state as true as it was.
    return file_error(path_, "holds games that came after those of this match, which end at byte " +
                                 std::to_string(known_bytes_) +
                                 "; move the others elsewhere, or begin anew without the state");
}

Result<std::uint64_t> PdnFile::size_of(const std::string& path) {
    if (path.empty() || !file_exists(path)) return std::uint64_t{0};
    const Result<AppendFile> file = AppendFile::open(path);
    if (!file) return Error{file.error()};
    const std::optional<std::uint64_t> bytes = file->size();
    // Not taken for an empty file, whose games would be cut off later.
    if (!bytes) return file_error(path, "does not tell its size");
    return *bytes;
}

bool PdnFile::add(const std::string& game) {
    DEFIANCE_ASSERT(!game.empty() && rest_.empty());
    ++games_;
    const std::string before = std::exchange(lacks_line_end_, false) ? "\n" : "";
    return !file_ || file_->append(before + game + '\n');
}

std::string PdnFile::place() const {
    return file_ ? path_ + '#' + std::to_string(games_) : "-";
}

}  // namespace defiance
