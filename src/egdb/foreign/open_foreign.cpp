#include <defiance/egdb/foreign.hpp>

#include <algorithm>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/italian.hpp>

#include "readers.hpp"

namespace defiance {
namespace {

constexpr const char* driver_name = sizeof(void*) == 8 ? "egdb64.dll" : "egdb.dll";

std::string no_driver() {
    return std::string("there is no driver ") + driver_name +
           ", without which no endgame databases but those of Cake can be read";
}

DriverRequest request_for(const std::string& driver, const ForeignSearch& where) {
    return {driver,           where.game_type, where.folder, where.distance_folder,
            where.max_pieces, where.memory};
}

void open_by_driver(const ForeignSearch& where, ForeignFound& found) {
    if (where.drivers.empty()) found.missing.push_back(no_driver());
    for (const std::string& driver : where.drivers) {
        Result<OpenedByDriver> opened = open_with_driver(request_for(driver, where));
        if (!opened) {
            found.faults.push_back(opened.error());
            continue;
        }
        if (opened->database == nullptr) {
            found.missing.push_back(opened->warning);
            continue;
        }
        if (!opened->warning.empty()) found.faults.push_back(opened->warning);
        found.missing.clear();  // another driver knows what is there
        found.database = (*std::move(opened)).database;
        return;
    }
}

void open_cake_directly(const ForeignSearch& where, ForeignFound& found) {
    Result<std::unique_ptr<ForeignDatabase>> cake =
        open_cake(where.folder, where.memory, where.max_pieces);
    if (!cake) {
        found.faults.push_back(cake.error());
        return;
    }
    if (*cake == nullptr) {
        found.missing.push_back("there are no databases of Cake in the folder '" +
                                shown(where.folder, 200) + "'");
        return;
    }
    found.database = *std::move(cake);
    // They need no driver, but distances do.
    if (where.distance_folder.empty()) found.missing.clear();
}

bool has_foreign_databases(int game_type) {
    return game_type == English::game_type || game_type == Italian::game_type;
}

}  // namespace

std::vector<std::string> find_drivers(const std::vector<std::string>& folders) {
    std::vector<std::string> found;
    for (const std::string& folder : folders) {
        if (folder.empty()) continue;
        const std::string path = with_final_separator(folder, '/') + driver_name;
        if (file_exists(path) && std::find(found.begin(), found.end(), path) == found.end())
            found.push_back(path);
    }
    return found;
}

ForeignFound open_foreign(const ForeignSearch& where) {
    ForeignFound found;
    if (where.folder.empty() || !has_foreign_databases(where.game_type)) return found;
    open_by_driver(where, found);
    if (found.database == nullptr && where.game_type == English::game_type)
        open_cake_directly(where, found);
    return found;
}

ForeignFound open_foreign_distances(const ForeignSearch& where) {
    ForeignFound found;
    if (where.distance_folder.empty() || !has_foreign_databases(where.game_type)) return found;
    if (where.drivers.empty()) found.faults.push_back(no_driver());
    for (const std::string& driver : where.drivers) {
        Result<std::unique_ptr<ForeignDatabase>> opened =
            open_distances_with_driver(request_for(driver, where));
        if (!opened) {
            found.faults.push_back(opened.error());
            continue;
        }
        found.faults.clear();  // another driver can do it
        found.database = *std::move(opened);
        break;
    }
    return found;
}

std::vector<std::string> describe_distances(const ForeignSearch& where) {
    if (where.distance_folder.empty() || !has_foreign_databases(where.game_type)) return {};
    if (where.drivers.empty()) return {no_driver()};
    std::vector<std::string> problems;
    for (const std::string& driver : where.drivers) {
        const Result<std::string> line = describe_distances_with_driver(request_for(driver, where));
        if (line) return {*line};
        problems.push_back(line.error());
    }
    DEFIANCE_ASSERT(!problems.empty());
    return problems;
}

}  // namespace defiance
