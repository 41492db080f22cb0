#include <defiance/egdb/foreign.hpp>

#include <algorithm>
#include <utility>

#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/italian.hpp>

#include "readers.hpp"

namespace defiance {
namespace {

constexpr const char* driver_name = sizeof(void*) == 8 ? "egdb64.dll" : "egdb.dll";

void open_by_driver(const ForeignSearch& where, ForeignFound& found) {
    for (const std::string& driver : where.drivers) {
        Result<OpenedByDriver> opened =
            open_with_driver({driver, where.game_type, where.folder, where.distance_folder,
                              where.max_pieces, where.memory});
        if (!opened) {
            found.messages.push_back(opened.error());
            continue;
        }
        if (!opened->warning.empty()) found.messages.push_back(opened->warning);
        found.database = (*std::move(opened)).database;
        return;
    }
    if (where.drivers.empty())
        found.messages.push_back(
            std::string("there is no driver ") + driver_name +
            ", without which no endgame databases but those of Cake can be read");
}

}  // namespace

std::vector<std::string> find_drivers(const std::vector<std::string>& folders) {
    std::vector<std::string> found;
    for (const std::string& folder : folders) {
        if (folder.empty()) continue;
        const bool is_complete = folder.back() == '/' || folder.back() == '\\';
        const std::string path = folder + (is_complete ? "" : "/") + driver_name;
        if (file_exists(path) && std::find(found.begin(), found.end(), path) == found.end())
            found.push_back(path);
    }
    return found;
}

ForeignFound open_foreign(const ForeignSearch& where) {
    ForeignFound found;
    const bool is_english = where.game_type == English::game_type;
    if (where.folder.empty() || (!is_english && where.game_type != Italian::game_type))
        return found;
    open_by_driver(where, found);
    if (found.database != nullptr || !is_english) return found;
    Result<std::unique_ptr<ForeignDatabase>> cake =
        open_cake(where.folder, where.memory, where.max_pieces);
    if (cake)
        found.database = *std::move(cake);
    else
        found.messages.push_back(cake.error());
    return found;
}

}  // namespace defiance
