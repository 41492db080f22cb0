#include <tools/book/practice_journal.hpp>

#include <cstdint>

#include <defiance/base/text.hpp>
#include <tools/book/practice_text.hpp>

namespace defiance {
namespace {

constexpr std::string_view header = "defiance-practice 1 ";

}  // namespace

Result<PracticeJournal> PracticeJournal::open(const GameRules& rules, const std::string& path,
                                              const std::string& order, std::size_t lines) {
    Result<LockFile> lock = LockFile::hold(path + ".lock");
    if (!lock) return Error{lock.error()};
    std::string content;
    if (file_exists(path)) {
        Result<std::string> read = read_file(path);
        if (!read) return Error{read.error()};
        content = *std::move(read);
    }
    const std::string first = std::string(header) + order + '\n';
    const std::size_t whole = content.rfind('\n') + 1;
    if (first.compare(0, content.size(), content, 0, first.size()) != 0)
        return file_error(path, content.starts_with(header)
                                    ? "holds practice with other settings or another book"
                                    : "is another file");
    Result<AppendFile> opened = AppendFile::open(path);
    if (!opened) return Error{opened.error()};
    AppendFile file = *std::move(opened);
    if (!file.cut(whole) || (whole == 0 && !file.append(first)))
        return file_error(path, "cannot be written");
    PracticeJournal journal(*std::move(lock), std::move(file), path, lines);
    if (whole > first.size())
        if (const auto error = journal.read(
                rules, std::string_view(content).substr(first.size(), whole - first.size())))
            return *error;
    return journal;
}

std::optional<Error> PracticeJournal::read(const GameRules& rules, std::string_view text) {
    for (std::size_t row = 2; !text.empty(); ++row) {
        const std::size_t end = text.find('\n');
        std::string_view rest = text.substr(0, end);
        text.remove_prefix(end + 1);
        const auto number = parse_integer(take_word(rest), 0, INT32_MAX);
        const Result<PracticeLine> line = read_practice_line(rules, rest);
        if (!number || !line) return file_error(path_, "is damaged in line " + std::to_string(row));
        // A run with more rounds may have been there before.
        const auto place = static_cast<std::size_t>(*number);
        if (place < lines_.size()) lines_[place] = *line;
    }
    return std::nullopt;
}

std::optional<Error> PracticeJournal::add(const GameRules& rules, std::size_t number,
                                          PracticeLine line) {
    if (!file_.append(std::to_string(number) + ' ' + practice_text(rules, line) + '\n'))
        return file_error(path_, "cannot be written");
    lines_[number] = std::move(line);
    return std::nullopt;
}

}  // namespace defiance
