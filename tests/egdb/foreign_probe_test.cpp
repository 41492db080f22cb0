#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <utility>

#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/games.hpp>

#include "driver_folder.hpp"

using namespace defiance;

namespace {

using Clock = std::chrono::steady_clock;

/// The built-in databases and those of others that the fake driver finds under this name.
EndgameSettings settings_for(const DriverFolder& driver, const std::string& folder) {
    EndgameSettings settings;
    settings.folder = folder + '/';
    settings.driver_folders = {driver.path()};
    return settings;
}

/// Seven pieces, nothing to capture.
Position seven_pieces() {
    return *parse_fen(rules_of<English>, "B:WK32,K31,K30,K29:BK1,K2,K3");
}

constexpr std::size_t enough_positions_to_probe = 4000;

/// Four kings against one, won or lost, with the side to move of which our databases keep it: they
/// tell no distance.
Position without_plies_of_ours() {
    const Endgames<English> ours({});
    const Position p = *parse_fen(rules_of<English>, "B:WK32:BK1,K2,K3,K4");
    return ours.probe(p) ? p : *parse_fen(rules_of<English>, "W:WK32:BK1,K2,K3,K4");
}

}  // namespace

TEST_CASE("a probe says when a database of others was asked", "[egdb][driver]") {
    const DriverFolder driver;
    const Endgames<English> endgames(settings_for(driver, "kind 9 pieces 8 answer 1"));
    REQUIRE(endgames.pieces() == 8);
    bool slow = false;
    const ProbeOptions options = {.slow = &slow};
    // One of the two is kept, the other follows from it.
    const bool is_known =
        endgames.probe(*parse_fen(rules_of<English>, "B:WK32,K31:BK1"), options) ||
        endgames.probe(*parse_fen(rules_of<English>, "W:WK32,K31:BK1"), options);
    CHECK(is_known);
    // Nor is another database asked for what follows from ours, up to the pieces they have.
    for (const char* fen : {"B:WK32,K31,K30:BK1,K2", "W:WK32,K31,K30:BK1,K2"})
        static_cast<void>(endgames.probe(*parse_fen(rules_of<English>, fen), options));
    CHECK_FALSE(slow);
    CHECK(driver.look_ups() == 0);
    // A capture is on: no database is asked.
    CHECK_FALSE(
        endgames.probe(*parse_fen(rules_of<English>, "B:W6,K32,K31,K30,K29:BK1,K2"), options));
    CHECK_FALSE(slow);
    CHECK(driver.look_ups() == 0);
    CHECK(endgames.probe(seven_pieces(), options) == EgdbResult{Wld::win, {}});
    CHECK(slow);
    CHECK(driver.look_ups() == 1);
    slow = false;
    CHECK_FALSE(endgames.probe(start_position(Side::black), options));
    CHECK_FALSE(slow);
    CHECK(endgames.probe(seven_pieces()).has_value());
}

TEST_CASE("a probe looks up each thing once", "[egdb][driver]") {
    const DriverFolder driver;
    const auto look_ups_of = [&](const std::string& values, const std::string& distances,
                                 const auto& probe) {
        EndgameSettings settings = settings_for(driver, "kind 9 pieces 8 answer " + values);
        settings.distance_folder = distances;
        const Endgames<English> endgames(settings);
        const int before = driver.look_ups();
        probe(endgames);
        return driver.look_ups() - before;
    };
    const auto value_and_dtw = [](const Endgames<English>& endgames) {
        const EgdbResult expected = {Wld::win, 29};
        CHECK(endgames.probe(seven_pieces()) == expected);
    };
    const auto value = [](const Endgames<English>& endgames) {
        const EgdbResult expected = {Wld::win, {}};
        CHECK(endgames.probe(seven_pieces(), {.dtw = false}) == expected);
        CHECK(endgames.probe(seven_pieces(), {.foreign_dtw = false}) == expected);
    };
    const auto only_value = [](const Endgames<English>& endgames) {
        const EgdbResult expected = {Wld::win, {}};
        CHECK(endgames.probe(seven_pieces()) == expected);
    };
    const auto draw = [](const Endgames<English>& endgames) {
        const EgdbResult expected = {Wld::draw, {}};
        CHECK(endgames.probe(seven_pieces()) == expected);
    };
    const auto dtc = [](const Endgames<English>& endgames) {
        CHECK(endgames.dtc(seven_pieces()) == 14);
    };
    const std::string dtw_folder = "kind 11 pieces 8 answer 14/";
    const std::string dtc_folder = "kind 5 pieces 8 answer 14/";
    CHECK(look_ups_of("1", dtw_folder, value_and_dtw) == 2);
    CHECK(look_ups_of("1", dtw_folder, value) == 2);
    CHECK(look_ups_of("1", dtc_folder, only_value) == 1);
    CHECK(look_ups_of("3", dtw_folder, draw) == 1);
    CHECK(look_ups_of("1", dtc_folder, dtc) == 1);
}

