#include <defiance/engine/endgame_keeper.hpp>

#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/egdb/open_foreign.hpp>

namespace defiance {
namespace {

/// The folder that a user's text means, with a final separator; empty for an empty text.
std::string folder_meant(const std::string& text) {
    if (text.empty()) return {};
    const std::string path = is_absolute(text) ? text : folder_of(program_path()) + text;
    const char last = path.back();
    return last == '/' || last == '\\' ? path : path + path_separator;
}

EndgameSettings settings_for(const EndgameOptions& options) {
    EndgameSettings settings;
    settings.folder = folder_meant(options.folder);
    // Where our own larger databases are put, and where CheckerBoard keeps the databases it brings.
    settings.default_folders = {folder_of(module_path()) + "defiance" + path_separator,
                                folder_of(program_path()) + "db" + path_separator};
    settings.driver_folders = {folder_of(program_path()), folder_of(module_path())};
    if (options.use_distances) settings.distance_folder = folder_meant(options.distance_folder);
    settings.max_pieces = options.max_pieces;
    settings.cache_bytes = std::uint64_t{options.mebibytes} << 20;
    return settings;
}

constexpr std::uint64_t little_memory = std::uint64_t{1} << 20;

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "" : "\n") + line;
    return text;
}

}  // namespace

EndgameOptions EndgameKeeper::options() const {
    const std::lock_guard lock(mutex_);
    return options_;
}

void EndgameKeeper::set(const EndgameOptions& options) {
    const std::lock_guard lock(mutex_);
    options_ = options;
}

std::shared_ptr<const EndgameDatabases> EndgameKeeper::endgames() {
    const EndgameOptions wanted = options();
    const std::lock_guard lock(opening_);
    if (is_open_ && wanted == opened_for_) return endgames_;
    // Two sets at once could need more memory than the user allows.
    endgames_.reset();
    if (wanted.is_on) endgames_ = core_.open_endgames(settings_for(wanted));
    opened_for_ = wanted;
    is_open_ = true;
    return endgames_;
}

std::vector<std::string> EndgameKeeper::report() {
    const auto databases = endgames();
    return databases == nullptr ? std::vector<std::string>{"switched off"} : databases->report();
}

std::string describe_database_folder(const GameCore& core, std::string_view folder) {
    EndgameOptions options;
    options.folder = folder;
    EndgameSettings settings = settings_for(options);
    settings.default_folders.clear();
    settings.cache_bytes = little_memory;
    return joined(core.open_endgames(settings)->report());
}

std::string describe_distance_folder(const GameRules& rules, std::string_view folder) {
    EndgameOptions options;
    options.distance_folder = folder;
    const EndgameSettings settings = settings_for(options);
    std::vector<std::string> driver_folders = settings.driver_folders;
    driver_folders.push_back(settings.distance_folder);
    const ForeignFound found =
        open_foreign({rules.game_type, settings.default_folders.back(), settings.distance_folder,
                      find_drivers(driver_folders), settings.max_pieces, little_memory});
    if (found.database == nullptr)
        return found.messages.empty()
                   ? "no endgame databases that " + std::string(rules.name) + " could use"
                   : joined(found.messages);
    return joined({found.database->description(), joined(found.messages)});
}

}  // namespace defiance
