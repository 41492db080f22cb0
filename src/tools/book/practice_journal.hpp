#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/base/result.hpp>
#include <defiance/rules/game_rules.hpp>
#include <tools/book/book_experience.hpp>

namespace defiance {

/// The lines that were played, in a file: what is practised, then a line of text for each, with its
/// number before it. A part of one at the end is cut off when the file is opened.
class PracticeJournal {
public:
    /// Opens the file or makes it, for so many lines; those of longer practice are left alone.
    /// `order` is a line that says what is practised. Error: the file cannot be used, is of other
    /// practice, or is damaged; it stays as it is.
    static Result<PracticeJournal> open(const GameRules& rules, const std::string& path,
                                        const std::string& order, std::size_t lines);

    /// The line with this number, less than `lines`, if it was played.
    [[nodiscard]] const std::optional<PracticeLine>& line(std::size_t number) const {
        return lines_[number];
    }

    /// Adds the line with this number. Error: the file cannot be written.
    [[nodiscard]] std::optional<Error> add(const GameRules& rules, std::size_t number,
                                           PracticeLine line);

private:
    PracticeJournal(LockFile lock, AppendFile file, std::string path, std::size_t lines)
        : lock_(std::move(lock)), file_(std::move(file)), path_(std::move(path)), lines_(lines) {}

    [[nodiscard]] std::optional<Error> read(const GameRules& rules, std::string_view text);

    LockFile lock_;
    AppendFile file_;
    std::string path_;
    std::vector<std::optional<PracticeLine>> lines_;
};

}  // namespace defiance
