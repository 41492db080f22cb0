#include <catch2/catch.hpp>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/base/library.hpp>
#include <defiance/base/system.hpp>
#include <defiance/egdb/foreign.hpp>
#include <defiance/rules/board.hpp>
#include <defiance/rules/games.hpp>

#include "../base/temporary.hpp"
#include "egdb/foreign/readers.hpp"

using namespace defiance;

namespace {

const std::string sample_folder = DEFIANCE_SOURCE_DIR "/tests/egdb/cake";
constexpr std::uint64_t memory = 4 << 20;

/// What its folders mean: tests/egdb/fake_driver.cpp.
std::string fake_driver() {
    return folder_of(module_path()) + DEFIANCE_FAKE_DRIVER;
}

DriverRequest request(const std::string& folder, int game_type = English::game_type) {
    return {fake_driver(), game_type, folder, "", 10, memory};
}

std::unique_ptr<ForeignDatabase> opened(const DriverRequest& asked) {
    Result<OpenedByDriver> opened = open_with_driver(asked);
    INFO((opened ? "" : opened.error()));
    REQUIRE(opened);
    CHECK(opened->warning.empty());
    return (*std::move(opened)).database;
}

/// Why nothing is opened; empty when something is.
std::string refusal(const DriverRequest& asked) {
    const Result<OpenedByDriver> opened = open_with_driver(asked);
    if (!opened) return opened.error();
    return opened->database == nullptr ? opened->warning : "";
}

bool has_part(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// What the fake driver answers about a black man and a white king.
Wld answer_to(std::uint32_t black, std::uint32_t white, Side side) {
    constexpr Wld values[] = {Wld::win, Wld::loss, Wld::draw};
    const std::uint32_t sum = black * 0x9E3779B1U + white * 0x85EBCA6BU + white * 0xC2B2AE35U +
                              (side == Side::white ? 1 : 0);
    return values[(sum ^ sum >> 15) % 3];
}

Position two_kings(Side side = Side::black) {
    return {bit(3), bit(30), bit(3) | bit(30), side};
}

}  // namespace

TEST_CASE("the driver is asked about the squares that it knows", "[egdb][driver]") {
    const auto english = opened(request("kind 9 pieces 6"));
    const auto italian = opened(request("kind 10 pieces 6", Italian::game_type));
    int differences = 0;
    for (int black = 1; black <= 32; ++black)
        for (int white = 1; white <= 32; ++white)
            for (const Side side : {Side::black, Side::white}) {
                if (black == white) continue;
                const auto place = [](int number) {
                    return bit(Numbering<English>::index(number));
                };
                const Position p = {place(black), place(white), place(white), side};
                const Wld value = answer_to(bit(black - 1), bit(white - 1), side);
                if (english->probe(p) != value || italian->probe(p) != value) ++differences;
            }
    CHECK(differences == 0);
}

TEST_CASE("the driver opens what belongs to the game", "[egdb][driver]") {
    for (const int kind : {2, 3, 4, 9}) {
        const std::string folder = "kind " + std::to_string(kind) + " pieces 8";
        CHECK(opened(request(folder))->pieces() == 8);
        CHECK(has_part(refusal(request(folder, Italian::game_type)), "of this game"));
    }
    for (const int kind : {6, 7, 10}) {
        const std::string folder = "kind " + std::to_string(kind) + " pieces 8";
        CHECK(opened(request(folder, Italian::game_type))->pieces() == 8);
        CHECK(has_part(refusal(request(folder)), "of this game"));
    }
    for (const int kind : {0, 1, 5, 8, 11, 12, 13, 99}) {
        const std::string folder = "kind " + std::to_string(kind) + " pieces 8";
        for (const int game_type : {21, 22, 24, 25, 26, 29})
            CHECK(has_part(refusal(request(folder, game_type)), folder));
    }
    CHECK(opened(request("kind 9 pieces 6"))->description() ==
          "Kingsrow, 6 pieces, in kind 9 pieces 6");
}

TEST_CASE("what the driver does not know is unknown", "[egdb][driver]") {
    for (const int answer : {-2, -1, 0, 4, 5, 6, 1000}) {
        const std::string folder = "kind 9 pieces 6 answer " + std::to_string(answer);
        CHECK(opened(request(folder))->probe(two_kings()) == std::nullopt);
    }
    const auto database = opened(request("kind 9 pieces 6 answer 1"));
    CHECK(database->probe(two_kings()) == Wld::win);
    CHECK_FALSE(database->has_dtw());
    CHECK_FALSE(database->dtw(two_kings(), Wld::win));
    CHECK_FALSE(database->dtc(two_kings()));
    CHECK(database->probe(start_position(Side::black)) == std::nullopt);
    CHECK(database->probe({bit(3), 0, 0, Side::black}) == std::nullopt);

    DriverRequest limited = request("kind 9 pieces 6 answer 1");
    limited.max_pieces = 3;
    const Position four = {bit(3) | bit(9), bit(30) | bit(29), 0, Side::black};
    CHECK(opened(limited)->pieces() == 3);
    CHECK(opened(limited)->probe(four) == std::nullopt);
    CHECK(database->probe(four) == Wld::win);
    limited.max_pieces = 1;
    CHECK_FALSE(refusal(limited).empty());
}

TEST_CASE("distances to the end and to a conversion are kept apart", "[egdb][driver]") {
    const auto with_distances = [](const std::string& folder) {
        DriverRequest asked = request("kind 9 pieces 6 answer 1");
        asked.distance_folder = folder;
        return opened(asked);
    };
    const auto dtc = [&](const std::string& answer) {
        const auto database = with_distances("kind 5 pieces 6 answer " + answer);
        CHECK_FALSE(database->has_dtw());
        CHECK_FALSE(database->dtw(two_kings(), Wld::win));
        return database->dtc(two_kings());
    };
    CHECK(dtc("14") == 14);
    CHECK(dtc("10") == 10);
    CHECK(dtc("1") == ForeignDatabase::dtc_below_ten);
    for (const char* unknown : {"0", "-1", "-2", "2", "9"})
        CHECK_FALSE(dtc(unknown));

    const auto dtw = [&](const std::string& answer, Wld wld) {
        const auto database = with_distances("kind 11 pieces 6 answer " + answer);
        CHECK(database->has_dtw());
        CHECK_FALSE(database->dtc(two_kings()));
        return database->dtw(two_kings(), wld);
    };
    CHECK(dtw("14", Wld::win) == 29);
    CHECK(dtw("14", Wld::loss) == 28);
    CHECK(dtw("3", Wld::win) == 7);
    for (const char* unknown : {"0", "-1", "-2", "2000000000"})
        CHECK_FALSE(dtw(unknown, Wld::win));
}

TEST_CASE("without distances the values remain", "[egdb][driver]") {
    for (const char* folder : {"nothing", "kind 9 pieces 6", "kind 8 pieces 6",
                               "kind 5 pieces 6 closed", "kind 5 pieces 6 empty"}) {
        DriverRequest asked = request("kind 9 pieces 6 answer 2");
        asked.distance_folder = folder;
        const Result<OpenedByDriver> opened = open_with_driver(asked);
        REQUIRE(opened);
        CHECK(has_part(opened->warning, folder));
        CHECK(opened->database->probe(two_kings()) == Wld::loss);
        CHECK_FALSE(opened->database->dtw(two_kings(), Wld::loss));
        CHECK_FALSE(opened->database->dtc(two_kings()));
    }
}

TEST_CASE("a driver that cannot be used is refused", "[egdb][driver]") {
    DriverRequest asked = request("kind 9 pieces 6");
    asked.driver = "/no/such/driver.dll";
    CHECK(has_part(refusal(asked), asked.driver));
    const TemporaryFile text("no library");
    asked.driver = text.path();
    CHECK(has_part(refusal(asked), text.path()));
    asked.driver = folder_of(module_path()) + DEFIANCE_BAD_ENGINE;
    CHECK(has_part(refusal(asked), "is no driver for endgame databases"));
    CHECK(has_part(refusal(request("nothing")), "'nothing' has no endgame databases"));
    CHECK(
        has_part(refusal(request("kind 9 pieces 6 closed")), "closed' has endgame databases that"));
    CHECK(has_part(refusal(request("kind 9 pieces 6 empty")), "empty' has endgame databases that"));
    CHECK_FALSE(refusal(request("kind 9 pieces 0")).empty());
    CHECK_FALSE(refusal(request("kind 9")).empty());
}

TEST_CASE("the driver is loaded for as long as it is used", "[egdb][driver]") {
    REQUIRE_FALSE(is_loaded(fake_driver()));
    auto database = opened(request("kind 9 pieces 6"));
    {
        const Result<Library> fake = Library::load(fake_driver());
        REQUIRE(fake);
        auto* const open_handles = fake->find<int (*)()>("fake_open_handles");
        REQUIRE(open_handles != nullptr);
        CHECK(open_handles() == 1);
        DriverRequest asked = request("kind 9 pieces 6");
        asked.distance_folder = "kind 11 pieces 4";
        auto other = opened(asked);
        CHECK(other->description() ==
              "Kingsrow, 6 pieces, in kind 9 pieces 6, distances of 4 in kind 11 pieces 4");
        CHECK(open_handles() == 3);
        other.reset();
        CHECK(open_handles() == 1);
    }
    CHECK(is_loaded(fake_driver()));
    database.reset();
    CHECK_FALSE(is_loaded(fake_driver()));
}

TEST_CASE("the driver opens and closes one database at a time", "[egdb][driver]") {
    const Result<Library> fake = Library::load(fake_driver());
    REQUIRE(fake);
    std::vector<std::thread> threads;
    std::atomic<int> opened_well = 0;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            DriverRequest asked = request("kind 9 pieces 6 opening 3");
            asked.distance_folder = "kind 11 pieces 4 opening 3";
            if (open_with_driver(asked) && describe_distances_with_driver(asked)) ++opened_well;
        });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(opened_well == 4);
    CHECK(fake->find<int (*)()>("fake_max_calls_under_way")() == 1);
}

