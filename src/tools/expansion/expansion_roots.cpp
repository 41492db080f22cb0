#include <tools/expansion/expansion_roots.hpp>

#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <tools/support/openings.hpp>

namespace defiance {
namespace {

constexpr std::size_t max_ballot_file = std::size_t{16} << 20;

/// How many plies an 11-man ballot counts for: a book is most often used from the start.
constexpr int plies_of_removed_men = 4;
constexpr int plies_of_opening = 3;

Result<std::vector<Opening>> openings_of(const GameRules& rules, const std::string& ballots) {
    if (ballots == "3move" || ballots == "3-move") {
        if (!has_three_move_openings(rules))
            return Error{"the openings 3-move are for English only"};
        return three_move_openings();
    }
    const Result<std::string> text = read_file(ballots, max_ballot_file);
    if (!text) return Error{text.error()};
    Result<std::vector<Opening>> read = read_openings(rules, *text);
    if (!read) return Error{ballots + ": " + read.error()};
    return read;
}

}  // namespace

Result<std::vector<ExpansionRoot>> expansion_roots(const GameRules& rules,
                                                   const std::string& ballots) {
    std::vector<ExpansionRoot> roots = {{rules.start_position(), 0}};
    if (ballots == "none") return roots;
    if (ballots == "11man" || ballots == "11-man") {
        for (const Position& position : eleven_man_ballots(rules))
            roots.push_back({position, plies_of_removed_men});
    } else {
        const auto openings = openings_of(rules, ballots);
        if (!openings) return Error{openings.error()};
        for (const Opening& opening : *openings) {
            // Also a game that is over: no book can hold it.
            if (const auto fault = find_fault(opening.position))
                return Error{"the position of '" + opening.name + "' has " +
                             std::string(describe(*fault))};
            roots.push_back({opening.position, plies_of_opening});
        }
    }
    DEFIANCE_ASSERT(roots.size() > 1);
    return roots;
}

std::vector<ExpansionRoot> roots_of_shard(const std::vector<ExpansionRoot>& roots,
                                          const Shard& shard) {
    DEFIANCE_ASSERT(shard.number < shard.of);
    std::vector<ExpansionRoot> own;
    for (std::size_t i = shard.number; i < roots.size(); i += shard.of)
        own.push_back(roots[i]);
    return own;
}

}  // namespace defiance
