#include <catch2/catch.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/book/opening_book.hpp>
#include <tools/book/batch_file.hpp>
#include <tools/book/expansion.hpp>
#include <tools/store/embedded_store.hpp>
#include <tools/support/games.hpp>
#include <tools/support/openings.hpp>

#include "../base/temporary.hpp"
#include "wrapped_store.hpp"

namespace defiance {
namespace {

constexpr std::size_t positions_wanted = 90;

ExpansionSettings test_settings(const TemporaryFolder& folder, int threads) {
    ExpansionSettings settings;
    settings.positions = positions_wanted;
    settings.effort.nodes = 100;
    settings.threads = threads;
    settings.batch_file = folder.path() + "/batch";
    return settings;
}

std::vector<ExpansionRoot> test_roots(const GameCore& core) {
    std::vector<ExpansionRoot> roots = {{core.rules.start_position(), 0}};
    for (const Position& ballot : eleven_man_ballots(core.rules))
        if (roots.size() < 6) roots.push_back({ballot, 2});
    return roots;
}

/// A store in which another program changes now and then what this one is about to.
class MeddlingStore : public WrappedStore {
public:
    using WrappedStore::WrappedStore;

    Result<UpdateOutcome> update(StoreGame game, const PositionKey& key, std::uint32_t expected,
                                 std::string_view value) override {
        constexpr int seldom = 11;
        if (expected != 0 && ++updates_ % seldom == 0) {
            const auto before = WrappedStore::get(game, key);
            REQUIRE((before && *before && (*before)->version == expected));
            const auto meddled = WrappedStore::update(game, key, expected, (*before)->bytes);
            REQUIRE((meddled && *meddled == UpdateOutcome::stored));
            ++conflicts;
        }
        return WrappedStore::update(game, key, expected, value);
    }

    int conflicts = 0;

private:
    int updates_ = 0;
};

/// A store that looks whether all is on the disk when a batch begins.
class BatchWatch : public WrappedStore {
public:
    BatchWatch(PositionStore& store, std::string batch_file)
        : WrappedStore(store), batch_file_(std::move(batch_file)) {}

    Result<UpdateOutcome> update(StoreGame game, const PositionKey& key, std::uint32_t expected,
                                 std::string_view value) override {
        const auto batch = read_file(batch_file_, 1 << 20);
        if (batch && *batch != batch_) {
            batch_ = *batch;
            ++batches;
            if (updates_at_risk_ > 0) ++batches_at_risk;
        }
        ++updates_at_risk_;
        return WrappedStore::update(game, key, expected, value);
    }
    std::optional<Error> commit() override {
        updates_at_risk_ = 0;
        return WrappedStore::commit();
    }

