#include <unordered_set>

#include <defiance/base/assert.hpp>
#include <defiance/base/random_access_file.hpp>
#include <tools/maintenance/tasks.hpp>
#include <tools/posdb/position_database.hpp>
#include <tools/posdb/position_line.hpp>
#include <tools/store/embedded_store.hpp>
#include <tools/store/game_position.hpp>

namespace defiance {
namespace {

/// Positions whose newest value makes no sense.
class DamagedValues {
public:
    explicit DamagedValues(const GameRules& rules) : rules_(rules) {}

    void read(const PositionKey& key, std::string_view value) {
        if (!decode_sound(rules_, key, value))
            keys_.insert(key);
        else if (!keys_.empty())
            keys_.erase(key);
    }
    [[nodiscard]] std::size_t size() const { return keys_.size(); }

private:
    const GameRules& rules_;
    std::unordered_set<PositionKey, PositionKeyHash> keys_;
};

/// Shows what was found in a file; true when it is sound.
bool show_file(const std::string& name, const std::string& path, std::string_view what,
               const StoreVerification& found, std::size_t damaged_values) {
    const auto warning = found.report.warning(path);
    if (warning) print_note(*warning);
    if (damaged_values > 0)
        print_note(name + ": " + std::to_string(damaged_values) + " positions have a value that " +
                   "makes no sense");
    const bool is_sound = !warning && damaged_values == 0;
    print_line(name + " records " + std::to_string(found.report.records) + ' ' + std::string(what) +
               ' ' + std::to_string(found.positions) + " bytes " +
               std::to_string(found.report.bytes) + (is_sound ? " sound" : " DAMAGED"));
    return is_sound;
}

/// False when the file is damaged.
bool verify_game(const GameCore& core, const std::string& folder) {
    const StoreGame game = store_game_of(core.rules);
    const std::string name(name_of(game));
    const std::string path = EmbeddedStore::path_in(folder, game);
    std::uint64_t size = 0;
    if (const auto file = RandomAccessFile::open(path)) size = file->size();
    TaskProgress progress(name + ": MB", size, megabyte);
    DamagedValues damaged(core.rules);
    const auto found = verify_positions(
        folder, game,
        [&](const PositionKey& key, std::string_view value, std::uint64_t bytes_read) {
            damaged.read(key, value);
            progress.note(bytes_read);
        });
    if (!found) {
        print_note(found.error());
        return false;
    }
    if (!*found) return true;
    DEFIANCE_ASSERT((*found)->positions >= damaged.size());
    return show_file(name, path, "positions", **found, damaged.size());
}

}  // namespace

ExitCode verify_store(const Arguments& arguments) {
    const auto games = store_games_given(arguments);
    if (!games) return fail(games.error());
    const auto folder = store_folder_given(arguments);
    if (!folder) return fail("store verify: " + folder.error());
    // What another program is just writing would look like damage.
    const auto lock = EmbeddedStore::hold(*folder);
    if (!lock) return fail("store verify: " + lock.error());
    bool is_sound = true;
    for (const GameCore* core : *games)
        is_sound &= verify_game(*core, *folder);
    if (!arguments.has("game")) {
        const auto queue = verify_queue(*folder);
        if (!queue) print_note(queue.error());
        is_sound &= queue.operator bool();
        if (queue && *queue)
            is_sound &=
                show_file("queue", EmbeddedStore::queue_path_in(*folder), "tasks", **queue, 0);
    }
    return is_sound ? exit_done : exit_no;
}

}  // namespace defiance
