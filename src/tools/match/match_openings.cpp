#include <tools/match/match_openings.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/random.hpp>

namespace defiance {
namespace {

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

Result<NamedOpenings> read_match_openings(const Arguments& arguments, const GameRules& rules,
                                          const std::vector<PlayerSpec>& players,
                                          std::size_t pairs) {
    const bool can_set_up =
        std::all_of(players.begin(), players.end(), [](const auto& p) { return p.can_set_up(); });
    const auto word = arguments.text("openings").value_or(can_set_up ? "11-man" : "start");
    if (!can_set_up && word != "start")
        return Error{
            "--openings: a player of the protocol can only begin from the start; if it knows our "
            "line 'setup FEN', say so with ;setup=1"};
    Result<NamedOpenings> listed = openings_named(rules, word);
    if (!listed) return Error{"--openings: " + listed.error()};
    NamedOpenings openings = *std::move(listed);
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
