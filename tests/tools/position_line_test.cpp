// Positions of a store as lines of text.

#include "dump_fixture.hpp"

#include <string>

#include <defiance/base/random.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/game_rules.hpp>
#include <tools/posdb/position_line.hpp>

#include "../rules/random_position.hpp"

namespace defiance {

TEST_CASE("a line gives back what is known of a position", "[posdb][dump]") {
    Random random(1601);
    for (const GameCore* core : built_games()) {
        const GameRules& rules = core->rules;
        for (int i = 0; i < 400; ++i) {
            const Position position = testing::random_position(random, i % 2 == 0 ? 20 : 60);
            const auto legal = canonical_moves(rules, position);
            if (legal.empty()) continue;
            PositionEntry entry{key_of_board(position), {}};
            entry.known.ply = static_cast<std::uint8_t>(random.below(256));
            for (std::size_t m = 0; m < legal.size(); ++m)
                if (random.below(4) != 0)
                    entry.known.moves.push_back(
                        {static_cast<std::uint8_t>(m),
                         static_cast<std::int16_t>(random.below(60001) - 30000),
                         static_cast<std::uint8_t>(random.below(256)),
                         static_cast<ScoreSource>(random.below(4))});
            const std::string line = position_line(rules, entry);
            INFO(rules.name << ' ' << line);
            const auto read = read_position_line(rules, line + " ;");
            INFO((read ? "" : read.error()));
            REQUIRE(read);
            CHECK(read->key == entry.key);
            CHECK(read->known == entry.known);
            // What it leads to names it as a parent.
            const Position& after = legal.front().after;
            if (rules.count_moves(after) == 0 || find_fault(after)) continue;
            const PositionEntry below{key_of_board(after), {7, {}, {entry.key}}};
            const auto again = read_position_line(rules, position_line(rules, below));
            INFO((again ? "" : again.error()));
            REQUIRE(again);
            CHECK(again->known == below.known);
        }
    }
}

TEST_CASE("a line of a dump looks as it is described", "[posdb][dump]") {
    const GameRules& rules = rules_of<English>;
    const auto read = read_position_line(
        rules, "W:W21-32:B1-8,10-13; 24-20 -3 12; ply 1; 22-18 30000 0 final; from B:W21-32:B1-12");
    INFO((read ? "" : read.error()));
    REQUIRE(read);
    CHECK(position_line(rules, *read) ==
          "B:W20,21,22,23,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12; ply 1; 11-15 30000 "
          "0 final; 9-13 -3 12 search; from "
          "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
    // The name of a capture is that of the API.
    const auto circle = read_position_line(rules, "B:W6,7,14,15:BK2; 2x11x18x9x2 5 6 egdb");
    REQUIRE(circle);
    CHECK(position_line(rules, *circle) == "B:W6,7,14,15:BK2; 2x9x18x11x2 5 6 egdb");
}

TEST_CASE("a line that is none is refused with a reason", "[posdb][dump][hostile]") {
    const GameRules& rules = rules_of<English>;
    const std::string start = "B:W21-32:B1-12";
    std::string many;
    for (int i = 0; i < 70; ++i)
        many += "; from W:W21-32:B1-12";
    for (const std::string& bad : {std::string(),
                                   std::string("x"),
                                   std::string("B:W1:B2; 2-6 1 1"),
                                   std::string("B:W5:B"),
                                   std::string("B:W8,11:B4"),
                                   start + "; 11-18 1 2",
                                   start + "; 11-15",
                                   start + "; 11-15 1",
                                   start + "; 11-15 1 256",
                                   start + "; 11-15 30001 2",
                                   start + "; 11-15 1 -1",
                                   start + "; 11-15 1 2 book",
                                   start + "; 11-15 1 2 search x",
                                   start + "; 11-15 1 2; 11-15 1 2",
                                   start + "; ply",
                                   start + "; ply 256",
                                   start + "; ply 1; ply 1",
                                   start + "; from",
                                   start + "; from W:W21-32:B1-12",
                                   start + "; from B:W21-32:B1-12",
                                   start + many,
                                   start + std::string(70000, ' ')}) {
        INFO(bad.substr(0, 100));
        const auto read = read_position_line(rules, bad);
        REQUIRE_FALSE(read);
        CHECK_FALSE(read.error().empty());
        CHECK(read.error().size() < 200);
    }
    Random random(1602);
    const std::string good = start + "; ply 3; 11-15 4 22 search; 9-14 -3 17 final";
    for (int i = 0; i < 3000; ++i) {
        std::string text = good;
        for (int changes = 1 + random.below(4); changes > 0; --changes)
            text[random.below(text.size())] = static_cast<char>(random.below(256));
        const auto read = read_position_line(rules, text);
        if (read) CHECK(decode_sound(rules, read->key, encode(read->known, rules, read->key)));
    }
}

}  // namespace defiance
