#include <defiance/base/assert.hpp>
#include <defiance/base/console.hpp>
#include <tools/maintenance/tasks.hpp>
#include <tools/posdb/position_database.hpp>
#include <tools/store/embedded_store.hpp>

namespace defiance {

ExitCode compact_store(const Arguments& arguments) {
    const auto games = store_games_given(arguments);
    if (!games) return fail(games.error());
    const auto folder = store_folder_given(arguments);
    if (!folder) return fail("store compact: " + folder.error());
    const auto store = EmbeddedStore::open(
        *folder, [](const std::string& line) { print_note("defiance: " + line); });
    if (!store) return fail("store compact: " + store.error());
    catch_interrupts();
    for (const GameCore* core : *games) {
        const StoreGame game = store_game_of(core->rules);
        const auto all = (*store)->count(game);
        if (!all) return fail("store compact: " + all.error());
        if (*all == 0) continue;
        const std::string name(name_of(game));
        const std::uint64_t before = (*store)->file_size(game);
        TaskProgress progress(name + ": positions", *all);
        bool is_stopped = false;
        const auto error = (*store)->compact(game, [&](std::uint64_t done) {
            progress.note(done);
            is_stopped = is_interrupted();
            return !is_stopped;
        });
        // An error after an interruption that came too late is one of the files.
        if (error && is_stopped) {
            print_note("stopped; the file of " + name + " is as it was");
            return exit_no;
        }
        if (error) return fail("store compact: " + error->text);
        DEFIANCE_ASSERT((*store)->file_size(game) <= before);
        print_line(name + " positions " + std::to_string(*all) + " bytes before " +
                   std::to_string(before) + " after " + std::to_string((*store)->file_size(game)));
    }
    return exit_done;
}

}  // namespace defiance
