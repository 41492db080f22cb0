#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <tools/maintenance/tasks.hpp>
#include <tools/store/embedded_store.hpp>
#include <tools/store/grouped_store.hpp>
#include <tools/support/games.hpp>

namespace defiance {

Result<std::string> store_place_given(const Arguments& arguments) {
    const std::string folder(arguments.text("dir").value_or(""));
    const std::string server(arguments.text("store").value_or(""));
    if (folder.empty() && server.empty()) return Error{"one of --dir and --store is needed"};
    if (server.empty()) return folder;
    if (!folder.empty()) return Error{"only one of --dir and --store can be given"};
    if (auto error = find_no_server(server)) return *std::move(error);
    return server;
}

Result<std::string> store_folder_given(const Arguments& arguments) {
    Result<std::string> place = store_place_given(arguments);
    if (!place) return place;
    if (is_server(*place)) return Error{"a server keeps its own files; this goes with a folder"};
    if (auto error = find_no_store(*place)) return *error;
    return place;
}

Result<std::vector<const GameCore*>> store_games_given(const Arguments& arguments) {
    if (!arguments.has("game")) return std::vector(built_games().begin(), built_games().end());
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return Error{core.error()};
    return std::vector{*core};
}

std::optional<Error> find_no_store(const std::string& place) {
    if (is_server(place)) return std::nullopt;
    for (std::size_t i = 0; i < store_game_names.size(); ++i)
        if (file_exists(EmbeddedStore::path_in(place, static_cast<StoreGame>(i))))
            return std::nullopt;
    return Error{"there is no store in the folder '" + shown(place, 200) + "'"};
}

Result<std::unique_ptr<PositionStore>> open_store_at(const std::string& place) {
    auto store =
        open_store(place, [](const std::string& line) { print_note("defiance: " + line); });
    if (!store || is_server(place)) return store;
    // A book that was killed while it was made may have left updates beside the files. They must
    // not come after what is stored here.
    if (auto error = make_up_for_journals(**store, place)) return *std::move(error);
    return store;
}

void TaskProgress::note(std::uint64_t done) {
    const double seconds = stopwatch_.seconds();
    if (seconds < next_ || done == 0) return;
    next_ = seconds + 5;
    const int decimals = unit_ > 1 ? 1 : 0;
    const auto shown_number = [&](std::uint64_t number) {
        return fixed(static_cast<double>(number) / unit_, decimals);
    };
    const double rate = static_cast<double>(done) / seconds;
    std::string line = what_ + ' ' + shown_number(done);
    if (all_ != 0) line += " of " + shown_number(all_);
    line += ", " + fixed(rate / unit_, decimals) + " a second";
    if (done < all_) line += ", " + fixed(static_cast<double>(all_ - done) / rate, 0) + " s left";
    print_note(line);
}

}  // namespace defiance
