#include <cstdio>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/file.hpp>
#include <tools/maintenance/position_dump.hpp>
#include <tools/maintenance/tasks.hpp>

namespace defiance {
namespace {

/// Text on its way to a file, which appears when all is written, or to standard output.
class TextOutput {
public:
    /// `path` is empty for standard output.
    static Result<TextOutput> open(const std::string& path) {
        TextOutput output(path);
        if (path.empty()) return output;
        remove_file(output.part());
        Result<AppendFile> file = AppendFile::open(output.part());
        if (!file) return Error{file.error()};
        output.file_.emplace(*std::move(file));
        return output;
    }

    [[nodiscard]] bool write(std::string_view line) {
        constexpr std::size_t enough = std::size_t{1} << 16;
        buffer_ += line;
        buffer_ += '\n';
        return buffer_.size() < enough || flush();
    }

    /// Puts the file in its place. False when that is not possible.
    [[nodiscard]] bool finish() {
        if (!flush() || (file_ && !file_->sync())) return false;
        if (!file_) return true;
        // Windows renames no file that is open.
        file_.reset();
        return rename_file(part(), path_);
    }
    void give_up() {
        if (path_.empty()) return;
        file_.reset();
        remove_file(part());
    }

private:
    explicit TextOutput(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] std::string part() const { return path_ + ".new"; }
    [[nodiscard]] bool flush() {
        const std::string text = std::exchange(buffer_, {});
        if (file_) return file_->append(text);
        return std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    }

    std::string path_;
    std::optional<AppendFile> file_;
    std::string buffer_;
};

/// Writes all games. Error: as dump_positions().
Result<DumpCounts> dump_games(const std::vector<const GameCore*>& games, PositionStore& store,
                              TextOutput& output) {
    DumpCounts sum;
    for (const GameCore* core : games) {
        const std::string name(core->rules.file_word);
        std::optional<TaskProgress> progress;
        const auto counts = dump_positions(
            *core, store, [&](std::string_view line) { return output.write(line); },
            [&](std::uint64_t done, std::uint64_t all) {
                // Each position is looked at twice.
                if (!progress) progress.emplace(name + ": positions", all / 2, 1);
                progress->note(done / 2);
                return !is_interrupted();
            });
        if (!counts) return counts;
        sum.positions += counts->positions;
        sum.damaged += counts->damaged;
        if (counts->damaged != 0)
            print_note(name + ": " + std::to_string(counts->damaged) +
                       " positions are damaged and left out");
    }
    return sum;
}

}  // namespace

ExitCode dump_store(const Arguments& arguments) {
    const auto games = store_games_given(arguments);
    if (!games) return fail(games.error());
    const auto place = store_place_given(arguments);
    if (!place) return fail("store dump: " + place.error());
    if (const auto error = find_no_store(*place)) return fail("store dump: " + error->text);
    const auto store = open_store_at(*place);
    if (!store) return fail("store dump: " + store.error());
    const std::string path(arguments.text("out").value_or(""));
    Result<TextOutput> opened = TextOutput::open(path);
    if (!opened) return fail("store dump: " + opened.error());
    TextOutput output = *std::move(opened);
    catch_interrupts();
    const auto counts = dump_games(*games, **store, output);
    if (!counts || !output.finish()) {
        output.give_up();
        if (counts) return fail("store dump: the text cannot be written");
        if (!is_interrupted()) return fail("store dump: " + counts.error());
        print_note("stopped");
        return exit_no;
    }
    if (!path.empty()) print_line("positions " + std::to_string(counts->positions));
    return counts->damaged == 0 ? exit_done : exit_no;
}

}  // namespace defiance
