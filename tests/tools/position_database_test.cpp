#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <defiance/base/random.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/posdb/board_text.hpp>
#include <tools/posdb/move_names.hpp>
#include <tools/posdb/position_database.hpp>
#include <tools/store/embedded_store.hpp>
#include <tools/support/games.hpp>
#include <tools/support/hub_notation.hpp>

#include "../base/temporary.hpp"
#include "../rules/random_position.hpp"
#include "service_support.hpp"

namespace defiance {

using testing::english;

namespace {

Position board(const GameCore& core, const std::string& text) {
    const auto position = parse_board(core.rules, text);
    INFO(text);
    REQUIRE(position);
    return *position;
}

/// A database in a folder that is gone with it.
struct Fixture {
    explicit Fixture(const GameCore& core = english()) {
        auto opened = EmbeddedStore::open(folder.path(), [](const std::string&) {});
        REQUIRE(opened);
        store = *std::move(opened);
        database = std::make_unique<PositionDatabase>(core, *store, nullptr);
    }

    /// Adds the position with a score for each legal move, that of the first index first.
    void add(const Position& position, const std::vector<int>& scores, std::uint8_t ply = 255,
             const std::optional<Position>& parent = {}, std::uint8_t depth = 10) {
        std::vector<KnownMove> moves;
        for (std::size_t i = 0; i < scores.size(); ++i)
            moves.push_back({static_cast<std::uint8_t>(i), static_cast<std::int16_t>(scores[i]),
                             depth, ScoreSource::search});
        const auto error = database->add(position, moves, ply, parent);
        INFO((error ? error->text : ""));
        REQUIRE_FALSE(error);
    }
    /// Adds it with the same score for all moves.
    void add_even(const Position& position, int score, std::uint8_t ply = 255,
                  const std::optional<Position>& parent = {}) {
        const auto moves = canonical_moves(database->rules(), position);
        add(position, std::vector<int>(moves.size(), score), ply, parent);
    }

    KnownPosition known(const Position& position) {
        const auto found = database->find(position);
        REQUIRE(found);
        REQUIRE(*found);
        return **found;
    }

