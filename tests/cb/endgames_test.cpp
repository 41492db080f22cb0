#include <catch2/catch.hpp>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include <defiance/base/clock.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>

#include "../base/temporary.hpp"
#include "../egdb/seven_pieces.hpp"
#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

/// CheckerBoard's folder of databases, which is looked into unasked.
std::string own_folder() {
    return folder_of(program_path()) + "db";
}

/// What getmove returns for the position. A known end takes no time; what is given lets a busy
/// machine look it up.
int result_of(std::string_view fen, double seconds = patience) {
    Call call(position_of(fen));
    const int result = call.run(engine(), seconds);
    INFO(fen << ": " << call.status.text());
    CHECK(call.has_moved_legally());
    return result;
}

}  // namespace

TEST_CASE("the options of endgame databases are taken, answered and refused", "[cb]") {
    for (const auto& [option, value] :
         {std::pair<std::string, std::string>{"dbpath", "C:\\egdb with spaces\\8"},
          {"mtcpath", "some where"},
          {"max_dbpieces", "6"},
          {"enable_wld", "0"},
          {"enable_mtc", "0"}}) {
        const Restored restored(engine(), option);
        CHECK(accepted(engine(), "set " + option + ' ' + value) == option + ' ' + value);
        CHECK(accepted(engine(), "get " + option) == value);
    }
    const Restored restored(engine(), "dbmbytes");
    // Any other answer would be shown to the user in a box.
    CHECK(accepted(engine(), "set dbmbytes 128").empty());
    CHECK(accepted(engine(), "get dbmbytes") == "128");
    for (const char* command :
         {"set dbmbytes -1", "set dbmbytes 65537", "set dbmbytes x", "set max_dbpieces 25",
          "set max_dbpieces", "set enable_wld 2", "set enable_mtc yes"}) {
        const std::string text = refused(engine(), command);
        CHECK(text != "?");
        CHECK(text.size() < 250);
    }
    CHECK(refused(engine(), "set dbpath " + std::string(251, 'x')) != "?");
    CHECK(accepted(engine(), "get dbmbytes") == "128");
}

TEST_CASE("quotation marks around a path are dropped", "[cb]") {
    for (const std::string option : {"dbpath", "mtcpath"}) {
        const Restored restored(engine(), option);
        CHECK(accepted(engine(), "set " + option + " \"D:\\egdb 8\"") == option + " D:\\egdb 8");
        CHECK(accepted(engine(), "get " + option) == "D:\\egdb 8");
        CHECK(accepted(engine(), "set " + option + " \"\"") == option + ' ');
        CHECK(accepted(engine(), "get " + option).empty());
        // One alone is a part of the name.
        CHECK(accepted(engine(), "set " + option + " \"x") == option + " \"x");
    }
    for (const std::string option : {"bookfile", "evalfile"}) {
        const std::string text = refused(engine(), "set " + option + " \"no such file\"");
        CHECK(contains(text, "no such file"));
        CHECK_FALSE(contains(text, "\""));
    }
    const std::string text =
        accepted_in_time(engine(), "set check_wld_dir \"" + copies_folder() + '"');
    CHECK_FALSE(contains(text, "folder not found"));
    for (const std::string kind : {"wld", "mtc"})
        CHECK_FALSE(contains(
            accepted_in_time(engine(), "set check_" + kind + "_dir \"no such folder\""), "\""));
}

TEST_CASE("the built-in database is there and can be switched off", "[cb]") {
    CHECK(contains(accepted_in_time(engine(), "about"), "5 pieces, built in"));
    const Restored restored(engine(), "enable_wld");
    static_cast<void>(accepted(engine(), "set enable_wld 0"));
    CHECK(contains(accepted(engine(), "about"), "switched off"));
    CHECK_FALSE(contains(accepted(engine(), "about"), "built in"));
}

TEST_CASE("getmove tells what the database proves", "[cb]") {
    // The test before has had them opened again, in the background.
    REQUIRE(contains(accepted_in_time(engine(), "about"), "5 pieces, built in"));
    const Restored claim_restored(engine(), "claim");
    static_cast<void>(accepted(engine(), "set claim 2"));
    CHECK(result_of("B:WK32:BK1,K2") == cb_win);
    CHECK(result_of("W:WK32:BK1,K2") == cb_loss);
    CHECK(result_of("B:WK32:BK1") == cb_draw);
    CHECK(result_of("W:WK32,K31:BK1,K2") == cb_draw);
    CHECK(result_of("W:WK6,K14,K18:BK20,K3") == cb_win);
    CHECK(result_of("B:W21-32:B1-12", 0.05) == cb_unknown);
    const Restored restored(engine(), "max_dbpieces");
    static_cast<void>(accepted(engine(), "set max_dbpieces 4"));
    CHECK(result_of("W:WK32,K31:BK1,K2") == cb_draw);
    static_cast<void>(accepted(engine(), "set max_dbpieces 3"));
    CHECK(result_of("W:WK32,K31:BK1,K2", 0.05) == cb_unknown);
    CHECK(
        contains(accepted_in_time(engine(), "about"), "5 pieces, built in, looked up to 3 pieces"));
}

