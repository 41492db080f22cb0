// How scores spread while others write, after interruptions, and around values that make no sense.

#include "dump_fixture.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tools/posdb/board_text.hpp>
#include <tools/posdb/position_view.hpp>

#include "store_contract.hpp"
#include "wrapped_store.hpp"

namespace defiance {
namespace {

/// A store that asks before each update whether it may be made, and counts what is read at once.
class AskingStore : public WrappedStore {
public:
    using WrappedStore::WrappedStore;

    /// An update fails when it returns false.
    std::function<bool(const PositionKey&)> may_update = [](const PositionKey&) { return true; };
    int reads = 0;

    Result<std::vector<std::optional<StoredValue>>> get_many(
        StoreGame game, std::span<const PositionKey> keys) override {
        ++reads;
        return WrappedStore::get_many(game, keys);
    }
    Result<UpdateOutcome> update(StoreGame game, const PositionKey& key, std::uint32_t expected,
                                 std::string_view value) override {
        if (!may_update(key)) return Error{"the store has failed"};
        return WrappedStore::update(game, key, expected, value);
    }
};

/// What is read of a position and its moves.
PositionView read_view(PositionDatabase& database, const Position& position) {
    EgdbBudget budget;
    return value_of(look_up(database, position, EgdbMetric::end_of_game, budget));
}

constexpr std::uint8_t usual_depth = 10;

/// Searched scores of all moves of a position.
std::vector<KnownMove> searched_moves(const GameRules& rules, const Position& position, int first,
                                      int others, std::uint8_t depth = usual_depth) {
    std::vector<KnownMove> moves;
    while (moves.size() < canonical_moves(rules, position).size())
        moves.push_back({static_cast<std::uint8_t>(moves.size()),
                         static_cast<std::int16_t>(moves.empty() ? first : others), depth,
                         ScoreSource::search});
    return moves;
}

/// The start, the position after its first move, and those after the first two moves there.
struct SmallTree {
    void add(PositionDatabase& by, const Position& position, int score, int others,
             std::uint8_t depth = usual_depth) {
        const auto error =
            by.add(position, searched_moves(by.rules(), position, score, others, depth), 255, {});
        INFO((error ? error->text : ""));
        REQUIRE_FALSE(error);
    }
    KnownPosition known(const Position& position) {
        const auto found = value_of(database.find(position));
        REQUIRE(found);
        return *found;
    }
    StoredValue stored(const Position& position) {
        const auto found = value_of(fixture.store->get(database.game(), key_of_board(position)));
        REQUIRE(found);
        return *found;
    }
    void store(const Position& position, std::string_view bytes) {
        CHECK(value_of(fixture.store->update(database.game(), key_of_board(position),
                                             stored(position).version, bytes)) ==
              UpdateOutcome::stored);
    }
    Position after(const Position& position, std::size_t index) const {
        return canonical_moves(database.rules(), position)[index].after;
    }

