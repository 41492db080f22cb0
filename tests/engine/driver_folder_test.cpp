#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

#include <defiance/engine/endgame_keeper.hpp>
#include <defiance/engine/folder_inspector.hpp>
#include <defiance/engine/game_core.hpp>
#include <defiance/rules/games.hpp>

#include "../egdb/driver_folder.hpp"

using namespace defiance;

TEST_CASE("no folder that the user names supplies a driver", "[engine][driver]") {
    const DriverFolder driver;
    const TemporaryFolder parent;
    const std::string data = parent.path() + "/kind 9 pieces 8/";
    std::filesystem::create_directory(data);
    const std::string copy = data + std::filesystem::path(driver.driver_path()).filename().string();
    std::filesystem::copy_file(driver.driver_path(), copy);
    CHECK(describe_database_folder(core_of<English>, data).find("8 pieces") == std::string::npos);
    CHECK_FALSE(is_loaded(copy));
    static_cast<void>(describe_distance_folder(rules_of<English>, data));
    CHECK_FALSE(is_loaded(copy));
    EndgameKeeper keeper(core_of<English>);
    EndgameOptions options;
    options.folder = data;
    options.distance_folder = data;
    static_cast<void>(keeper.set(options));
    const auto endgames = keeper.endgames();
    REQUIRE(endgames != nullptr);
    CHECK_FALSE(is_loaded(copy));
    CHECK(static_cast<const Endgames<English>&>(*endgames).pieces() == 5);
}
