#pragma once

#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>

#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/search/search.hpp>

namespace defiance::testing {

/// Lets a search run to its limits and keeps the last report of all root moves.
class KeepingObserver : public SearchObserver {
public:
    bool must_stop(std::uint64_t) override { return stop; }
    void report(const SearchReport& report) override {
        moves.assign(report.moves.begin(), report.moves.end());
        ++reports;
    }
    bool stop = false;
    int reports = 0;
    std::vector<RootMove> moves;
};

/// The position of an English FEN.
inline Position position_of(const char* fen) {
    const auto position = parse_fen(rules_of<English>, fen);
    REQUIRE(position);
    return *position;
}

/// An English search with an empty table.
inline SearchResult search(const Position& p, const SearchLimits& limits,
                           KeepingObserver& observer) {
    TranspositionTable table(4);
    Search<English> searcher(table);
    return searcher.run({&p, 1}, limits, observer);
}

// Plain proof without a table, pruning or a draw law.

template <class Rules>
bool wins_within(const Position& p, int plies);

/// Does the side to move lose within `plies`?
template <class Rules>
bool loses_within(const Position& p, int plies) {
    MoveList moves;
    generate_moves<Rules>(p, moves);
    return moves.empty() ||
           (plies > 0 && std::all_of(moves.begin(), moves.end(), [&](const Move& move) {
                return wins_within<Rules>(after<Rules>(p, move), plies - 1);
            }));
}

/// Does the side to move win within `plies`?
template <class Rules>
bool wins_within(const Position& p, int plies) {
    MoveList moves;
    generate_moves<Rules>(p, moves);
    return plies > 0 && std::any_of(moves.begin(), moves.end(), [&](const Move& move) {
               return loses_within<Rules>(after<Rules>(p, move), plies - 1);
           });
}

}  // namespace defiance::testing