TEST_CASE("looking at successors stops before the next slow probe", "[egdb][driver]") {
    const DriverFolder driver;
    // It knows nothing, so that one position leads to the next.
    const Endgames<English> endgames(settings_for(driver, "kind 9 pieces 8 answer 0"));
    CHECK_FALSE(endgames.resolve(seven_pieces(), enough_positions_to_probe));
    const int without_stop = driver.look_ups();
    CHECK(without_stop > 1000);
    for (const int allowed : {0, 1, 3}) {
        const int before = driver.look_ups();
        const auto must_stop = [&] { return driver.look_ups() - before >= allowed; };
        CHECK_FALSE(endgames.resolve(seven_pieces(), enough_positions_to_probe, must_stop));
        CHECK(driver.look_ups() - before == allowed);
    }
    const int before = driver.look_ups();
    CHECK_FALSE(endgames.resolve(seven_pieces(), enough_positions_to_probe, [] { return false; }));
    CHECK(driver.look_ups() - before == without_stop);
    // Where no database of others is needed nobody asks whether to stop.
    CHECK(endgames.resolve(*parse_fen(rules_of<English>, "B:WK32,K31:BK1"),
                           enough_positions_to_probe, [] { return true; }));
}

TEST_CASE("a slow driver is left at the deadline", "[egdb][driver]") {
    constexpr int delay = 8;
    constexpr int limit = 20;
    const DriverFolder driver;
    const Endgames<English> endgames(settings_for(driver, "kind 9 pieces 8 answer 0 delay 8"));
    const auto deadline = Clock::now() + std::chrono::milliseconds(limit);
    CHECK_FALSE(endgames.resolve(seven_pieces(), enough_positions_to_probe,
                                 [&] { return Clock::now() >= deadline; }));
    CHECK(driver.look_ups() <= limit / delay + 1);
}

TEST_CASE("a folder of data supplies no driver", "[egdb][driver]") {
    const DriverFolder driver;
    const TemporaryFolder parent;
    const std::string data = parent.path() + "/kind 9 pieces 8 answer 1/";
    std::filesystem::create_directory(data);
    const std::string copy = data + std::filesystem::path(driver.driver_path()).filename().string();
    std::filesystem::copy_file(driver.driver_path(), copy);
    EndgameSettings settings;
    settings.folder = data;
    for (const bool is_default : {false, true}) {
        if (is_default) settings.default_folders = {std::exchange(settings.folder, "")};
        const Endgames<English> endgames(settings);
        CHECK_FALSE(is_loaded(copy));
        CHECK(endgames.pieces() == 5);
    }
    // The same data with a driver from elsewhere.
    settings.driver_folders = {driver.path()};
    const Endgames<English> endgames(settings);
    CHECK(endgames.pieces() == 8);
    CHECK_FALSE(is_loaded(copy));
}

TEST_CASE("what the driver cannot open in a folder found by itself is told", "[egdb][driver]") {
    const DriverFolder driver;
    const TemporaryFolder parent;
    EndgameSettings settings;
    settings.driver_folders = {driver.path()};
    const auto refused_in = [&](const std::string& name) {
        const std::string folder = parent.path() + '/' + name + '/';
        std::filesystem::create_directory(folder);
        settings.default_folders = {folder};
        return Endgames<English>(settings).refused();
    };
    const std::vector<std::string> closed = refused_in("kind 9 pieces 6 closed");
    REQUIRE(closed.size() == 1);
    CHECK(closed[0].find("kind 9 pieces 6 closed") != std::string::npos);
    CHECK(refused_in("kind 10 pieces 6").empty());
    CHECK(refused_in("nothing").empty());
    // A driver that is none is told once, whatever the number of folders.
    const TemporaryFolder other;
    other.write(std::filesystem::path(driver.driver_path()).filename().string(), "no library");
    settings.driver_folders = {other.path()};
    settings.default_folders = {parent.path() + "/nothing/", parent.path() + "/kind 10 pieces 6/"};
    CHECK(Endgames<English>(settings).refused().size() == 1);
}

