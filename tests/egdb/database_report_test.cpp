// What users are told of folders and limits.

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/czech.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/russian.hpp>

#include "../base/temporary.hpp"
#include "endgames_support.hpp"
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

TEST_CASE("files of a folder that cannot be used are reported", "[egdb]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + path_separator;
    const std::string content = as_text(embedded<English>(1));
    folder.write(database_file_name<English>(6), content.substr(0, content.size() / 2));
    const std::vector<std::uint8_t> junk(1000, 77);
    const Material six = {0, 3, 0, 3};
    folder.write(database_file_name<English>(Material{0, 4, 0, 3}),
                 as_text(database_file::assemble(identity_of<English>(),
                                                 {{six, Content::values, 0, junk}})));
    folder.write(database_file_name<English>(5), as_text(embedded<Czech>(0)));
    folder.write("other.dfe", "not ours");

    EndgameSettings settings;
    settings.folder = path;
    settings.default_folders = {path + "missing" + path_separator};
    const Endgames<English> endgames(settings);
    CHECK(endgames.pieces() == 5);
    const std::vector<std::string> report = endgames.report();
    CHECK(mentions(report, "5 pieces, built in"));
    CHECK(mentions(report, "not used: " + path + "english6.dfe: it is cut off or too long"));
    CHECK(mentions(report, "not used: " + path + "english5.dfe: it is for another game (type 29)"));
    CHECK(mentions(report, "not used: " + path +
                               "english_0m4k-0m3k.dfe: 0m3k-0m3k: its decision tree is damaged"));
    CHECK_FALSE(mentions(report, "other.dfe"));
    CHECK(endgames.refused().size() == 3);
    CHECK(wrongly_resolved(endgames, 101) == 0);
}

TEST_CASE("a file adds what the embedded databases lack", "[egdb]") {
    const TemporaryFolder folder;
    const Material six = {0, 5, 0, 1};
    folder.write(database_file_name<English>(6),
                 as_text(database_file::assemble(identity_of<English>(),
                                                 {{six, Content::values, 0, only_wins()}})));
    EndgameSettings settings;
    settings.folder = folder.path() + path_separator;
    const Endgames<English> endgames(settings);
    CHECK(endgames.pieces() == 6);
    CHECK(endgames.keeps(six));
    const Position p = *parse_fen(rules_of<English>, "B:WK29:BK1,K2,K3,K4,K5");
    CHECK(endgames.probe(p) == EgdbResult{Wld::win, {}});
    CHECK(endgames.probe(flipped(p)) == EgdbResult{Wld::win, {}});
    CHECK_FALSE(endgames.probe(*parse_fen(rules_of<English>, "W:WK29:BK1,K2,K3,K4,K5")));
    CHECK(endgames.refused().empty());
}

TEST_CASE("the many files of seven pieces are told on one line", "[egdb]") {
    const TemporaryFolder folder;
    write_seven_pieces(folder);
    EndgameSettings settings;
    settings.folder = folder.path() + path_separator;
    const Endgames<English> endgames(settings);
    CHECK(endgames.pieces() == 7);
    CHECK(
        endgames.report() ==
        std::vector<std::string>{"5 pieces, built in", "7 pieces, 52 files in " + settings.folder});
}

TEST_CASE("a damaged file in a folder that is found by itself is named", "[egdb][cake]") {
    using Lines = std::vector<std::string>;
    const TemporaryFolder folder;
    const std::string path = folder.path() + path_separator;
    EndgameSettings settings;
    settings.default_folders = {path, path + "missing" + path_separator};
    // What is not there is not wanted.
    CHECK(Endgames<English>(settings).report() == Lines{"5 pieces, built in"});
    folder.copy_from(DEFIANCE_SOURCE_DIR "/tests/egdb/cake");
    std::filesystem::resize_file(path + "db4.cpr", 1000);
    const std::string problem =
        "the file '" + path + "db4.cpr' has not the length that db4.idx tells";
    CHECK(Endgames<English>(settings).report() ==
          Lines{"5 pieces, built in", "not used: " + problem});
    CHECK(Endgames<Italian>(settings).refused().empty());
    // Files of ours in the same folder do not hide it.
    folder.write(database_file_name<English>(5), as_text(embedded<English>(0)));
    settings.folder = path;
    CHECK(Endgames<English>(settings).refused() == Lines{problem});
}

TEST_CASE("databases of Cake need no driver", "[egdb][cake]") {
    using Lines = std::vector<std::string>;
    const TemporaryFolder folder;
    folder.copy_from(DEFIANCE_SOURCE_DIR "/tests/egdb/cake");
    const std::string path = folder.path() + path_separator;
    const Lines found = {"5 pieces, built in", "Cake, 4 pieces, in " + path};
    EndgameSettings settings;
    settings.folder = path;
    CHECK(Endgames<English>(settings).report() == found);
    settings.default_folders = {settings.folder};
    settings.folder.clear();
    CHECK(Endgames<English>(settings).report() == found);
    // Only a driver reads distances.
    settings.distance_folder = path;
    CHECK(mentions(Endgames<English>(settings).refused(), "there is no driver"));
}