    TemporaryFolder folder;
    std::unique_ptr<EmbeddedStore> store;
    std::unique_ptr<PositionDatabase> database;
};

}  // namespace

TEST_CASE("boards are read in every form", "[posdb]") {
    for (const GameCore* core : built_games()) {
        const GameRules& rules = core->rules;
        INFO(rules.name);
        const Position start = rules.start_position();
        const std::string fen = to_fen(rules, start);
        const std::vector<std::string> forms = {"startpos",
                                                " STARTPOS ",
                                                fen,
                                                fen + ".",
                                                "[FEN \"" + fen + "\"]",
                                                "\"" + fen + "\"",
                                                "fen \"" + fen + "\"",
                                                fen + ":H0:F1",
                                                fen + ":H0:F1.",
                                                "[FEN \"" + fen + ":H0:F1.\"]",
                                                to_hub_position(rules, start),
                                                fen + " moves",
                                                "startpos moves "};
        for (const std::string& text : forms) {
            INFO(text);
            CHECK(parse_board(rules, text) == start);
        }
        const NamedMove first = named_moves(rules, start).front();
        const NamedMove second = named_moves(rules, first.after).front();
        for (const std::string& base :
             {std::string("startpos"), fen, to_hub_position(rules, start)})
            CHECK(parse_board(rules, base + " moves " + first.name + "  " + second.name) ==
                  second.after);
        if (!rules.algebraic_squares) continue;
        CHECK(parse_board(rules, "W:Wa1,Kc3:Bf6") == parse_fen(rules, "W:Wa1,Kc3:Bf6").operator*());
    }
    CHECK(parse_board(english().rules, "b:w21-32:b1-12") == english().rules.start_position());
}

TEST_CASE("boards that cannot be played on are refused", "[posdb]") {
    const GameRules& rules = english().rules;
    for (const std::string& text :
         {std::string(), std::string("start"), std::string("X:W21:B1"), std::string("W21:B1"),
          std::string("B:W21,21:B1"), std::string("B:W33:B1"), std::string("B:W:B"),
          std::string("B:W1:B2"), std::string("B:WK1-13:B32"), std::string("startpos moves 9-5"),
          std::string("startpos moves 11-15 x"), std::string("startpos moves9-13"),
          std::string("Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwwx"), "B:W21:B1" + std::string(1100, ' '),
          std::string("B:W21:B1:H0:G1"), std::string("B:W21:B1:H"), std::string("\"")}) {
        INFO(text);
        CHECK_FALSE(parse_board(rules, text));
    }
    std::string moves = "B:WK32:BK1 moves";
    for (int i = 0; i < 180; ++i)
        moves += i % 4 == 0 ? " 1-6" : i % 4 == 1 ? " 32-28" : i % 4 == 2 ? " 6-1" : " 28-32";
    CHECK(moves.size() <= max_board_text);
    CHECK(parse_board(rules, moves));
    CHECK_FALSE(parse_board(rules, moves + " 1-2"));
}

TEST_CASE("a board has room for as many moves as may follow it", "[posdb]") {
    constexpr std::array moves = {" 1-5", " 8-4", " 5-1", " 4-8"};
    const auto board_with = [&](int count) {
        std::string text = "B:WK8:BK1 moves";
        for (int i = 0; i < count; ++i)
            text += moves[static_cast<std::size_t>(i) % moves.size()];
        CHECK(text.size() <= max_board_text);
        return text;
    };
    CHECK(parse_board(english().rules, board_with(max_board_moves)));
    CHECK_FALSE(parse_board(english().rules, board_with(max_board_moves + 1)));
}

TEST_CASE("moves have the smallest name of all their paths", "[posdb]") {
    const GameRules& rules = english().rules;
    const Position circle = board(english(), "B:W6,7,14,15:BK2");
    const auto moves = named_moves(rules, circle);
    REQUIRE(moves.size() == 1);
    CHECK(moves[0].name == "2x9x18x11x2");
    const auto paths = path_names(rules, circle, moves[0].move);
    CHECK(paths == std::vector<std::string>{"2x9x18x11x2", "2x11x18x9x2"});
    for (const std::string& text : {std::string("2x11x18x9x2"), std::string("move:2x9x18x11x2"),
                                    std::string("2x2"), std::string("2-2")})
        CHECK(find_move(rules, circle, moves, text) == 0);
    CHECK_FALSE(find_move(rules, circle, moves, "2x9"));
    CHECK_FALSE(find_move(rules, circle, moves, ""));
    const Position start = rules.start_position();
    const auto quiet = named_moves(rules, start);
    REQUIRE(quiet.size() == 7);
    CHECK(quiet.front().name == "9-13");
    CHECK(quiet.back().name == "12-16");
    CHECK(find_move(rules, start, quiet, "11-15") == 4);
}

TEST_CASE("the order of moves is the same for both colours and for ever", "[posdb]") {
    Random random(5);
    std::uint32_t sum = 0;
    for (const GameCore* core : built_games()) {
        const GameRules& rules = core->rules;
        for (int i = 0; i < 500; ++i) {
            const Position p = testing::random_position(random, 40);
            const auto moves = canonical_moves(rules, p);
            const auto turned = canonical_moves(rules, flipped(p));
            REQUIRE(moves.size() == turned.size());
            CHECK(named_moves(rules, p).size() == moves.size());
            CHECK(key_of_board(p) == key_of_board(flipped(p)));
            for (std::size_t m = 0; m < moves.size(); ++m) {
                CHECK(flipped(moves[m].after) == turned[m].after);
                CHECK(index_of_move_to(moves, moves[m].after) == m);
                const PositionKey key = key_of_board(moves[m].after);
                sum = sum * 31 + key.own;
                sum = sum * 31 + key.other;
                sum = sum * 31 + key.kings;
            }
        }
    }
    CHECK(sum == 4187373914U);
}

TEST_CASE("known positions are stored and read again", "[posdb]") {
    const GameRules& rules = english().rules;
    const Position start = rules.start_position();
    const PositionKey key = key_of_board(start);
    KnownPosition known;
    known.ply = 3;
    known.moves = {{0, -17, 9, ScoreSource::search},
                   {2, 29990, 255, ScoreSource::final},
                   {6, -24000, 0, ScoreSource::database}};
    known.parents = {{1, 2, 0}, {0xFFFFFFFF, 0, 1}};
    const std::string bytes = encode(known, rules, key);
    CHECK(decode(bytes, rules, key) == known);
    CHECK(known.best() == 29990);
    REQUIRE(known.find(6) != nullptr);
    CHECK(known.find(6)->score == -24000);
    CHECK(known.find(1) == nullptr);
    CHECK_FALSE(decode(bytes, rules, key_of_board(board(english(), "startpos moves 9-13"))));
    CHECK_FALSE(decode(bytes, rules, {1, 1, 0}));
    for (std::size_t size = 0; size < bytes.size(); ++size)
        CHECK_FALSE(decode(bytes.substr(0, size), rules, key));
    CHECK_FALSE(decode(bytes + "x", rules, key));
    std::string other_index = bytes;
    other_index[6 + 5] = 0;  // of the second move
    CHECK_FALSE(decode(other_index, rules, key));
    Random random(8);
    for (int i = 0; i < 2000; ++i) {
        std::string damaged = bytes;
        damaged[static_cast<std::size_t>(random.below(static_cast<int>(bytes.size())))] ^=
            static_cast<char>(1 + random.below(255));
        const auto read = decode(damaged, rules, key);
        if (read) CHECK(encode(*read, rules, key) == damaged);
    }
}

TEST_CASE("scores go up to the positions before as minimax values", "[posdb]") {
    Fixture f;
    const Position start = f.database->rules().start_position();
    const auto moves = canonical_moves(f.database->rules(), start);
    f.add(start, {1, 2, 3, 4, 5, 6, 7}, 0);
    CHECK(f.known(start).best() == 7);
    const Position after = moves[6].after;
    f.add_even(after, 30, 1, start);
    CHECK(f.known(start).find(6)->score == -30);
    CHECK(f.known(start).find(6)->source == ScoreSource::expansion);
    CHECK(f.known(start).find(6)->depth == 11);
    CHECK(f.known(start).best() == 6);
    const auto replies = canonical_moves(f.database->rules(), after);
    for (const CanonicalMove& reply : replies)
        f.add_even(reply.after, 50, 2, after);
    CHECK(f.known(after).best() == -50);
    CHECK(f.known(start).find(6)->score == 50);
    CHECK(f.known(replies[0].after).ply == 2);
    // A search of more depth counts for a move that was searched, and for no other.
    std::vector<KnownMove> deeper;
    for (std::uint8_t i = 0; i < 7; ++i)
        deeper.push_back({i, -1, 20, ScoreSource::search});
    REQUIRE_FALSE(f.database->add(start, deeper, 0, {}));
    CHECK(f.known(start).find(0)->score == -1);
    CHECK(f.known(start).find(6)->score == 50);
    std::size_t visited = 0;
    REQUIRE_FALSE(f.database->for_each([&](const Position& position, const KnownPosition& known) {
        CHECK(f.known(position) == known);
        return ++visited < 3;
    }));
    CHECK(visited == 3);
}

TEST_CASE("a position that is reached by another order of moves has both parents", "[posdb]") {
    Fixture f;
    const Position one = board(english(), "startpos moves 11-15 23-19");
    const Position other = board(english(), "startpos moves 9-14 23-19");
    const Position end = board(english(), "startpos moves 11-15 23-19 9-14");
    f.add_even(one, 0);
    f.add_even(other, 0);
    f.add_even(end, 40);
    for (const Position& parent : {one, other}) {
        const auto index = index_of_move_to(canonical_moves(english().rules, parent), end);
        REQUIRE(index);
        CHECK(f.known(parent).find(*index)->score == -40);
    }
    CHECK(f.known(end).parents.size() == 2);
}

TEST_CASE("proven scores lose a ply on each step up", "[posdb]") {
    Fixture f;
    const Position start = f.database->rules().start_position();
    const auto moves = canonical_moves(f.database->rules(), start);
    f.add_even(start, 0);
    f.add_even(moves[0].after, -29990, 1, start);
    CHECK(f.known(start).find(0)->score == 29989);
    f.add_even(moves[1].after, 24000, 1, start);
    CHECK(f.known(start).find(1)->score == -24000);
    // What is proven is not replaced by a guess.
    const KnownMove proven = {2, 29000, 20, ScoreSource::final};
    REQUIRE_FALSE(f.database->add(start, {&proven, 1}, 0, {}));
    f.add_even(moves[2].after, 5, 1, start);
    CHECK(f.known(start).find(2)->score == 29000);
}

TEST_CASE("a position with unknown moves tells its parents nothing", "[posdb]") {
    Fixture f;
    const Position start = f.database->rules().start_position();
    const auto moves = canonical_moves(f.database->rules(), start);
    f.add_even(start, 3);
    f.add(moves[0].after, {-500}, 1, start);
    CHECK(f.known(start).find(0)->score == 3);
}

TEST_CASE("a best line that comes back to its beginning is a draw", "[posdb]") {
    Fixture f;
    // Two kings each in their corners: the best move of both is to and fro.
    const std::vector<std::string> round = {"1-6", "32-28", "6-1", "28-32"};
    std::string text = "B:WK32:BK1 moves";
    std::vector<Position> positions = {board(english(), text)};
    for (std::size_t i = 0; i < 3; ++i)
        positions.push_back(board(english(), text += " " + round[i]));
    for (std::size_t i = 0; i < 4; ++i) {
        const auto moves = canonical_moves(english().rules, positions[i]);
        const auto index = index_of_move_to(moves, positions[(i + 1) % 4]);
        REQUIRE(index);
        std::vector<int> scores(moves.size(), -200);
        scores[*index] = i % 2 == 0 ? 70 : -70;
        f.add(positions[i], scores);
    }
    for (const Position& position : positions)
        CHECK(f.known(position).best() == 0);
}

TEST_CASE("a best line ends where it is not known or comes back", "[posdb]") {
    Fixture f;
    const Position start = f.database->rules().start_position();
    CHECK(f.database->best_line(start, 10)->empty());
    f.add(start, {1, 2, 3, 4, 5, 6, 7}, 0);
    f.add_even(canonical_moves(english().rules, start)[6].after, -8, 1, start);
    const auto line = f.database->best_line(start, 10);
    REQUIRE(line);
    REQUIRE(line->size() == 2);
    CHECK((*line)[0].index == 6);
    CHECK((*line)[0].known.score == 8);
    CHECK(f.database->best_line(start, 1)->size() == 1);
}

TEST_CASE("ranks and thresholds are those of Chess Cloud Database", "[posdb]") {
    CHECK(good_threshold(0) == Approx(-5));
    CHECK(best_threshold(0) == Approx(-2.5));
    CHECK(good_threshold(10) == Approx(10 - 10 / (1 + std::exp(-1.0))));
    CHECK(good_threshold(75) == Approx(75));
    const double at_minus_30 = -30 - 10 / (1 + std::exp(-3.0));
    CHECK(good_threshold(-30) == Approx(at_minus_30));
    CHECK(good_threshold(-40) == Approx((at_minus_30 - 50) / 2));
    CHECK(good_threshold(-50) == Approx(-50));
    CHECK(good_threshold(-1000) == Approx(-50));
    CHECK(best_threshold(50) == Approx(50));
    CHECK(best_threshold(1) == Approx(1));
    CHECK(rank_of(10, 10) == 2);
    CHECK(rank_of(4, 10) == 1);
    CHECK(rank_of(2, 10) == 0);
    CHECK(rank_of(-40, -40) == 2);
    CHECK(rank_of(-44, -40) == 1);
    CHECK(rank_of(-45, -40) == 0);
    CHECK(rank_of(-100, -100) == 0);
    // The best move is good as long as the position does not look lost.
    for (int best = -50; best <= 100; ++best)
        CHECK(rank_of(best, best) == 2);
    CHECK(win_rate(0) == Approx(50));
    CHECK(win_rate(certain_score - 1));
    CHECK_FALSE(win_rate(certain_score));
    CHECK_FALSE(win_rate(-certain_score));
    CHECK_FALSE(win_rate(24000));
    CHECK(score_of_move(-30000) == 29999);
    CHECK(score_of_move(24000) == -24000);
    CHECK(score_of_move(12) == -12);
}

}  // namespace defiance
