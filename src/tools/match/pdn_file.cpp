#include <tools/match/pdn_file.hpp>

#include <string_view>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/pdn.hpp>

namespace defiance {
namespace {

std::size_t games_in(std::string_view pdn) {
    PdnReader reader(pdn);
    std::size_t count = 0;
    while (reader.next())
        ++count;
    return count;
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
    Result<AppendFile> file = AppendFile::open(path);
    if (!file) return Error{file.error()};
    pdn.path_ = path;
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
    pdn.known_bytes_ = *known_bytes;
    pdn.rest_ = rest;
    return pdn;
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
    return Error{"the file '" + shown(path_, 200) +
                 "' holds games that came after those of this match; give another file"};
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
