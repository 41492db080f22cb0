// What users are told of folders and limits.

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/russian.hpp>

#include "../base/temporary.hpp"
#include "seven_pieces.hpp"

using namespace defiance;

TEST_CASE("a folder that does not exist is told, and not what else is missing", "[egdb]") {
    using Lines = std::vector<std::string>;
    const TemporaryFolder folder;
    const std::string missing = folder.path() + path_separator + "none" + path_separator;
    const Lines told = {"folder not found: " + missing};
    EndgameSettings settings;
    settings.folder = missing;
    CHECK(Endgames<English>(settings).refused() == told);
    CHECK(Endgames<Russian>(settings).refused() == told);
    settings.folder.clear();
    settings.distance_folder = missing;
    CHECK(Endgames<English>(settings).refused() == told);
    // Folders that are found by themselves need not be there.
    settings.distance_folder.clear();
    settings.default_folders = {missing};
    CHECK(Endgames<English>(settings).refused().empty());
}

TEST_CASE("databases of more pieces than are looked up are told as such", "[egdb]") {
    using Lines = std::vector<std::string>;
    EndgameSettings settings;
    settings.max_pieces = 3;
    CHECK(Endgames<English>(settings).report() ==
          Lines{"5 pieces, built in, looked up to 3 pieces"});
    settings.max_pieces = 1;
    CHECK(Endgames<English>(settings).report() == Lines{"5 pieces, built in, not looked up"});
    settings.max_pieces = 5;
    CHECK(Endgames<English>(settings).report() == Lines{"5 pieces, built in"});
    settings.max_pieces = 6;
    const TemporaryFolder folder;
    write_seven_pieces(folder);
    settings.folder = folder.path() + path_separator;
    CHECK(Endgames<English>(settings).report() ==
          Lines{"5 pieces, built in",
                "7 pieces, 52 files in " + settings.folder + ", looked up to 6 pieces"});
}
