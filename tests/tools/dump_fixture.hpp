#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <defiance/rules/fen.hpp>
#include <tools/maintenance/position_dump.hpp>
#include <tools/maintenance/tasks.hpp>
#include <tools/posdb/position_line.hpp>
#include <tools/store/embedded_store.hpp>
#include <tools/support/games.hpp>

#include "../base/temporary.hpp"

namespace defiance {

/// A store in a folder that is gone with it.
struct DumpFixture {
    DumpFixture() {
        auto opened = EmbeddedStore::open(folder.path(), [](const std::string&) {});
        REQUIRE(opened);
        store = *std::move(opened);
    }

    /// All games as text.
    std::string dump() {
        std::string text;
        for (const GameCore* core : built_games()) {
            const auto counts = dump_positions(
                *core, *store,
                [&](std::string_view line) {
                    text += std::string(line) + '\n';
                    return true;
                },
                [](std::uint64_t, std::uint64_t) { return true; });
            INFO((counts ? "" : counts.error()));
            REQUIRE(counts);
            CHECK(counts->damaged == 0);
        }
        return text;
    }

    struct Loaded {
        std::uint64_t added = 0;
        std::uint64_t changed = 0;
        std::vector<std::pair<std::uint64_t, std::string>> faults;
    };
    /// Reads text into the store.
    Loaded load(const std::string& text, const GameCore* only = nullptr) {
        const TemporaryFile file(text);
        auto lines = LineSource::open(file.path(), max_position_line);
        REQUIRE(lines);
        LineSource source = *std::move(lines);
        StoreAddition addition(*store);
        DumpReader reader(addition, only);
        Loaded loaded;
        const auto go_on = [](std::uint64_t, std::uint64_t) { return true; };
        const auto read = reader.read(
            source,
            [&](std::uint64_t line, const std::string& problem) {
                loaded.faults.emplace_back(line, problem);
            },
            go_on);
        INFO((read ? "" : read.error()));
        REQUIRE(read);
        CHECK(*read);
        const auto finished = addition.finish(go_on);
        INFO((finished ? "" : finished.error()));
        REQUIRE(finished);
        CHECK(*finished);
        loaded.added = addition.added();
        loaded.changed = addition.changed();
        return loaded;
    }

    TemporaryFolder folder;
    std::unique_ptr<EmbeddedStore> store;
};

/// Scores for all moves that depend on nothing but the moves and `salt`.
inline std::vector<KnownMove> made_up_scores(const GameRules& rules, const Position& position,
                                             std::uint64_t salt, std::uint8_t depth) {
    std::vector<KnownMove> moves;
    for (const CanonicalMove& move : canonical_moves(rules, position)) {
        const std::uint64_t number = (key_of(move.after) ^ salt) * 0x9E3779B97F4A7C15U >> 40;
        moves.push_back({static_cast<std::uint8_t>(moves.size()),
                         static_cast<std::int16_t>(static_cast<int>(number % 101) - 50), depth,
                         ScoreSource::search});
    }
    return moves;
}

/// Adds a position and all that moves lead to, so many plies deep.
inline void add_lines(PositionDatabase& database, const Position& position, int plies,
                      std::uint8_t ply, const std::optional<Position>& parent, std::uint64_t salt,
                      std::uint8_t depth) {
    const GameRules& rules = database.rules();
    if (rules.count_moves(position) == 0) return;
    REQUIRE_FALSE(
        database.add(position, made_up_scores(rules, position, salt, depth), ply, parent));
    if (plies == 0) return;
    for (const CanonicalMove& move : canonical_moves(rules, position))
        add_lines(database, move.after, plies - 1, static_cast<std::uint8_t>(ply + 1), position,
                  salt, depth);
}

/// The line of a position with what is only searched of it.
inline std::string searched_line(const GameRules& rules, const Position& position,
                                 std::uint64_t salt, std::uint8_t depth, std::uint8_t ply) {
    return position_line(rules, {key_of_board(position),
                                 {ply, made_up_scores(rules, position, salt, depth), {}}}) +
           '\n';
}

inline std::map<std::string, KnownPosition> all_known(const GameCore& core, PositionStore& store) {
    PositionDatabase database(core, store, nullptr);
    std::map<std::string, KnownPosition> all;
    REQUIRE_FALSE(database.for_each([&](const Position& position, const KnownPosition& known) {
        all[to_fen(core.rules, position)] = known;
        return true;
    }));
    return all;
}

/// Scores and sources of the moves, without depths.
inline bool have_equal_scores(const KnownPosition& a, const KnownPosition& b) {
    return std::equal(a.moves.begin(), a.moves.end(), b.moves.begin(), b.moves.end(),
                      [](const KnownMove& x, const KnownMove& y) {
                          return x.index == y.index && x.score == y.score && x.source == y.source;
                      });
}

}  // namespace defiance
