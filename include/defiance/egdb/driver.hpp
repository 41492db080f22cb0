#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <defiance/base/result.hpp>
#include <defiance/egdb/foreign.hpp>

namespace defiance {

/// What to open with the driver for endgame databases that CheckerBoard brings along, by Ed
/// Gilbert, the author of Kingsrow. It reads the databases of Kingsrow, Chinook and Cake for
/// English and Italian.
struct DriverRequest {
    std::string driver;           ///< full path of egdb64.dll, in a 32-bit process egdb.dll
    int game_type = 0;            ///< CheckerBoard's number of the game
    std::string folder;           ///< of the databases that tell who wins
    std::string distance_folder;  ///< of those that tell how far it is; empty for none
    int max_pieces = 0;           ///< positions of more are not asked for
    std::uint64_t memory = 0;     ///< bytes for the driver's cache; it may take a little more
};

struct OpenedByDriver {
    std::unique_ptr<ForeignDatabase> database;
    std::string warning;  ///< why there are no distances although they were asked for, or empty
};

/// Loads the driver and has it open the databases. Error, naming the file or folder, when it cannot
/// be loaded, finds none or none of this game, or cannot open them. The driver stays loaded until
/// the last database opened with it is gone. To be called by one thread at a time; it may take
/// seconds.
[[nodiscard]] Result<OpenedByDriver> open_with_driver(const DriverRequest& request);

}  // namespace defiance
