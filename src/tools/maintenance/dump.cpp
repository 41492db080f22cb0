#include <cstdio>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <tools/maintenance/position_dump.hpp>
#include <tools/maintenance/tasks.hpp>
#include <tools/posdb/write_token.hpp>
#include <tools/store/embedded_store.hpp>
#include <tools/store/position_store.hpp>
#include <tools/support/same_file.hpp>

namespace defiance {
namespace {

/// Text on its way to a file, which appears when all is written, or to standard output.
class TextOutput {
public:
    /// `path` is empty for standard output.
    static Result<TextOutput> open(const std::string& path) {
        TextOutput output(path);
        if (path.empty()) return output;
        Result<AppendFile> file = AppendFile::create_part(path, output.part_);
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

    /// Puts the file in its place. When only that fails, the text stays where it is.
    [[nodiscard]] std::optional<Error> finish() {
        if (!flush() || (file_ && !file_->sync())) {
            give_up();
            return Error{"the text cannot be written"};
        }
        if (!file_) return std::nullopt;
        // Windows renames no file that is open.
        file_.reset();
        auto problem = move_into_place(part_, path_);
        if (problem && file_exists(part_)) problem->text += "; it has all of the text";
        return problem;
    }
    void give_up() {
        if (path_.empty()) return;
        file_.reset();
        remove_file(part_);
    }

private:
    explicit TextOutput(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] bool flush() {
        const std::string text = std::exchange(buffer_, {});
        if (file_) return file_->append(text);
        return std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    }

    std::string path_;
    std::string part_;  ///< the name of the file until all is written
    std::optional<AppendFile> file_;
    std::string buffer_;
};

/// Why a dump of the store at this place cannot go to the file; nothing when it can.
std::optional<Error> check_dump_output(const std::string& path, const std::string& place) {
    // Also of another store: no dump has such a name by intention.
    const std::string name = lower_case(path);
    if (name.ends_with(".ckdb") || name.ends_with(".ckdb.new"))
        return Error{"--out: '" + shown(path, 200) + "' has the name of a file of a store"};
    if (path.empty() || is_server(place)) return std::nullopt;
    const std::string folder = folder_of(EmbeddedStore::path_in(place, StoreGame::english));
    std::vector<std::string> files = {"queue.ckdb", "lock", std::string(secret_file_name)};
    for (const std::string_view game : store_game_names)
        for (const char* const extension : {".ckdb", ".journal", ".batch"})
            files.push_back(std::string(game) + extension);
    for (const std::string& file : files)
        if (is_same_file(path, folder + file))
            return Error{"--out: '" + shown(path, 200) + "' is a file of the store"};
    return std::nullopt;
}

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
    const std::string path(arguments.text("out").value_or(""));
    if (const auto error = check_dump_output(path, *place))
        return fail("store dump: " + error->text);
    const auto store = open_store_at(*place);
    if (!store) return fail("store dump: " + store.error());
    Result<TextOutput> opened = TextOutput::open(path);
    if (!opened) return fail("store dump: " + opened.error());
    TextOutput output = *std::move(opened);
    catch_interrupts();
    const auto counts = dump_games(*games, **store, output);
    if (!counts) {
        output.give_up();
        if (!is_interrupted()) return fail("store dump: " + counts.error());
        print_note("stopped");
        return exit_no;
    }
    if (const auto error = output.finish()) return fail("store dump: " + error->text);
    if (!path.empty()) print_line("positions " + std::to_string(counts->positions));
    return counts->damaged == 0 ? exit_done : exit_no;
}

}  // namespace defiance
