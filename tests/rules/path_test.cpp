#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <defiance/base/random.hpp>
#include <defiance/rules/board.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/games.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/rules/path.hpp>

#include "../base/failing_allocation.hpp"
#include "random_position.hpp"

using namespace defiance;

namespace {

/// A capture as a player carries it out: the squares of the mover, and of what it takes.
struct Walk {
    std::vector<int> squares;
    std::vector<int> taken;
    auto operator<=>(const Walk&) const = default;
};

/// Finds captures jump by jump, square by square. A second way of computing what the generator and
/// paths_of find together.
template <class Rules>
class Walker {
public:
    explicit Walker(const Position& p) : p_(p) {}

    std::set<Walk> find() {
        for (int from : Squares(p_.own())) {
            const bool is_king = (p_.kings & bit(from)) != 0;
            from_ = from;
            go_on({{from}, {}}, is_king);
        }
        return chosen();
    }

private:
    struct Jump {
        int victim;
        std::vector<int> landings;
    };

    bool is_empty(Coordinate c) const {
        return index_of(c) == from_ || (p_.occupied() & bit(index_of(c))) == 0;
    }

    bool can_be_taken(Coordinate c, const Walk& walk, bool by_king) const {
        const int index = index_of(c);
        if (!by_king && !Rules::men_take_kings && (p_.kings & bit(index)) != 0) return false;
        return (p_.theirs() & bit(index)) != 0 &&
               std::find(walk.taken.begin(), walk.taken.end(), index) == walk.taken.end();
    }

    std::vector<Jump> jumps(const Walk& walk, int at, bool is_king) const {
        std::vector<Jump> found;
        const int forward = p_.side == Side::black ? 1 : -1;
        for (const int dy : {1, -1}) {
            if (!is_king && dy != forward && !Rules::men_capture_backwards) continue;
            for (const int dx : {1, -1}) {
                Coordinate c = coordinate_of(at);
                const auto advance = [&] { c = {c.x + dx, c.y + dy}; };
                advance();
                while (is_king && Rules::flying_kings && is_playable(c) && is_empty(c))
                    advance();
                if (!is_playable(c) || !can_be_taken(c, walk, is_king)) continue;
                Jump jump{index_of(c), {}};
                advance();
                for (; is_playable(c) && is_empty(c); advance()) {
                    jump.landings.push_back(index_of(c));
                    if (!is_king || !Rules::flying_kings) break;
                }
                if (!jump.landings.empty()) found.push_back(jump);
            }
        }
        return found;
    }

    static Walk extended(Walk walk, int victim, int landing) {
        walk.taken.push_back(victim);
        walk.squares.push_back(landing);
        return walk;
    }

    bool is_crowned_at(int square) const {
        return Rules::crowned_in_passing && (bit(square) & crowning_row_of(p_.side)) != 0;
    }

    void go_on(const Walk& walk, bool is_king) {
        const std::vector<Jump> next = jumps(walk, walk.squares.back(), is_king);
        if (next.empty() && !walk.taken.empty()) found_.insert(walk);
        for (const Jump& jump : next) {
            bool stops = true;
            for (const int landing : jump.landings) {
                const Walk longer = extended(walk, jump.victim, landing);
                const bool as_king = is_king || is_crowned_at(landing);
                if (jumps(longer, landing, as_king).empty()) continue;
                stops = false;
                go_on(longer, as_king);
            }
            if (!stops) continue;
            for (const int landing : jump.landings)
                go_on(extended(walk, jump.victim, landing), is_king || is_crowned_at(landing));
        }
    }

    /// What counts of a capture where there are several, what counts most first.
    std::vector<std::size_t> rank_of(const Walk& walk) const {
        const std::size_t pieces = walk.taken.size();
        const std::size_t by_king = (p_.kings & bit(walk.squares.front())) != 0 ? 1 : 0;
        std::vector<std::size_t> kings;  // in the order in which they are taken
        for (const int square : walk.taken)
            kings.push_back((p_.kings & bit(square)) != 0 ? 1 : 0);
        const auto all_kings =
            static_cast<std::size_t>(std::count(kings.begin(), kings.end(), std::size_t{1}));
        switch (Rules::capture_choice) {
            case CaptureChoice::any:
                return {};
            case CaptureChoice::king_before_man:
                return {by_king};
            case CaptureChoice::most_pieces:
                return {pieces};
            case CaptureChoice::most_pieces_and_kings:
                return {pieces, all_kings};
            case CaptureChoice::italian:
                kings.insert(kings.begin(), {pieces, by_king, all_kings});
                return kings;
        }
        return {};
    }

