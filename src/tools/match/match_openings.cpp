#include <tools/match/match_openings.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/random.hpp>
#include <tools/support/cb_game.hpp>

namespace defiance {
namespace {

/// The openings in the order of the file or list.
Result<MatchOpenings> listed_openings(std::string_view word, const GameRules& rules) {
    MatchOpenings openings;
    if (word == "start") {
        openings.list.push_back({"start", rules.start_position()});
    } else if (word == "11-man" || word == "11man") {
        for (const Position& position : eleven_man_ballots(rules))
            openings.list.push_back({cb_fen(rules, position), position});
    } else if (word == "3-move" || word == "3move") {
        if (!has_three_move_openings(rules))
            return Error{"--openings: the three-move openings are of English draughts"};
        openings.list = three_move_openings();
    } else {
        openings.file = word;
        Result<std::vector<Opening>> list = read_openings_file(rules, openings.file);
        if (!list) return Error{"--openings: " + list.error()};
        openings.list = *std::move(list);
    }
    return openings;
}

void shuffle_openings(std::vector<Opening>& openings, std::uint64_t seed) {
    Random random(seed);
    for (std::size_t i = openings.size(); i > 1; --i)
        std::swap(openings[i - 1], openings[random.below(i)]);
}

/// Every k-th of the list, so that a short match sees all of it.
std::vector<Opening> spread_openings(const std::vector<Opening>& openings, std::size_t pairs) {
    std::vector<Opening> spread;
    const std::size_t count = std::min(pairs, openings.size());
    for (std::size_t i = 0; i < count; ++i)
        spread.push_back(openings[i * openings.size() / count]);
    return spread;
}

}  // namespace

Result<MatchOpenings> read_match_openings(const Arguments& arguments, const GameRules& rules,
                                          const std::vector<PlayerSpec>& players,
                                          std::size_t pairs) {
    const bool can_set_up =
        std::all_of(players.begin(), players.end(), [](const auto& p) { return p.can_set_up(); });
    const auto word = arguments.text("openings").value_or(can_set_up ? "11-man" : "start");
    if (!can_set_up && word != "start")
        return Error{
            "--openings: a player of the protocol can only begin from the start; if it knows our "
            "line 'setup FEN', say so with ;setup=1"};
    Result<MatchOpenings> listed = listed_openings(word, rules);
    if (!listed) return listed;
    MatchOpenings openings = *std::move(listed);
    const auto order = arguments.text("order").value_or("random");
    if (order == "random")
        shuffle_openings(openings.list,
                         static_cast<std::uint64_t>(arguments.integer("seed").value_or(1)));
    else if (order == "spread")
        openings.list = spread_openings(openings.list, pairs);
    else if (order != "listed")
        return Error{"--order: random, listed or spread is needed"};
    DEFIANCE_ASSERT(!openings.list.empty());
    return openings;
}

}  // namespace defiance
