#include <tools/training/open_databases.hpp>

#include <string>

#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>

namespace defiance {

EndgameSettings databases_of(std::string_view folder) {
    EndgameSettings settings;
    settings.folder = with_final_separator(folder);
    return settings;
}

Result<std::unique_ptr<EndgameDatabases>> open_databases(const GameCore& core,
                                                         std::string_view folder) {
    if (!folder_exists(std::string(folder)))
        return Error{"folder not found: " + shown(folder, 200)};
    auto endgames = core.open_endgames(databases_of(folder));
    if (endgames->pieces() > core.open_endgames({})->pieces()) return endgames;
    std::string text = "no larger databases than the built-in ones there";
    for (const std::string& line : endgames->report())
        text += "; " + line;
    return Error{text};
}

}  // namespace defiance