TEST_CASE("a folder of databases that does not exist is named, and nothing else", "[cb]") {
    const Restored restored(engine(), "dbpath");
    static_cast<void>(accepted(engine(), "set dbpath no such folder"));
    const std::string text = accepted_in_time(engine(), "about");
    INFO(text);
    CHECK(contains(text, "not used: folder not found: "));
    CHECK(contains(text, "no such folder"));
    CHECK_FALSE(contains(text, "driver"));
}

TEST_CASE("a known win ends in the number of plies that the database gives", "[cb]") {
    // 33 plies, as `defiance egdb probe` tells; both sides play by the database, when they
    // have time to ask it.
    REQUIRE(contains(accepted_in_time(engine(), "about"), "5 pieces, built in"));
    EnglishGame game(position_of("B:WK32:BK1,K2"));
    int plies = 0;
    for (; !legal_moves(game.position()).empty(); ++plies) {
        REQUIRE(plies < 33);
        Call call(game.position());
        static_cast<void>(call.run(engine(), patience));
        REQUIRE(game.play_board(call.board));
    }
    CHECK(plies == 33);
}

TEST_CASE("folders are described, whatever they hold", "[cb]") {
    const std::string folder = copies_folder();
    CHECK(
        contains(accepted_in_time(engine(), "set check_wld_dir " + folder), "5 pieces, built in"));
    CHECK_FALSE(accepted_in_time(engine(), "set check_mtc_dir " + folder).empty());
    CHECK(contains(accepted_in_time(engine(), "set check_wld_dir " + folder), "not used: there "));
    CHECK_FALSE(accepted_in_time(engine(), "set check_wld_dir").empty());
    for (const std::string kind : {"wld", "mtc"}) {
        const std::string missing =
            accepted_in_time(engine(), "set check_" + kind + "_dir no such folder");
        INFO(missing);
        CHECK(begins_with(missing, "folder not found: "));
        CHECK(contains(missing, "no such folder"));
        CHECK_FALSE(contains(missing, "\n"));
    }
    CHECK(begins_with(accepted_in_time(engine(), "set check_mtc_dir"), "no folder is named"));
}

TEST_CASE("without a folder the check tells what is found by itself", "[cb]") {
    const TemporaryPath folder(own_folder());
    std::filesystem::create_directory(folder.path());
    std::ofstream(folder.path() + "/english6.dfe", std::ios::binary) << "DEFIEGDB and nothing more";
    const std::string text = accepted_in_time(engine(), "set check_wld_dir");
    INFO(text);
    CHECK(contains(text, "5 pieces, built in"));
    CHECK(contains(text, "english6.dfe"));
}

TEST_CASE("the check of distances describes the folder asked about and no other", "[cb]") {
    // CheckerBoard's own databases, which tell no distances.
    const TemporaryPath own(own_folder());
    std::filesystem::copy(DEFIANCE_SOURCE_DIR "/tests/egdb/cake", own.path());
    const TemporaryPath driver(copies_folder() + (sizeof(void*) == 8 ? "egdb64.dll" : "egdb.dll"));
    const TemporaryFolder parent;
    const auto answer = [&](const std::string& name) {
        const std::string folder = parent.path() + '/' + name + '/';
        std::filesystem::create_directories(folder);
        std::string text = accepted_in_time(engine(), "set check_mtc_dir " + folder);
        const std::size_t place = text.find(folder);
        return place == std::string::npos ? text : text.replace(place, folder.size(), "<folder>");
    };
    const std::string without_driver = answer("kind 5 pieces 6");
    std::filesystem::copy_file(folder_of(module_path()) + DEFIANCE_FAKE_DRIVER, driver.path());
    const std::string conversion = answer("kind 5 pieces 6");
    const std::string end = answer("kind 11 pieces 4");
    const std::string values = answer("kind 9 pieces 6");
    const std::string nothing = answer("nothing");
    CHECK(begins_with(without_driver, "there is no driver egdb"));
    CHECK_FALSE(contains(without_driver, "\n"));
    CHECK(conversion == "Kingsrow, distances of 6 pieces, in <folder>");
    CHECK(end == "Kingsrow, distances of 4 pieces, in <folder>");
    CHECK(values == "the folder '<folder>' has no endgame databases of this game with distances");
    CHECK(nothing == "the folder '<folder>' has no endgame databases that the driver knows");
}

