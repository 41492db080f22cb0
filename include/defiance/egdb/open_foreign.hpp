#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <defiance/egdb/foreign.hpp>

namespace defiance {

/// Where to look for databases made by others.
struct ForeignSearch {
    int game_type = 0;                  ///< CheckerBoard's number of the game
    std::string folder;                 ///< of those that tell who wins; empty for none
    std::string distance_folder;        ///< of those that tell how far it is; empty for none
    std::vector<std::string> drivers;   ///< full paths; the first one that can do it does
    int max_pieces = 10;                ///< positions of more are not asked for
    std::uint64_t memory = 64U << 20U;  ///< bytes for the data that is kept at hand
};

struct ForeignFound {
    std::unique_ptr<ForeignDatabase> database;  ///< null when there is none to be had
    std::vector<std::string> messages;          ///< what went wrong, one line each
};

/// Full paths of the driver, under the name it has for programs such as this one, in those of the
/// folders that have it; each once. Of interest are the folders of the host program, of this module
/// and of the databases.
[[nodiscard]] std::vector<std::string> find_drivers(const std::vector<std::string>& folders);

/// Opens the databases of the folder: with a driver, or else Cake's for English directly. In games
/// without databases of others there is nothing to be found and nothing to be said. To be called by
/// one thread at a time; it may take seconds.
[[nodiscard]] ForeignFound open_foreign(const ForeignSearch& where);

}  // namespace defiance