    int batches = 0;
    int batches_at_risk = 0;

private:
    std::string batch_file_;
    std::string batch_;
    int updates_at_risk_ = 0;
};

/// Makes a book of a store at one go.
std::string build_with(PositionStore& store, const GameCore& core, const TemporaryFolder& folder,
                       const ExpansionSettings& settings) {
    const auto roots = test_roots(core);
    const auto grouped = GroupedStore::open(store, folder.path() + "/journal");
    REQUIRE(grouped);
    PositionDatabase database(core, **grouped, nullptr);
    const auto done = expand_book(
        database, **grouped, core, nullptr, roots, settings, [] { return false; },
        [](std::size_t) { return true; });
    REQUIRE((done && *done));
    const auto positions = collect_book(database, roots);
    REQUIRE(positions);
    const auto bytes = make_book(core.rules, *positions, "test");
    REQUIRE(bytes);
    return *bytes;
}

/// Makes a book in the folder, cut off after so many positions, and again until it is complete.
std::string build_in(const GameCore& core, const TemporaryFolder& folder, int threads,
                     std::size_t positions_at_once) {
    const auto roots = test_roots(core);
    const ExpansionSettings settings = test_settings(folder, threads);
    for (int run = 0; run < 100; ++run) {
        const auto store = EmbeddedStore::open(folder.path(), [](const std::string&) {});
        REQUIRE(store);
        const auto grouped = GroupedStore::open(**store, folder.path() + "/journal");
        REQUIRE(grouped);
        PositionDatabase database(core, **grouped, nullptr);
        std::size_t first = 0;
        const auto done = expand_book(
            database, **grouped, core, nullptr, roots, settings, [] { return false; },
            [&](std::size_t known) {
                if (first == 0) first = known;
                return known < first + positions_at_once;
            });
        INFO((done ? "" : done.error()));
        REQUIRE(done);
        if (!*done) continue;
        CHECK_FALSE(std::filesystem::exists(settings.batch_file));
        const auto positions = collect_book(database, roots);
        REQUIRE(positions);
        CHECK(positions->size() == positions_wanted);
        const auto bytes = make_book(core.rules, *positions, "test");
        REQUIRE(bytes);
        return *bytes;
    }
    FAIL("the book is never complete");
    return {};
}

}  // namespace

TEST_CASE("a book is made the same again, whatever the threads and cut-offs", "[book][expansion]") {
    for (const std::string_view game : {"english", "russian"}) {
        const GameCore& core = *find_game(game);
        const TemporaryFolder one;
        const std::string bytes = build_in(core, one, 1, 1000);
        const TemporaryFolder two;
        CHECK(build_in(core, two, 2, 1000) == bytes);
        const TemporaryFolder cut;
        CHECK(build_in(core, cut, 1, 9) == bytes);
        const TemporaryFolder cut_threads;
        CHECK(build_in(core, cut_threads, 3, 9) == bytes);
        // A book that is complete is only written again.
        CHECK(build_in(core, one, 1, 1000) == bytes);
    }
}

TEST_CASE("a book is the same when others change its positions meanwhile", "[book][expansion]") {
    for (const std::string_view game : {"english", "russian"}) {
        const GameCore& core = *find_game(game);
        // Plies cost little, so that there are long lines, up which a score changes many positions.
        const auto build = [&](bool with_others) {
            const TemporaryFolder folder;
            ExpansionSettings settings = test_settings(folder, 1);
            settings.costs.ply = 1;
            const auto store = EmbeddedStore::open(folder.path(), [](const std::string&) {});
            REQUIRE(store);
            MeddlingStore meddling(**store);
            const std::string book =
                build_with(with_others ? static_cast<PositionStore&>(meddling) : **store, core,
                           folder, settings);
            if (with_others) CHECK(meddling.conflicts > 10);
            return book;
        };
        CHECK(build(true) == build(false));
    }
}

TEST_CASE("a batch begins when the disk has the one before it", "[book][expansion]") {
    const TemporaryFolder folder;
    const auto store = EmbeddedStore::open(folder.path(), [](const std::string&) {});
    REQUIRE(store);
    BatchWatch watch(**store, test_settings(folder, 1).batch_file);
    static_cast<void>(build_with(watch, *find_game("english"), folder, test_settings(folder, 1)));
    CHECK(watch.batches > 3);
    CHECK(watch.batches_at_risk == 0);
}

TEST_CASE("nothing is searched after a stop while the database was read", "[book][expansion]") {
    const GameCore& core = *find_game("english");
    const auto roots = test_roots(core);
    const TemporaryFolder folder;
    const ExpansionSettings settings = test_settings(folder, 1);
    // The first run is cut off in the middle. The second one is stopped at once, but only once.
    bool must_stop_next = false;
    const auto must_stop = [&] { return std::exchange(must_stop_next, false); };
    for (const bool is_stopped_early : {false, true}) {
        const auto store = EmbeddedStore::open(folder.path(), [](const std::string&) {});
        REQUIRE(store);
        const auto grouped = GroupedStore::open(**store, folder.path() + "/journal");
        REQUIRE(grouped);
        PositionDatabase database(core, **grouped, nullptr);
        must_stop_next = is_stopped_early;
        bool has_searched = false;
        const auto done = expand_book(database, **grouped, core, nullptr, roots, settings,
                                      must_stop, [&](std::size_t known) {
                                          has_searched = true;
                                          return known < positions_wanted / 2;
                                      });
        REQUIRE(done);
        CHECK_FALSE(*done);
        CHECK(has_searched != is_stopped_early);
    }
    const TemporaryFolder other;
    CHECK(build_in(core, folder, 1, 1000) == build_in(core, other, 1, 1000));
    // What was there is told first.
    const auto store = EmbeddedStore::open(folder.path(), [](const std::string&) {});
    REQUIRE(store);
    const auto grouped = GroupedStore::open(**store, folder.path() + "/journal");
    REQUIRE(grouped);
    PositionDatabase database(core, **grouped, nullptr);
    std::vector<std::size_t> told;
    const auto done = expand_book(
        database, **grouped, core, nullptr, roots, settings, [] { return false; },
        [&](std::size_t known) {
            told.push_back(known);
            return true;
        });
    REQUIRE((done && *done));
    CHECK(told == std::vector<std::size_t>{positions_wanted});
}

TEST_CASE("a book has moves with the scores of the database", "[book][expansion]") {
    const GameCore& core = *find_game("italian");
    const TemporaryFolder folder;
    const std::string bytes = build_in(core, folder, 2, 1000);
    const TemporaryFile file(bytes);
    const auto book = OpeningBook::open(core.rules, file.path());
    REQUIRE(book);
    const auto store = EmbeddedStore::open(folder.path(), [](const std::string&) {});
    REQUIRE(store);
    PositionDatabase database(core, **store, nullptr);
    int explored = 0;
    int visited = 0;
    const auto error = database.for_each([&](const Position& position, const KnownPosition& known) {
        ++visited;
        const auto moves = book->find(position);
        REQUIRE_FALSE(moves.empty());
        CHECK(moves.front().score == known.best());
        for (const BookMove& m : moves) {
            const auto after = database.find(core.rules.after(position, m.move));
            REQUIRE(after);
            CHECK((m.support != 0) == after->has_value());
            explored += m.support != 0;
            if (!*after) continue;
            CHECK(m.score == score_of_move((*after)->best()));
            // The position after the move, and what is behind it.
            int behind = 1;
            for (const BookMove& next : book->find(core.rules.after(position, m.move)))
                behind += next.support;
            CHECK(int{m.support} == std::min(behind, 255));
        }
        return true;
    });
    CHECK_FALSE(error);
    CHECK(visited == static_cast<int>(positions_wanted));
    CHECK(explored > 50);
}

TEST_CASE("a damaged batch file is named, and nothing is searched", "[book][hostile]") {
    const GameCore& core = *find_game("english");
    for (const char* text : {"x\n", "B:W21-32:B1-12 1\n", "B:W21-32:B1-12 300 -\n", "\n",
                             "B:W21-32:B1-12 1 x\n", "W:W21-32:B \n"}) {
        const TemporaryFolder folder;
        folder.write("batch", text);
        const auto batch = read_batch(core.rules, folder.path() + "/batch");
        REQUIRE_FALSE(batch);
        CHECK_THAT(batch.error(), Catch::Contains("batch") && Catch::Contains("line 1"));
    }
}

}  // namespace defiance
