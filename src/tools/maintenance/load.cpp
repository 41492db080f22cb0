#include <defiance/base/assert.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/text.hpp>
#include <tools/maintenance/position_dump.hpp>
#include <tools/maintenance/tasks.hpp>
#include <tools/posdb/position_database.hpp>
#include <tools/posdb/position_line.hpp>
#include <tools/store/embedded_store.hpp>
#include <tools/support/same_file.hpp>

namespace defiance {
namespace {

/// Faults beyond these are counted only.
constexpr std::uint64_t max_faults_shown = 1000;

ExitCode tell_stopped() {
    print_note("stopped; the same command goes on from here");
    return exit_no;
}

/// Carries scores up and tells what was done.
ExitCode finish_addition(StoreAddition& addition, std::string_view task, std::uint64_t faults,
                         std::string_view fault_word) {
    TaskProgress progress("scores carried up: positions", addition.added());
    const auto done = addition.finish([&](std::uint64_t positions, std::uint64_t) {
        progress.note(positions);
        return !is_interrupted();
    });
    if (!done) return fail("store " + std::string(task) + ": " + done.error());
    if (!*done) return tell_stopped();
    print_line("positions " + std::to_string(addition.added()) + " new or changed " +
               std::to_string(addition.changed()) + ' ' + std::string(fault_word) + ' ' +
               std::to_string(faults));
    return faults == 0 ? exit_done : exit_no;
}

/// Reads files one after the other. False when the user has stopped it.
Result<bool> read_dumps(std::vector<LineSource>& sources, std::span<const std::string_view> names,
                        DumpReader& reader, std::uint64_t& faults) {
    DEFIANCE_ASSERT(sources.size() == names.size());
    std::uint64_t size = 0;
    std::uint64_t before = 0;
    for (const LineSource& source : sources)
        size += source.size();
    TaskProgress progress("read: MB", size, megabyte);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const auto fault = [&](std::uint64_t line, const std::string& problem) {
            if (++faults <= max_faults_shown)
                print_note(std::string(names[i]) + ": line " + std::to_string(line) + ": " +
                           problem);
            if (faults == max_faults_shown) print_note("further faulty lines are counted only");
        };
        const auto done = reader.read(sources[i], fault, [&](std::uint64_t bytes, std::uint64_t) {
            progress.note(before + bytes);
            return !is_interrupted();
        });
        if (!done || !*done) return done;
        before += sources[i].bytes_read();
    }
    return true;
}

/// Adds all positions of a game in another store. False when the user has stopped it.
Result<bool> merge_game(const GameCore& core, PositionStore& source, StoreAddition& addition,
                        std::uint64_t& damaged) {
    const auto all = source.count(store_game_of(core.rules));
    if (!all) return Error{all.error()};
    TaskProgress progress(std::string(core.rules.file_word) + ": positions", *all);
    std::uint64_t done = 0;
    std::optional<Error> problem;
    const auto error = source.for_each(
        store_game_of(core.rules), [&](const PositionKey& key, const StoredValue& value) {
            progress.note(++done);
            if (const auto known = decode_sound(core.rules, key, value.bytes))
                problem = addition.of(core).add(key, *known);
            else
                ++damaged;
            return !problem && !is_interrupted();
        });
    if (error) return *error;
    if (problem) return *problem;
    return !is_interrupted();
}

/// Adds all positions of these games in another store. False when the user has stopped it.
Result<bool> merge_store(const std::string& name, const std::vector<const GameCore*>& games,
                         StoreAddition& addition, std::uint64_t& damaged) {
    const auto source = open_store_at(name);
    if (!source) return Error{source.error()};
    for (const GameCore* core : games) {
        const auto done = merge_game(*core, **source, addition, damaged);
        if (!done || !*done) return done;
    }
    return true;
}

/// True when two places are one folder with a store.
bool are_one_folder(const std::string& a, const std::string& b) {
    if (is_server(a) || is_server(b)) return false;
    constexpr StoreGame any_game = StoreGame::english;
    return is_same_file(EmbeddedStore::path_in(a, any_game), EmbeddedStore::path_in(b, any_game));
}

/// Why positions cannot be taken from the store that is named; nothing when they can.
std::optional<Error> find_no_source(const std::string& name, const std::string& place) {
    if (auto error = find_no_store(name)) return error;
    // Its lock would be said to be held by another program.
    if (are_one_folder(name, place))
        return Error{"the store in '" + shown(name, 200) + "' cannot be merged with itself"};
    return std::nullopt;
}

}  // namespace

ExitCode load_store(const Arguments& arguments) {
    const auto games = store_games_given(arguments);
    if (!games) return fail(games.error());
    const auto place = store_place_given(arguments);
    if (!place) return fail("store load: " + place.error());
    const auto names = std::span(arguments.positionals()).subspan(1);
    if (names.empty()) return fail("store load: no file is named");
    std::vector<LineSource> sources;
    for (const std::string_view name : names) {
        Result<LineSource> source = LineSource::open(std::string(name), max_position_line);
        if (!source) return fail("store load: " + source.error());
        sources.push_back(*std::move(source));
    }
    const auto store = open_store_at(*place);
    if (!store) return fail("store load: " + store.error());
    catch_interrupts();
    StoreAddition addition(**store);
    DumpReader reader(addition, arguments.has("game") ? games->front() : nullptr);
    std::uint64_t faults = 0;
    const auto done = read_dumps(sources, names, reader, faults);
    if (!done) return fail("store load: " + done.error());
    if (!*done) return tell_stopped();
    return finish_addition(addition, "load", faults, "faulty lines");
}

ExitCode merge_stores(const Arguments& arguments) {
    const auto games = store_games_given(arguments);
    if (!games) return fail(games.error());
    const auto place = store_place_given(arguments);
    if (!place) return fail("store merge: " + place.error());
    const auto names = std::span(arguments.positionals()).subspan(1);
    if (names.empty()) return fail("store merge: no store to take positions from is named");
    for (const std::string_view name : names)
        if (const auto error = find_no_source(std::string(name), *place))
            return fail("store merge: " + error->text);
    const auto store = open_store_at(*place);
    if (!store) return fail("store merge: " + store.error());
    catch_interrupts();
    StoreAddition addition(**store);
    std::uint64_t damaged = 0;
    for (const std::string_view name : names) {
        const auto done = merge_store(std::string(name), *games, addition, damaged);
        if (!done) return fail("store merge: " + done.error());
        if (!*done) return tell_stopped();
    }
    return finish_addition(addition, "merge", damaged, "damaged");
}

}  // namespace defiance
