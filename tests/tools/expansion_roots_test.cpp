#include <catch2/catch.hpp>

#include <cstdint>

#include <tools/expansion/expansion_roots.hpp>
#include <tools/support/games.hpp>

#include "../base/temporary.hpp"
#include "store_contract.hpp"

namespace defiance {

TEST_CASE("shards share roots and positions out", "[book][expansion]") {
    const GameRules& rules = find_game("english")->rules;
    const auto roots = value_of(expansion_roots(rules, "3move"));
    REQUIRE(roots.size() == 175);
    CHECK(roots[0].position == rules.start_position());
    std::size_t all_roots = 0;
    std::uint64_t all_positions = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
        const auto own = roots_of_shard(roots, {i, 4});
        CHECK(own.size() == (i < 3 ? 44U : 43U));
        CHECK(own[1].position == roots[i + 4].position);
        all_roots += own.size();
        all_positions += share_of(102, {i, 4});
        CHECK(share_of(102, {i, 4}) == (i < 2 ? 26U : 25U));
    }
    CHECK(all_roots == roots.size());
    CHECK(all_positions == 102);
    CHECK_FALSE(expansion_roots(find_game("russian")->rules, "3move"));
    CHECK_FALSE(expansion_roots(rules, "no_such_file"));
}

TEST_CASE("no line begins where a side has no piece", "[book][expansion]") {
    const GameRules& rules = find_game("english")->rules;
    for (const char* opening : {"B:W:B1", "[FEN \"B:W:B1\"]\n*\n"}) {
        const TemporaryFile file(opening);
        const auto roots = expansion_roots(rules, file.path());
        REQUIRE_FALSE(roots);
        CHECK_THAT(roots.error(), Catch::Contains("no white piece"));
    }
}

TEST_CASE("openings are known by the names that matches have for them too", "[book][expansion]") {
    const GameRules& rules = find_game("english")->rules;
    CHECK(value_of(expansion_roots(rules, "3-move")).size() == 175);
    CHECK(value_of(expansion_roots(rules, "11-man")).size() ==
          value_of(expansion_roots(rules, "11man")).size());
}

}  // namespace defiance