TEST_CASE("the driver comes first, then Cake's databases are read directly", "[egdb][driver]") {
    ForeignSearch where;
    where.game_type = English::game_type;
    CHECK(open_foreign(where).database == nullptr);
    CHECK(open_foreign(where).faults.empty());
    CHECK(open_foreign(where).missing.empty());

    where.folder = "kind 9 pieces 6 answer 1";
    where.drivers = {"/no/such/driver.dll", fake_driver()};
    const ForeignFound driven = open_foreign(where);
    REQUIRE(driven.database != nullptr);
    CHECK(driven.database->description() == "Kingsrow, 6 pieces, in " + where.folder);
    CHECK(driven.faults.size() == 1);
    CHECK(driven.missing.empty());

    where.folder = sample_folder;
    for (const int drivers : {2, 1, 0}) {
        where.drivers.resize(static_cast<std::size_t>(drivers));
        const ForeignFound direct = open_foreign(where);
        REQUIRE(direct.database != nullptr);
        CHECK(has_part(direct.database->description(), "Cake, 4 pieces"));
        CHECK(direct.faults.empty() == (drivers == 0));
        CHECK(direct.missing.empty());
    }
    where.max_pieces = 3;
    CHECK(open_foreign(where).database->pieces() == 3);

    where.folder = "nothing";
    CHECK(open_foreign(where).database == nullptr);
    REQUIRE(open_foreign(where).missing.size() == 2);
    CHECK(has_part(open_foreign(where).missing[0], "there is no driver"));
    CHECK(has_part(open_foreign(where).missing[1], "nothing"));
}