TEST_CASE("a line of best moves ends when it is told to stop", "[egdb][driver]") {
    const DriverFolder driver;
    EndgameSettings settings = settings_for(driver, "kind 9 pieces 8 answer 1");
    settings.distance_folder = "kind 11 pieces 8 answer 14/";
    const Endgames<English> endgames(settings);
    static_cast<void>(endgames.best_line(seven_pieces(), 20));
    const int without_stop = driver.look_ups();
    CHECK(without_stop > 10);
    for (int allowed = 0; allowed <= without_stop; ++allowed) {
        const int before = driver.look_ups();
        const auto must_stop = [&] { return driver.look_ups() - before >= allowed; };
        static_cast<void>(endgames.best_line(seven_pieces(), 20, must_stop));
        CHECK(driver.look_ups() - before == allowed);
    }
    const auto stopped = [] { return true; };
    const int before = driver.look_ups();
    CHECK_FALSE(endgames.dtc(seven_pieces(), stopped));
    CHECK(driver.look_ups() == before);
}

TEST_CASE("others are asked for the distance where ours tell none", "[egdb][driver]") {
    const DriverFolder driver;
    EndgameSettings settings = settings_for(driver, "kind 9 pieces 8 answer 1");
    settings.distance_folder = "kind 11 pieces 8 answer 14/";
    // With values of others too, and with ours alone.
    if (GENERATE(true, false)) settings.folder.clear();
    const Position p = without_plies_of_ours();
    const auto plain = Endgames<English>({}).probe(p);
    REQUIRE(plain);
    REQUIRE(plain->wld != Wld::draw);
    REQUIRE_FALSE(plain->dtw);
    const EgdbResult with_plies = {plain->wld, plain->wld == Wld::win ? 29 : 28};

    const Endgames<English> endgames(settings);
    CHECK(endgames.refused().empty());
    bool slow = false;
    CHECK(endgames.probe(p, {.dtw = false, .slow = &slow}) == plain);
    CHECK(endgames.probe(p, {.foreign_dtw = false, .slow = &slow}) == plain);
    CHECK_FALSE(slow);
    CHECK(driver.look_ups() == 0);
    CHECK(endgames.probe(p, {.slow = &slow}) == with_plies);
    CHECK(slow);
    CHECK(driver.look_ups() == 1);
    CHECK(endgames.resolve(p, 1) == with_plies);
    CHECK(driver.look_ups() == 2);
    // The value stays when there is no time left.
    CHECK(endgames.resolve(p, 1, [] { return true; }) == plain);
    // Two kings against one: ours tell the distance.
    const auto ours =
        endgames.resolve(*parse_fen(rules_of<English>, "B:WK32:BK1,K2"), enough_positions_to_probe);
    CHECK(ours == EgdbResult{Wld::win, 33});
    CHECK(driver.look_ups() == 2);
}

TEST_CASE("distances of others go with values of ours alone", "[egdb][driver]") {
    using Lines = std::vector<std::string>;
    const DriverFolder driver;
    EndgameSettings settings;
    settings.driver_folders = {driver.path()};
    settings.distance_folder = "kind 5 pieces 8 answer 14/";
    {
        const Endgames<English> endgames(settings);
        CHECK(endgames.report() ==
              Lines{"5 pieces, built in",
                    "Kingsrow, distances of 8 pieces, in " + settings.distance_folder});
        CHECK(endgames.pieces() == 5);
        CHECK(endgames.dtc(without_plies_of_ours()) == 14);
        CHECK(driver.look_ups() == 1);
        CHECK_FALSE(endgames.probe(seven_pieces()));
        CHECK(driver.look_ups() == 1);
    }
    const TemporaryFolder parent;
    settings.distance_folder = parent.path() + "/nothing/";
    std::filesystem::create_directory(settings.distance_folder);
    const auto refused = [&] { return Endgames<English>(settings).refused(); };
    REQUIRE(refused().size() == 1);
    CHECK(refused()[0].find("nothing/'") != std::string::npos);
    settings.driver_folders.clear();
    REQUIRE(refused().size() == 1);
    CHECK(refused()[0].find("there is no driver") == 0);
    CHECK(Endgames<Russian>(settings).refused() ==
          Lines{"there are no distances for this game in '" + settings.distance_folder + "'"});
    // Nobody looks anything up.
    settings.max_pieces = 1;
    CHECK(refused().empty());
}
