// What is made of dumps with faults, and of stores with damaged values.

#include "dump_fixture.hpp"

#include <string>
#include <utility>
#include <vector>

#include <defiance/base/random.hpp>

namespace defiance {

TEST_CASE("faulty lines of a dump are told by their numbers and left out",
          "[posdb][dump][hostile]") {
    const std::string line = "B:W21-32:B1-12; 11-15 1 2 search\n";
    DumpFixture fixture;
    const auto faults = [&](const std::string& text, const GameCore* only = nullptr) {
        std::string all;
        for (const auto& [number, problem] : fixture.load(text, only).faults)
            all += std::to_string(number) + ": " + problem + '\n';
        return all;
    };
    CHECK(faults(line) == "1: no line before it says which game it is of; --game can say it\n");
    CHECK(faults(line, find_game("english")).empty());
    // A byte order mark at the beginning is no fault.
    const std::string mark = "\xEF\xBB\xBF";
    CHECK(faults(mark + "game english 1\n" + line).empty());
    CHECK(faults(mark + "# a remark\ngame english\n" + line).empty());
    CHECK(faults(mark + line, find_game("english")).empty());
    CHECK(faults("game english\n" + mark + line).substr(0, 3) == "2: ");
    CHECK(faults("game english\n" + line + "\nx\n" + line) ==
          "4: a FEN begins with W: or B:, not with 'x'\n");
    CHECK(faults("game chess 2\n" + line + line + "game english 1\n" + line) ==
          "1: there is no game 'chess'; its lines are passed over\n");
    CHECK(faults("game english 2\n" + line) == "2: there are 1 lines of positions, not 2\n");
    CHECK(faults("game english -1\n" + line) == "1: the number of positions is none\n");
    CHECK(faults("game english 1\n" + line.substr(0, line.size() - 8)) ==
          "2: the file ends within the line\n");
    CHECK(faults("game english\n" + line.substr(0, line.size() - 1)).empty());
    for (const std::size_t size : {65530UL, 65537UL, 300000UL, 600000UL})
        CHECK(
            faults("game english\n" + std::string(size, 'x') + "\n" + line + "?\n").substr(0, 3) ==
            "2: ");
    CHECK(faults("game english 2\n" + line + std::string(300000, 'x')) ==
          "3: the line is too long\n");
    CHECK(all_known(*find_game("english"), *fixture.store).size() == 1);
    CHECK(all_known(*find_game("czech"), *fixture.store).empty());
}

TEST_CASE("damaged dumps do no harm", "[posdb][dump][hostile]") {
    DumpFixture fixture;
    const GameCore& core = *find_game("russian");
    PositionDatabase database(core, *fixture.store, nullptr);
    add_lines(database, core.rules.start_position(), 1, 0, {}, 5, 12);
    const std::string text = fixture.dump();
    for (std::size_t size = 0; size < text.size(); size += 97) {
        DumpFixture cut;
        const auto loaded = cut.load(text.substr(0, size));
        // A dump that was cut is never taken for a whole one.
        CHECK(loaded.faults.empty() == (size == 0));
        const auto all = all_known(core, *cut.store);
        CHECK(all.size() == loaded.added);
    }
    Random random(1604);
    for (int i = 0; i < 60; ++i) {
        std::string damaged = text;
        for (int changes = 1 + random.below(30); changes > 0; --changes)
            damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
        DumpFixture other;
        other.load(damaged, random.below(2) == 0 ? &core : nullptr);
        other.dump();  // all that is stored makes sense
    }
}

TEST_CASE("a dump tells of damaged values and writes the others", "[posdb][dump]") {
    DumpFixture fixture;
    const GameCore& core = *find_game("english");
    PositionDatabase database(core, *fixture.store, nullptr);
    const Position start = core.rules.start_position();
    REQUIRE_FALSE(database.add(start, made_up_scores(core.rules, start, 1, 5), 0, {}));
    REQUIRE(fixture.store->update(StoreGame::english, {1, 1, 1}, 0, "rubbish"));
    REQUIRE(fixture.store->update(StoreGame::english, {0x80000000, 1, 0}, 0, "rubbish"));
    int lines = 0;
    const auto counts = dump_positions(
        core, *fixture.store,
        [&](std::string_view) {
            ++lines;
            return true;
        },
        [](std::uint64_t, std::uint64_t) { return true; });
    REQUIRE(counts);
    CHECK(counts->positions == 1);
    CHECK(counts->damaged == 2);
    CHECK(lines == 2);
    CHECK_FALSE(dump_positions(
        core, *fixture.store, [](std::string_view) { return false; },
        [](std::uint64_t, std::uint64_t) { return true; }));
    CHECK_FALSE(dump_positions(
        core, *fixture.store, [](std::string_view) { return true; },
        [](std::uint64_t, std::uint64_t) { return false; }));
}

}  // namespace defiance