    DumpFixture fixture;
    const GameCore& core = *find_game("english");
    PositionDatabase database{core, *fixture.store, nullptr};
    Position start = core.rules.start_position();
    Position child = after(start, 0);
    Position first = after(child, 0);
    Position second = after(child, 1);
};

/// Adds the first position while another thread, so to say, adds the second one: all of it before
/// the start is written.
void add_both_at_once(SmallTree& tree, int first, int second) {
    AskingStore store(*tree.fixture.store);
    PositionDatabase slow(tree.core, store, nullptr);
    bool is_added = false;
    store.may_update = [&](const PositionKey& key) {
        if (key == key_of_board(tree.start) && !std::exchange(is_added, true))
            tree.add(tree.database, tree.second, second, second);
        return true;
    };
    tree.add(slow, tree.first, first, first);
    CHECK(is_added);
}

constexpr std::uint8_t line_plies = 4;
static_assert(line_plies % 2 == 0, "the end would tell the start the other sign");

/// The start and what first moves lead to, so many plies deep. All but the last are known.
std::vector<Position> known_line(PositionDatabase& database) {
    std::vector<Position> line = {database.rules().start_position()};
    for (std::uint8_t ply = 0; ply < line_plies; ++ply) {
        const Position position = line.back();
        const auto parent = ply == 0 ? std::optional<Position>() : line[ply - 1U];
        REQUIRE_FALSE(database.add(position, searched_moves(database.rules(), position, 0, -300),
                                   ply, parent));
        line.push_back(canonical_moves(database.rules(), position).front().after);
    }
    return line;
}

/// Adds the last position of a line, which changes the best scores of all others.
std::optional<Error> add_end(PositionDatabase& database, const std::vector<Position>& line) {
    return database.add(line.back(), searched_moves(database.rules(), line.back(), 40, 40),
                        line_plies, line[line_plies - 1U]);
}

/// Whether all positions of a line say what its end tells.
bool has_spread(PositionDatabase& database, const std::vector<Position>& line) {
    bool has_all = true;
    for (std::size_t ply = 0; ply < line_plies; ++ply) {
        const auto known = value_of(database.find(line[ply]));
        has_all &= known && known->best() == (ply % 2 == 0 ? 40 : -40);
    }
    return has_all;
}

/// Adds the end of a line on a store that fails after so many updates. False when it was enough.
bool add_end_in_vain(PositionDatabase& database, AskingStore& store,
                     const std::vector<Position>& line, int updates) {
    store.may_update = [&updates](const PositionKey&) { return updates-- > 0; };
    const bool has_failed = add_end(database, line).has_value();
    store.may_update = [](const PositionKey&) { return true; };
    return has_failed;
}

}  // namespace

TEST_CASE("a parent that two threads change has the newest score of its child", "[posdb]") {
    SmallTree tree;
    tree.add(tree.database, tree.start, 0, 0);
    tree.add(tree.database, tree.child, 100, -300);
    REQUIRE(tree.known(tree.start).find(0)->score == -100);
    add_both_at_once(tree, -10, -50);
    CHECK(tree.known(tree.child).best() == 50);
    CHECK(tree.known(tree.start).find(0)->score == -50);
}

TEST_CASE("a parent that another thread has found right stays so", "[posdb]") {
    SmallTree tree;
    tree.add(tree.database, tree.start, 0, 0);
    // As deep as what comes from the position after it: the other thread finds nothing to change.
    constexpr std::uint8_t deeper = usual_depth + 1;
    tree.add(tree.database, tree.child, 50, -300, deeper);
    const KnownPosition before = tree.known(tree.start);
    REQUIRE(before.find(0)->score == -50);
    add_both_at_once(tree, -10, -50);
    CHECK(tree.known(tree.child).best() == 50);
    CHECK(tree.known(tree.start) == before);
}

TEST_CASE("what was interrupted is finished when a position is added again", "[posdb]") {
    int updates = 1;
    for (bool is_enough = false; !is_enough; ++updates) {
        INFO(updates);
        for (const bool is_started_anew : {false, true}) {
            DumpFixture fixture;
            AskingStore store(*fixture.store);
            const GameCore& core = *find_game("english");
            PositionDatabase database(core, store, nullptr);
            const auto line = known_line(database);
            is_enough = !add_end_in_vain(database, store, line, updates);
            CHECK(has_spread(database, line) == is_enough);
            if (is_started_anew) {
                // The task is given out once more, and its position is known.
                PositionDatabase anew(core, store, nullptr);
                REQUIRE_FALSE(anew.add(line.back(), {}, line_plies, line[line_plies - 1U]));
            } else {
                REQUIRE_FALSE(add_end(database, line));
            }
            CHECK(has_spread(database, line));
        }
    }
    CHECK(updates > line_plies + 1);
}

TEST_CASE("nothing is written when a position is added again and all is done", "[posdb]") {
    DumpFixture fixture;
    AskingStore store(*fixture.store);
    const GameCore& core = *find_game("english");
    PositionDatabase database(core, store, nullptr);
    const auto line = known_line(database);
    REQUIRE_FALSE(add_end(database, line));
    int updates = 0;
    store.may_update = [&](const PositionKey&) {
        ++updates;
        return true;
    };
    store.reads = 0;
    REQUIRE_FALSE(add_end(database, line));
    CHECK(store.reads == 0);
    PositionDatabase anew(core, store, nullptr);
    REQUIRE_FALSE(add_end(anew, line));
    CHECK(store.reads > 0);
    CHECK(updates == 0);
}

TEST_CASE("a score whose way up was interrupted goes on when it is read", "[posdb]") {
    DumpFixture fixture;
    AskingStore store(*fixture.store);
    PositionDatabase database(*find_game("english"), store, nullptr);
    const auto line = known_line(database);
    // The end itself, and the position before it.
    REQUIRE(add_end_in_vain(database, store, line, 2));
    REQUIRE_FALSE(has_spread(database, line));
    const auto view = read_view(database, line[line_plies - 2U]);
    CHECK(view.best() == 40);
    CHECK(has_spread(database, line));
}

TEST_CASE("a parent that a position has forgotten learns of its score when it is read", "[posdb]") {
    SmallTree tree;
    tree.add(tree.database, tree.start, 0, 0);
    tree.add(tree.database, tree.child, 100, -300);
    KnownPosition forgetful = tree.known(tree.child);
    REQUIRE(forgetful.parents == std::vector{key_of_board(tree.start)});
    forgetful.parents.clear();
    tree.store(tree.child, encode(forgetful, tree.core.rules, key_of_board(tree.child)));
    tree.add(tree.database, tree.first, -10, -10);
    CHECK(tree.known(tree.child).best() == 10);
    CHECK(tree.known(tree.start).find(0)->score == -100);
    static_cast<void>(read_view(tree.database, tree.start));
    CHECK(tree.known(tree.start).find(0)->score == -10);
    CHECK(tree.known(tree.child).parents == std::vector{key_of_board(tree.start)});
}

TEST_CASE("a way round is passed over for a move that leads out", "[posdb]") {
    DumpFixture fixture;
    AskingStore store(*fixture.store);
    const GameCore& core = *find_game("english");
    PositionDatabase database(core, store, nullptr);
    // Two kings go to and fro, but the first position has another good move.
    std::string text = "B:WK32:BK1 moves";
    std::vector<Position> line;
    for (const char* move : {" 1-6", " 32-28", " 6-1", " 28-32"}) {
        const auto position = parse_board(core.rules, text);
        REQUIRE(position);
        line.push_back(*position);
        text += move;
    }
    for (std::size_t i = 0; i < line.size(); ++i) {
        const auto next =
            index_of_move_to(canonical_moves(core.rules, line[i]), line[(i + 1) % line.size()]);
        REQUIRE(next);
        const int others = i == 0 ? 30 : -200;
        std::vector<KnownMove> moves = searched_moves(core.rules, line[i], others, others);
        moves[*next].score = static_cast<std::int16_t>(i % 2 == 0 ? 70 : -70);
        REQUIRE_FALSE(database.add(line[i], moves, 255, {}));
    }
    const auto index = index_of_move_to(canonical_moves(core.rules, line[0]), line[1]);
    REQUIRE(index);
    const auto known = value_of(database.find(line[0]));
    const auto after = value_of(database.find(line[1]));
    REQUIRE((known && after));
    // The same is to be had after the way round, but not sooner.
    CHECK(known->find(*index)->score == 30);
    CHECK(known->find(*index)->is_detour());
    CHECK(known->best_move().index != *index);
    CHECK(after->best() == -30);
    for (const Position& position : line) {
        store.reads = 0;
        const auto view = read_view(database, position);
        CHECK(store.reads <= 2 + static_cast<int>(line.size()));
        const auto best = value_of(database.find(position))->best_move();
        CHECK(view.moves.front().index == best.index);
    }
}

TEST_CASE("scores that rest on nothing but each other are settled when they are read", "[posdb]") {
    DumpFixture fixture;
    const GameCore& core = *find_game("english");
    PositionDatabase database(core, *fixture.store, nullptr);
    // As a version without settling has left them.
    std::string text = "B:WK32:BK1 moves";
    std::vector<Position> line;
    for (const char* move : {" 1-6", " 32-28", " 6-1", " 28-32"}) {
        line.push_back(*parse_board(core.rules, text));
        text += move;
    }
    for (std::size_t i = 0; i < line.size(); ++i) {
        const int sign = i % 2 == 0 ? 1 : -1;
        KnownPosition known;
        known.moves = searched_moves(core.rules, line[i], -200, -200);
        const auto next =
            index_of_move_to(canonical_moves(core.rules, line[i]), line[(i + 1) % line.size()]);
        known.moves[*next] = {static_cast<std::uint8_t>(*next),
                              static_cast<std::int16_t>(sign * 155), 20, ScoreSource::expansion};
        known.parents = {key_of_board(line[(i + 3) % line.size()])};
        REQUIRE(value_of(database.merge(key_of_board(line[i]), known)));
    }
    CHECK(read_view(database, line[0]).best() == 0);
    for (const Position& position : line)
        CHECK(value_of(database.find(position))->best() == 0);
}

TEST_CASE("a parent by a capture is told at once", "[posdb]") {
    struct Case {
        const char* game;
        const char* parent;
        const char* capture;
    };
    for (const Case& c :
         {Case{"english", "B:W15,32:B11,1", "11x18"},
          Case{"english", "B:W15,22,32:B11,1", "11x18x25"},
          Case{"english", "B:W15,22,27,32:BK11,1", "11x18x25"},
          Case{"english", "B:W26,20:B22,1", "22x31"}, Case{"russian", "W:WKa1,h2:Bd4,h8", "a1xf6"},
          Case{"russian", "W:Wc3,h2:Bd4,f6,h8", "c3xe5xg7"}}) {
        INFO(c.parent);
        const GameCore& core = *find_game(c.game);
        const auto parent = parse_board(core.rules, c.parent);
        const auto child =
            parse_board(core.rules, std::string(c.parent) + " moves " + std::string(c.capture));
        REQUIRE((parent && child));
        DumpFixture fixture;
        PositionDatabase database(core, *fixture.store, nullptr);
        REQUIRE_FALSE(database.add(*parent, searched_moves(core.rules, *parent, 0, 0), 255, {}));
        REQUIRE_FALSE(database.add(*child, searched_moves(core.rules, *child, 33, 33), 255, {}));
        const auto index = index_of_move_to(canonical_moves(core.rules, *parent), *child);
        REQUIRE(index);
        CHECK(value_of(database.find(*parent))->find(*index)->score == -33);
    }
}

TEST_CASE("a value that makes no sense is as good as none", "[posdb][hostile]") {
    for (const bool is_of_another : {false, true}) {
        SmallTree tree;
        tree.add(tree.database, tree.start, 0, 0);
        tree.add(tree.database, tree.child, 100, -300);
        tree.add(tree.database, tree.first, -10, -10);
        std::string bytes = "rubbish";
        if (is_of_another) bytes = tree.stored(tree.start).bytes;
        tree.store(tree.child, bytes);
        const std::uint32_t version = tree.stored(tree.child).version;
        CHECK_FALSE(value_of(tree.database.find(tree.child)));
        CHECK(tree.database.undecodable() == 1);
        // Nobody around it is in trouble.
        const auto view = read_view(tree.database, tree.start);
        CHECK(view.state == PositionView::State::known);
        int visited = 0;
        CHECK_FALSE(tree.database.for_each(
            [&](const Position&, const KnownPosition&) { return ++visited < 10; }));
        CHECK(visited == 2);
        tree.add(tree.database, tree.second, -50, -50);
        CHECK((tree.stored(tree.child).bytes == bytes));
        // The next value takes its place.
        tree.add(tree.database, tree.child, 77, -300);
        CHECK(tree.stored(tree.child).version > version);
        CHECK(tree.known(tree.child).find(0)->score == 10);
        CHECK(tree.known(tree.child).find(1)->score == 50);
        CHECK(tree.known(tree.start).find(0)->score == -50);
    }
}

}  // namespace defiance
