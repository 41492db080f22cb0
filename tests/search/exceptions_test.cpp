#include <stdexcept>

#include <catch2/catch.hpp>

#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/search/search.hpp>

using namespace defiance;

namespace {

/// Throws when it is asked for the n-th time whether the search must stop.
class ThrowingObserver : public SearchObserver {
public:
    explicit ThrowingObserver(int n) : left_(n) {}
    bool must_stop(std::uint64_t) override {
        if (--left_ == 0) throw std::runtime_error("out of order");
        return false;
    }

private:
    int left_;
};

}  // namespace

TEST_CASE("a search ended by an exception leaves nothing behind for later ones",
          "[search][english]") {
    const Endgames<English> endgames({});
    TranspositionTable no_table;
    SearchLimits limits;
    limits.depth = 10;
    for (const char* fen : {"B:W32,30,25,22:B1,3,12,11", "W:WK10,K14,21,30:B13,K19,K23,28"}) {
        const auto p = parse_fen(rules_of<English>, fen);
        REQUIRE(p);
        SearchObserver observer;
        Search<English> sound(no_table);
        sound.use(&endgames);
        const SearchResult expected = sound.run({&*p, 1}, limits, observer);
        Search<English> search(no_table);
        search.use(&endgames);
        for (int n = 1; n <= 40; n += 3) {
            CAPTURE(fen, n);
            ThrowingObserver throwing(n);
            REQUIRE_THROWS(search.run({&*p, 1}, {}, throwing));
            const SearchResult result = search.run({&*p, 1}, limits, observer);
            REQUIRE(result.nodes == expected.nodes);
            REQUIRE(result.score == expected.score);
            REQUIRE(result.line == expected.line);
        }
    }
}