TEST_CASE("options set at once from two threads are all kept", "[cb]") {
    const Restored pieces(engine(), "max_dbpieces");
    const Restored path(engine(), "mtcpath");
    // Long texts take time to copy, which is when an option could get lost.
    const auto path_of_round = [](int round) {
        return std::string(200, 'x') + std::to_string(round % 10);
    };
    const auto pieces_of_round = [](int round) { return std::to_string(round % 25); };
    // A round that is stored in the registry takes longer, and so does one that is watched.
    const int rounds = has_registry() || is_sanitized ? 2000 : 100000;
    std::atomic<int> ready{0};
    const auto count_lost = [&](const std::string& option, const auto& value_of) {
        ++ready;
        while (ready < 2) {
        }
        int lost = 0;
        for (int round = 0; round < rounds; ++round) {
            const std::string value = value_of(round);
            static_cast<void>(engine().command("set " + option + ' ' + value));
            if (engine().command("get " + option).text != value) ++lost;
        }
        return lost;
    };
    int lost_there = 0;
    std::thread other([&] { lost_there = count_lost("max_dbpieces", pieces_of_round); });
    const int lost_here = count_lost("mtcpath", path_of_round);
    other.join();
    CHECK(lost_here == 0);
    CHECK(lost_there == 0);
}

TEST_CASE("a damaged database file is named and the engine plays on", "[cb]") {
    const TemporaryPath file(copies_folder() + "english6.dfe");
    std::ofstream(file.path(), std::ios::binary)
        << "DEFIEGDB and then nothing that makes sense, at length";
    const Restored restored(engine(), "dbpath");
    static_cast<void>(accepted(engine(), "set dbpath " + copies_folder()));
    const std::string text = accepted_in_time(engine(), "about");
    CHECK(contains(text, "not used: "));
    CHECK(contains(text, "english6.dfe"));
    CHECK(contains(text, "5 pieces, built in"));
    CHECK(result_of("B:WK32:BK1,K2") == cb_win);
}

TEST_CASE("a file that comes into the folder is found when that is set again", "[cb]") {
    const TemporaryFolder folder;
    const Restored restored(engine(), "dbpath");
    static_cast<void>(accepted(engine(), "set dbpath " + folder.path()));
    CHECK_FALSE(contains(accepted_in_time(engine(), "about"), "english6.dfe"));
    folder.write("english6.dfe", "DEFIEGDB and then nothing that makes sense, at length");
    static_cast<void>(accepted(engine(), "set dbpath " + folder.path()));
    CHECK(contains(accepted_in_time(engine(), "about"), "english6.dfe"));
}

TEST_CASE("about names a damaged database in CheckerBoard's own folder", "[cb]") {
    const TemporaryPath own(own_folder());
    std::filesystem::copy(DEFIANCE_SOURCE_DIR "/tests/egdb/cake", own.path());
    std::filesystem::resize_file(own.path() + "/db4.cpr", 1000);
    // With another option databases are opened again.
    const Restored restored(engine(), "max_dbpieces");
    static_cast<void>(accepted(engine(), "set max_dbpieces 23"));
    const std::string text = accepted_in_time(engine(), "about");
    INFO(text);
    CHECK(contains(text, "5 pieces, built in"));
    CHECK(contains(text, "not used: the file '"));
    CHECK(contains(text, "db4.cpr"));
    CHECK_FALSE(contains(text, "there is no driver"));
}

TEST_CASE("about names a damaged database beside many sound ones", "[cb]") {
    const TemporaryFolder folder;
    write_seven_pieces(folder);
    folder.write("english6.dfe", "DEFIEGDB and then nothing that makes sense, at length");
    const Restored restored(engine(), "dbpath");
    static_cast<void>(accepted(engine(), "set dbpath " + folder.path()));
    const std::string text = accepted_in_time(engine(), "about");
    INFO(text);
    CHECK(contains(text, "7 pieces, 52 files in "));
    CHECK(contains(text, "not used: "));
    CHECK(contains(text, "english6.dfe"));
    CHECK(text.size() < 1024);
}