TEST_CASE("what is not there is told from what cannot be used", "[egdb][driver]") {
    ForeignSearch where;
    where.game_type = English::game_type;
    where.drivers = {fake_driver()};
    // The second is of another game, the third has distances alone.
    for (const char* folder : {"nothing", "kind 10 pieces 6", "kind 5 pieces 6"}) {
        where.folder = folder;
        const ForeignFound found = open_foreign(where);
        CHECK(found.database == nullptr);
        CHECK(found.faults.empty());
        REQUIRE(found.missing.size() == 2);
        CHECK(has_part(found.missing[0], folder));
    }
    for (const char* folder : {"kind 9 pieces 6 closed", "kind 9 pieces 6 empty"}) {
        where.folder = folder;
        const ForeignFound found = open_foreign(where);
        CHECK(found.database == nullptr);
        REQUIRE(found.faults.size() == 1);
        CHECK(has_part(found.faults[0], folder));
    }
    // It is no fault of theirs when the user does not want them.
    where.max_pieces = 1;
    CHECK(open_foreign(where).faults.empty());
}

TEST_CASE("distances are described without values", "[egdb][driver]") {
    ForeignSearch where;
    where.game_type = English::game_type;
    where.folder = sample_folder;
    where.drivers = {"/no/such/driver.dll", fake_driver()};
    using Lines = std::vector<std::string>;
    CHECK(describe_distances(where).empty());
    where.distance_folder = "kind 11 pieces 6";
    CHECK(describe_distances(where) ==
          Lines{"Kingsrow, distances of 6 pieces, in kind 11 pieces 6"});
    CHECK_FALSE(is_loaded(fake_driver()));
    where.distance_folder = "kind 9 pieces 6";
    const Lines problems = describe_distances(where);
    REQUIRE(problems.size() == 2);
    CHECK(has_part(problems[0], "/no/such/driver.dll"));
    CHECK(has_part(problems[1], "of this game with distances"));
    where.drivers.clear();
    REQUIRE(describe_distances(where).size() == 1);
    CHECK(has_part(describe_distances(where)[0], "there is no driver"));
    where.game_type = Russian::game_type;
    CHECK(describe_distances(where).empty());
}

