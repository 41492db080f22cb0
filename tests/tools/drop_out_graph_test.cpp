#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

#include <defiance/base/random.hpp>
#include <tools/expansion/drop_out_graph.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

const GameRules& graph_rules() {
    return find_game("english")->rules;
}

/// The same score for all moves but the one with this index.
std::vector<KnownMove> equal_scores(const Position& position, int score, std::size_t best = 0,
                                    int best_score = 0) {
    std::vector<KnownMove> moves;
    const auto legal = canonical_moves(graph_rules(), position);
    for (std::size_t i = 0; i < legal.size(); ++i)
        moves.push_back({static_cast<std::uint8_t>(i),
                         static_cast<std::int16_t>(i == best ? best_score : score), 5,
                         ScoreSource::search});
    return moves;
}

Position after_move(const Position& position, std::size_t index) {
    return canonical_moves(graph_rules(), position)[index].after;
}

/// A pseudo-random search: scores that depend on the position alone.
std::vector<KnownMove> scores_by_chance(const Position& position) {
    Random random(key_of(board_of(key_of_board(position))));
    std::vector<KnownMove> moves = equal_scores(position, 0);
    for (KnownMove& move : moves)
        move.score = static_cast<std::int16_t>(random.below(81) - 40);
    return moves;
}

}  // namespace

TEST_CASE("the roots are searched first, and then the best line", "[book][expansion]") {
    DropOutGraph graph(graph_rules(), {1000, 300});
    const Position start = graph_rules().start_position();
    graph.add_root(start, 0);
    const auto first = graph.cheapest(10);
    REQUIRE(first.size() == 1);
    CHECK(first[0].position == start);
    CHECK(first[0].ply == 0);
    CHECK_FALSE(first[0].parent);

    graph.add(start, equal_scores(start, -10, 3, 0));
    CHECK(graph.knows(start));
    CHECK(graph.value(start) == 0);
    const auto leaves = graph.cheapest(100);
    REQUIRE(leaves.size() == 7);
    CHECK(leaves[0].position == board_of(key_of_board(after_move(start, 3))));
    CHECK(leaves[0].parent == start);
    CHECK(leaves[0].ply == 1);

    // The opponent finds that it loses 20: all the other moves are better, and it costs three
    // plies more than they.
    const Position best = after_move(start, 3);
    graph.add(best, equal_scores(best, 20, 0, 20));
    CHECK(graph.value(start) == -10);
    const auto next = graph.cheapest(100);
    for (std::size_t i = 0; i < 6; ++i)
        CHECK(next[i].ply == 1);
    CHECK(next[6].ply == 2);
}

TEST_CASE("a root that counts for more plies waits as long", "[book][expansion]") {
    DropOutGraph graph(graph_rules(), {1000, 0});
    const Position start = graph_rules().start_position();
    Position ballot = start;
    ballot.black &= ballot.black - 1;
    ballot.white &= ballot.white - 1;
    graph.add_root(start, 0);
    graph.add_root(ballot, 2);
    graph.add(start, equal_scores(start, 0));
    const auto leaves = graph.cheapest(100);
    REQUIRE(leaves.size() == 8);
    CHECK(leaves[7].position == ballot);
    CHECK_FALSE(leaves[7].parent);
}

TEST_CASE("what was added first makes no difference", "[book][expansion]") {
    const Position start = graph_rules().start_position();
    DropOutGraph first(graph_rules(), {});
    first.add_root(start, 0);
    std::vector<Position> known;
    while (first.size() < 600)
        for (const ExpansionLeaf& leaf : first.cheapest(20)) {
            first.add(leaf.position, scores_by_chance(leaf.position));
            known.push_back(leaf.position);
        }
    DropOutGraph second(graph_rules(), {});
    second.add_root(start, 0);
    std::reverse(known.begin(), known.end());
    for (const Position& position : known)
        second.add(position, scores_by_chance(position));
    REQUIRE(second.size() == first.size());
    std::size_t transpositions = 0;
    for (const Position& position : known) {
        REQUIRE(second.value(position) == first.value(position));
        REQUIRE(second.parents(position) == first.parents(position));
        transpositions += first.parents(position).size() > 1;
    }
    CHECK(transpositions > 20);
    const auto a = first.cheapest(300);
    const auto b = second.cheapest(300);
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(a[i].position == b[i].position);
        CHECK(a[i].parent == b[i].parent);
        CHECK(a[i].ply == b[i].ply);
    }
}

TEST_CASE("values are those of minimax", "[book][expansion]") {
    const Position start = graph_rules().start_position();
    DropOutGraph graph(graph_rules(), {});
    graph.add_root(start, 0);
    std::vector<Position> known;
    while (graph.size() < 300)
        for (const ExpansionLeaf& leaf : graph.cheapest(7)) {
            graph.add(leaf.position, scores_by_chance(leaf.position));
            known.push_back(leaf.position);
        }
    for (const Position& position : known) {
        const auto searched = scores_by_chance(position);
        const auto legal = canonical_moves(graph_rules(), board_of(key_of_board(position)));
        int best = -proven_score;
        for (std::size_t i = 0; i < legal.size(); ++i) {
            const bool is_known = graph.knows(legal[i].after);
            best = std::max(best, is_known ? score_of_move(graph.value(legal[i].after))
                                           : int{searched[i].score});
        }
        REQUIRE(graph.value(position) == best);
    }
}

TEST_CASE("nothing is searched behind what is certain", "[book][expansion]") {
    DropOutGraph graph(graph_rules(), {});
    const Position start = graph_rules().start_position();
    graph.add_root(start, 0);
    auto moves = equal_scores(start, 0);
    moves[0].source = ScoreSource::final;
    moves[1].source = ScoreSource::database;
    graph.add(start, moves);
    CHECK(graph.cheapest(100).size() == 5);

    // Six pieces, of which one may be taken.
    const Position ending = {bit(0) | bit(13) | bit(2), bit(30) | bit(31) | bit(17), 0,
                             Side::black};
    REQUIRE(graph_rules().count_moves(ending) > 0);
    for (const int endgame_pieces : {0, 5, 6}) {
        DropOutGraph few(graph_rules(), {}, endgame_pieces);
        few.add_root(ending, 0);
        few.add(ending, equal_scores(ending, 0));
        std::size_t more = 0;
        for (const CanonicalMove& move : canonical_moves(graph_rules(), ending))
            more += count(move.after.occupied()) > endgame_pieces;
        CHECK(few.cheapest(100).size() == more);
    }
}

}  // namespace defiance