    /// Those that the game allows.
    std::set<Walk> chosen() const {
        std::vector<std::size_t> best;
        for (const Walk& walk : found_)
            best = std::max(best, rank_of(walk));
        std::set<Walk> legal;
        for (const Walk& walk : found_)
            if (rank_of(walk) == best) legal.insert(walk);
        return legal;
    }

    Position p_;
    int from_ = 0;
    std::set<Walk> found_;
};

template <class Rules>
std::set<Walk> walks_of_moves(const Position& p) {
    MoveList moves;
    generate_captures<Rules>(p, moves);
    std::set<Walk> walks;
    for (const Move& move : moves)
        for (const Path& path : paths_of(rules_of<Rules>, p, move)) {
            Walk walk{{move.from}, {}};
            for (const Jump& jump : path) {
                walk.taken.push_back(jump.captured);
                walk.squares.push_back(jump.landing);
            }
            walks.insert(walk);
        }
    return walks;
}

template <class Rules>
std::set<std::string> captures_written(std::string_view fen) {
    const Position p = *parse_fen(rules_of<Rules>, fen);
    MoveList moves;
    generate_moves<Rules>(p, moves);
    std::set<std::string> texts;
    for (const Move& move : moves)
        texts.insert(to_text(rules_of<Rules>, p, move));
    return texts;
}

}  // namespace

TEMPLATE_TEST_CASE("the paths of the captures are those that a player can walk", "[rules][path]",
                   English, Italian, Spanish, Russian, Brazilian, Czech) {
    // paths_of gives no more of one move, which only positions full of kings have.
    constexpr std::size_t most = 1000;
    Random random(7);
    int compared = 0;
    for (int i = 0; i < 20000; ++i) {
        const Position p = testing::random_position(random, i % 2 == 0 ? 15 : 60);
        const std::set<Walk> expected = Walker<TestType>(p).find();
        if (expected.size() >= most) continue;
        CAPTURE(to_fen(rules_of<TestType>, p));
        REQUIRE((walks_of_moves<TestType>(p) == expected));
        compared += expected.empty() ? 0 : 1;
    }
    CHECK(compared > 10000);
}

TEST_CASE("a capture is written in an order in which the king cannot go on", "[rules][path]") {
    // From 11 it would come over 15 to 18 and have to fly on to 22, from where it takes 17.
    const std::set<std::string> texts = captures_written<Russian>("W:WKd4:Be5,e7,c7,c5,b4");
    CHECK(texts.count("18x11x2x9x18") == 1);
    CHECK(texts.count("18x9x2x11x18") == 0);
}

TEST_CASE("an Italian capture is written in the order that meets the kings first",
          "[rules][path][italian]") {
    // The king goes round and takes all four; it has to begin with the other king.
    CHECK(captures_written<Italian>("W:WK14:BK18,19,26,27") ==
          std::set<std::string>{"14x21x30x23x14"});
    CHECK(captures_written<Italian>("W:WK14:B18,K19,26,27") ==
          std::set<std::string>{"14x23x30x21x14"});
    const Position p = *parse_fen(rules_of<Italian>, "W:WK14:BK18,19,26,27");
    CHECK(parse_move(rules_of<Italian>, p, "14x21x30x23x14"));
    CHECK(parse_move(rules_of<Italian>, p, "14x14"));
    CHECK_FALSE(parse_move(rules_of<Italian>, p, "14x23x30x21x14"));
}

TEST_CASE("the path of a quiet move takes no memory", "[rules][path]") {
    const Position p = rules_of<English>.start_position();
    MoveList moves;
    rules_of<English>.generate_moves(p, moves);
    const Move move = moves[0];
    std::size_t length = 1;
    bool has_failed = true;
    {
        const FailingAllocation failing(0);
        length = path_of(rules_of<English>, p, move).size();
        has_failed = failing.has_failed();
    }
    CHECK(length == 0);
    CHECK_FALSE(has_failed);
}