TEST_CASE("distances are opened without values", "[egdb][driver]") {
    ForeignSearch where;
    where.game_type = English::game_type;
    where.folder = sample_folder;
    where.drivers = {"/no/such/driver.dll", fake_driver()};
    CHECK(open_foreign_distances(where).database == nullptr);
    CHECK(open_foreign_distances(where).faults.empty());
    where.distance_folder = "kind 11 pieces 6 answer 14";
    {
        const ForeignFound found = open_foreign_distances(where);
        REQUIRE(found.database != nullptr);
        CHECK(found.faults.empty());
        CHECK(found.database->description() ==
              "Kingsrow, distances of 6 pieces, in " + where.distance_folder);
        CHECK(found.database->pieces() == 0);
        CHECK(found.database->probe(two_kings()) == std::nullopt);
        CHECK(found.database->dtw(two_kings(), Wld::win) == 29);
    }
    CHECK_FALSE(is_loaded(fake_driver()));
    where.distance_folder = "kind 9 pieces 6";
    const ForeignFound values = open_foreign_distances(where);
    CHECK(values.database == nullptr);
    REQUIRE(values.faults.size() == 2);
    CHECK(has_part(values.faults[1], "of this game with distances"));
    where.drivers.clear();
    REQUIRE(open_foreign_distances(where).faults.size() == 1);
    CHECK(has_part(open_foreign_distances(where).faults[0], "there is no driver"));
    where.game_type = Russian::game_type;
    CHECK(open_foreign_distances(where).faults.empty());
}

TEST_CASE("databases of one game are not taken for those of another", "[egdb][driver]") {
    ForeignSearch where;
    where.folder = sample_folder;
    where.game_type = Italian::game_type;
    CHECK(open_foreign(where).database == nullptr);
    for (const int game_type : {24, 25, 26, 29, 0, -1}) {
        where.game_type = game_type;
        where.drivers = {fake_driver()};
        const ForeignFound found = open_foreign(where);
        CHECK(found.database == nullptr);
        CHECK(found.faults.empty());
        CHECK(found.missing.empty());
    }
}

TEST_CASE("the driver is found in the folders of those who may have it", "[egdb][driver]") {
    const TemporaryFolder first;
    const TemporaryFolder second;
    const std::string name = sizeof(void*) == 8 ? "egdb64.dll" : "egdb.dll";
    second.write(name, "");
    second.write("egdb32.dll", "");
    CHECK(find_drivers({first.path(), "", "/no/folder"}).empty());
    CHECK(find_drivers({first.path(), second.path() + "/", second.path()}) ==
          std::vector<std::string>{second.path() + "/" + name});
    CHECK(base_name_of(program_path()) == base_name_of(module_path()));
}
