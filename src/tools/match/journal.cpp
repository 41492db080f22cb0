#include <tools/match/journal.hpp>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

constexpr std::string_view header = "defiance-match 1";
constexpr double largest_figure = 1e12;

std::string text_of(const PlayerFigures& f) {
    std::string text;
    for (const std::int64_t number :
         {f.moves, f.measured_moves, f.moves_with_depth, f.moves_with_speed})
        text += ' ' + std::to_string(number);
    for (const double number :
         {f.seconds, f.longest, f.overhead, f.sum_of_depths, f.sum_of_speeds, f.overrun})
        text += ' ' + fixed(number, 6);
    return text;
}

bool take_figures(std::string_view& words, PlayerFigures& f) {
    for (std::int64_t* number :
         {&f.moves, &f.measured_moves, &f.moves_with_depth, &f.moves_with_speed}) {
        const auto value = parse_integer(take_word(words), 0, INT64_MAX);
        if (!value) return false;
        *number = *value;
    }
    for (double* number :
         {&f.seconds, &f.longest, &f.overhead, &f.sum_of_depths, &f.sum_of_speeds, &f.overrun}) {
        const auto value = parse_decimal(take_word(words), largest_figure);
        if (!value) return false;
        *number = *value;
    }
    return true;
}

std::string line_of(const JournalEntry& entry) {
    DEFIANCE_ASSERT(entry.record.first_halves >= 0 && entry.record.first_halves <= 2);
    const GameRecord& record = entry.record;
    DEFIANCE_ASSERT(entry.number >= 1 && record.ending != Ending::aborted);
    return "game " + std::to_string(entry.number) + ' ' + std::to_string(record.first_halves) +
           ' ' + std::string(code_of(record.ending)) + ' ' + std::to_string(record.plies) + ' ' +
           std::to_string(entry.pdn_bytes) + text_of(record.first) + text_of(record.second) + ' ' +
           std::to_string(record.moves_hash) + " end\n";
}

std::optional<JournalEntry> parse_line(std::string_view line) {
    if (take_word(line) != "game") return std::nullopt;
    const auto number = parse_integer(take_word(line), 1, INT32_MAX);
    const auto halves = parse_integer(take_word(line), 0, 2);
    const auto ending = parse_ending(take_word(line));
    const auto plies = parse_integer(take_word(line), 0, INT32_MAX);
    const auto bytes = parse_integer(take_word(line), 0, INT64_MAX);
    JournalEntry entry;
    if (!number || !halves || !ending || !plies || !bytes ||
        !take_figures(line, entry.record.first) || !take_figures(line, entry.record.second))
        return std::nullopt;
    // Older files do not have this hash.
    if (line != "end") {
        const auto hash = parse_integer(take_word(line), 0, INT64_MAX);
        if (!hash || line != "end") return std::nullopt;
        entry.record.moves_hash = static_cast<std::uint64_t>(*hash);
    }
    DEFIANCE_ASSERT(*number >= 1 && *halves <= 2);
    entry.number = static_cast<std::size_t>(*number);
    entry.record.first_halves = static_cast<int>(*halves);
    entry.record.ending = *ending;
    entry.record.plies = static_cast<std::size_t>(*plies);
    entry.pdn_bytes = static_cast<std::uint64_t>(*bytes);
    return entry;
}

std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

/// Whether the line is that of the settings with a number of games at this place.
bool has_only_games_besides(std::string_view line, std::string_view settings, std::size_t place) {
    DEFIANCE_ASSERT(place <= settings.size());
    const std::string before = std::string(settings.substr(0, place)) + " --games ";
    const std::string_view behind = settings.substr(place);
    if (!line.starts_with(before)) return false;
    line.remove_prefix(before.size());
    if (!line.ends_with(behind)) return false;
    line.remove_suffix(behind.size());
    return parse_integer(line, 1, INT64_MAX).has_value();
}

/// The content of the file; empty when there is none. Error: it cannot be read, or is no journal
/// that begins with this line, as far as it goes.
Result<std::string> read_content(const std::string& path, std::string_view first_line) {
    if (!file_exists(path)) return std::string();
    Result<std::string> content = read_file(path);
    if (!content) return content;
    const bool is_journal = content->find('\n') == std::string::npos
                                ? first_line.starts_with(*content)
                                : content->starts_with(header);
    if (!is_journal) return Error{"'" + shown(path, 200) + "' is not the state of a match"};
    return content;
}

}  // namespace

Result<Journal> Journal::open(const std::string& path, const std::string& settings,
                              std::uint64_t pdn_bytes, std::optional<std::size_t> games_place) {
    const std::string first_line =
        std::string(header) + ' ' + std::to_string(pdn_bytes) + ' ' + settings + '\n';
    // Before the lock, so that no lock file is left beside a file of somebody else, and after it,
    // because only then the file stays as it is.
    if (const auto content = read_content(path, first_line); !content)
        return Error{content.error()};
    Result<LockFile> lock = LockFile::hold(path + ".lock");
    if (!lock) return Error{lock.error()};
    Journal journal;
    journal.lock_.emplace(*std::move(lock));
    const Result<std::string> content = read_content(path, first_line);
    if (!content) return Error{content.error()};
    // An incomplete last line does not count.
    const std::size_t whole = content->rfind('\n') + 1;
    DEFIANCE_ASSERT(whole <= content->size());
    const bool is_new = whole == 0;
    journal.pdn_bytes_ = pdn_bytes;
    if (!is_new) {
        const std::string_view lines = std::string_view(*content).substr(0, whole);
        if (const auto problem = journal.read(lines, settings, games_place))
            return Error{"'" + shown(path, 200) + "' " + problem->text};
    }
    Result<AppendFile> file = AppendFile::open(path);
    if (!file) return Error{file.error()};
    journal.file_.emplace(*std::move(file));
    const bool is_written =
        journal.file_->cut(whole) && (!is_new || journal.file_->append(first_line));
    if (!is_written) return Error{"'" + shown(path, 200) + "' cannot be written"};
    journal.is_resumed_ = !is_new;
    return journal;
}

/// Error: what is wrong with the file.
std::optional<Error> Journal::read(std::string_view text, const std::string& settings,
                                   std::optional<std::size_t> games_place) {
    std::string_view first = take_line(text);
    if (!first.starts_with(header)) return Error{"is not the state of a match"};
    first.remove_prefix(header.size());
    pdn_bytes_ =
        static_cast<std::uint64_t>(parse_integer(take_word(first), 0, INT64_MAX).value_or(0));
    if (first != settings &&
        !(games_place && has_only_games_besides(first, settings, *games_place)))
        return Error{"is the state of a match with other settings or programs: " +
                     shown(first, 500)};
    for (std::size_t number = 2; !text.empty(); ++number) {
        const auto entry = parse_line(take_line(text));
        if (!entry || !entries_.emplace(entry->number, *entry).second)
            return Error{"is damaged in line " + std::to_string(number)};
        pdn_bytes_ = entry->pdn_bytes;
    }
    return std::nullopt;
}

bool Journal::add(const JournalEntry& entry) {
    return !file_ || (file_->append(line_of(entry)) && file_->sync());
}

}  // namespace defiance
