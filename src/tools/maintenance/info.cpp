#include <defiance/base/assert.hpp>
#include <tools/maintenance/tasks.hpp>
#include <tools/posdb/position_database.hpp>
#include <tools/posdb/position_line.hpp>
#include <tools/store/embedded_store.hpp>

namespace defiance {
namespace {

/// What a store has of a game.
struct GameContent {
    std::uint64_t positions = 0;
    std::uint64_t complete = 0;
    std::uint64_t moves = 0;
    std::uint64_t damaged = 0;
};

Result<GameContent> content_of(const GameCore& core, PositionStore& store) {
    const auto all = store.count(store_game_of(core.rules));
    if (!all) return Error{all.error()};
    TaskProgress progress(std::string(core.rules.file_word) + ": positions", *all);
    GameContent content;
    const auto error = store.for_each(
        store_game_of(core.rules), [&](const PositionKey& key, const StoredValue& value) {
            progress.note(++content.positions);
            const auto known = decode_sound(core.rules, key, value.bytes);
            if (!known) {
                ++content.damaged;
                return true;
            }
            const std::size_t legal = canonical_moves(core.rules, board_of(key)).size();
            DEFIANCE_ASSERT(known->moves.size() <= legal);
            content.moves += known->moves.size();
            content.complete += known->moves.size() == legal ? 1 : 0;
            return true;
        });
    if (error) return *error;
    return content;
}

}  // namespace

ExitCode describe_store(const Arguments& arguments) {
    const auto games = store_games_given(arguments);
    if (!games) return fail(games.error());
    const auto place = store_place_given(arguments);
    if (!place) return fail("store info: " + place.error());
    if (const auto error = find_no_store(*place)) return fail("store info: " + error->text);
    const auto store = open_store_at(*place);
    if (!store) return fail("store info: " + store.error());
    const auto* files = dynamic_cast<const EmbeddedStore*>(store->get());
    const auto tasks = (*store)->tasks_by_game();
    if (!tasks) return fail("store info: " + tasks.error());
    bool is_sound = true;
    for (const GameCore* core : *games) {
        const StoreGame game = store_game_of(core->rules);
        const auto content = content_of(*core, **store);
        if (!content) return fail("store info: " + content.error());
        const std::uint64_t queued = (*tasks)[static_cast<std::size_t>(game)];
        const bool is_empty = content->positions == 0 && queued == 0;
        if (is_empty && !arguments.has("game")) continue;
        print_line(std::string(name_of(game)) + " positions " + std::to_string(content->positions) +
                   " complete " + std::to_string(content->complete) + " moves " +
                   std::to_string(content->moves) + " queued " + std::to_string(queued) +
                   (files != nullptr ? " bytes " + std::to_string(files->file_size(game)) : ""));
        if (content->damaged == 0) continue;
        is_sound = false;
        print_note(std::string(name_of(game)) + ": " + std::to_string(content->damaged) +
                   " positions are damaged");
    }
    const auto queue = (*store)->queue_size();
    if (!queue) return fail("store info: " + queue.error());
    if (!arguments.has("game"))
        print_line("queue waiting " + std::to_string(queue->waiting) + " leased " +
                   std::to_string(queue->leased));
    return is_sound ? exit_done : exit_no;
}

}  // namespace defiance
