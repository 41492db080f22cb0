#include <catch2/catch.hpp>

#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/search/search.hpp>

#include "../egdb/driver_folder.hpp"

using namespace defiance;

namespace {

/// Wants the search to stop from the n-th time on that it is asked.
class StoppingObserver : public SearchObserver {
public:
    explicit StoppingObserver(int n) : n_(n) {}
    bool must_stop(std::uint64_t) override { return ++asked_ >= n_; }
    [[nodiscard]] int asked() const { return asked_; }

private:
    int n_;
    int asked_ = 0;
};

}  // namespace

TEST_CASE("the clock is read after each probe of a database that may wait for a disk",
          "[search][english]") {
    const DriverFolder folder;
    EndgameSettings settings;
    settings.built_in = false;
    settings.folder = "kind 9 pieces 6/";
    settings.driver_folders = {folder.path()};
    const Endgames<English> endgames(settings);
    REQUIRE(endgames.pieces() == 6);
    // The databases know the root, or only what the search comes to.
    for (const char* fen : {"W:WK32,K30,25:BK1,12", "B:W32,30,25,22:B1,3,12,11"}) {
        const auto p = parse_fen(rules_of<English>, fen);
        REQUIRE(p);
        TranspositionTable table(1);
        Search<English> search(table);
        search.use(&endgames);
        SearchLimits limits;
        limits.nodes = 50'000;
        StoppingObserver patient(1 << 30);
        static_cast<void>(search.run({&*p, 1}, limits, patient));
        // Far more often than every 1024 nodes.
        CHECK(patient.asked() > 1000);
        for (const int n : {1, 2, 3, 10, 100, 1000}) {
            CAPTURE(fen, n);
            StoppingObserver observer(n);
            const int look_ups = folder.look_ups();
            const SearchResult result = search.run({&*p, 1}, limits, observer);
            CHECK(result.move);
            // No probe after the stop.
            CHECK(folder.look_ups() - look_ups <= n);
            CHECK(observer.asked() == n);
        }
    }
}
