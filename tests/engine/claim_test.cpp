#include <catch2/catch.hpp>

#include <algorithm>

#include <defiance/engine/engine.hpp>
#include <defiance/rules/brazilian.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/rules/russian.hpp>

#include "scripted_core.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

constexpr TimeControl at_once{TimeMode::at_once, 0, 0, 0};

Position position_of(const GameRules& rules, const char* fen) {
    const auto position = parse_fen(rules, fen);
    REQUIRE(position);
    return *position;
}

Position english(const char* fen) {
    return position_of(rules_of<English>, fen);
}

Claim proven_by(const Game& game, const EgdbResult& known, const SearchLimits& limits = {}) {
    MoveList moves;
    game.rules().generate_moves(game.position(), moves);
    REQUIRE_FALSE(moves.empty());
    SearchResult result;
    result.move = moves[0];
    result.egdb = known;
    result.score = known.wld == Wld::win    ? min_known_win
                   : known.wld == Wld::loss ? -min_known_win
                                            : 0;
    return proven_outcome(game, limits, result);
}

Claim proven_by(const GameRules& rules, const char* fen, const EgdbResult& known) {
    return proven_by(Game(rules, position_of(rules, fen)), known);
}

/// A game of kings that nobody can win, in which the engine plays one side or both.
class KingGame {
public:
    explicit KingGame(Engine& engine, const char* fen = "B:WK32,K31:BK1,K2")
        : engine_(engine), position_(english(fen)) {}

    [[nodiscard]] const Position& position() const { return position_; }

    /// The engine moves.
    Claim think() {
        EngineObserver quiet;
        const EngineResult result = engine_.think(position_, at_once, quiet);
        REQUIRE(result.move);
        position_ = rules_of<English>.after(position_, *result.move);
        return result.claim;
    }

    /// The other side moves.
    void reply() {
        const auto move = quiet_move(position_);
        REQUIRE(move);
        position_ = rules_of<English>.after(position_, *move);
    }

    /// Moves until a draw is claimed, at most so often; the number of own moves.
    int moves_to_claim(int max_moves) {
        for (int i = 1; i <= max_moves; ++i) {
            if (think() == Claim::draw) return i;
            reply();
        }
        return max_moves + 1;
    }

private:
    Engine& engine_;
    Position position_;
};

}  // namespace

TEST_CASE("each policy claims its part of what is proven", "[engine][claim]") {
    struct Case {
        ClaimPolicy policy;
        Claim win, loss, early_draw, late_draw;
    };
    for (const Case& c :
         {Case{ClaimPolicy::never, Claim::none, Claim::none, Claim::none, Claim::none},
          Case{ClaimPolicy::safe, Claim::win, Claim::none, Claim::none, Claim::draw},
          Case{ClaimPolicy::proven, Claim::win, Claim::loss, Claim::draw, Claim::draw}}) {
        CHECK(claim_under(c.policy, Claim::win, 0) == c.win);
        CHECK(claim_under(c.policy, Claim::loss, 30) == c.loss);
        CHECK(claim_under(c.policy, Claim::draw, draws_before_claim - 1) == c.early_draw);
        CHECK(claim_under(c.policy, Claim::draw, draws_before_claim) == c.late_draw);
        CHECK(claim_under(c.policy, Claim::none, 30) == Claim::none);
    }
}

TEST_CASE("a win that the draw rules could take away is not certain", "[engine][claim]") {
    const Position p = position_of(rules_of<English>, "B:WK18,K23:BK1");
    std::vector<Position> history(3, p);
    CHECK_FALSE(is_outcome_certain(rules_of<English>, history, score_win - 5));
    history.resize(1);
    CHECK(is_outcome_certain(rules_of<English>, history, score_win - 5));
    CHECK(is_outcome_certain(rules_of<English>, history, -(score_win - 5)));
    CHECK_FALSE(is_outcome_certain(rules_of<English>, history, score_win - 79));
    CHECK_FALSE(is_outcome_certain(rules_of<English>, history, 500));
}

TEST_CASE("a win of unknown length is proven only where the law leaves time", "[engine][claim]") {
    const EgdbResult win{Wld::win, std::nullopt};
    const EgdbResult loss{Wld::loss, std::nullopt};
    CHECK(proven_by(rules_of<English>, "B:WK32,K31:BK1,K2,K3", win) == Claim::win);
    CHECK(proven_by(rules_of<English>, "B:WK32,K31:BK1,K2,K3", loss) == Claim::loss);
    // Six pieces: nobody has counted how long it may take.
    CHECK(proven_by(rules_of<English>, "B:WK32,K31,K30:BK1,K2,K3", win) == Claim::none);
    CHECK(proven_by(rules_of<English>, "B:WK32,K31,K30:BK1,K2,K3", loss) == Claim::none);
    CHECK(proven_by(rules_of<English>, "B:WK32,K31,K30:BK1,K2,K3", {Wld::draw, std::nullopt}) ==
          Claim::draw);
    // Flying kings win sooner, so the shorter law of Brazilian draughts leaves time, too.
    CHECK(proven_by(rules_of<Brazilian>, "B:WK32,K31:BK1,K2,K3", win) == Claim::win);
    // The law of Russian draughts ends some endings soon.
    CHECK(proven_by(rules_of<Russian>, "B:WK32,K31:BK1,K2,K3", win) == Claim::none);
}

TEST_CASE("a win of unknown length in which men must move is not proven", "[engine][claim]") {
    const EgdbResult win{Wld::win, std::nullopt};
    const EgdbResult loss{Wld::loss, std::nullopt};
    for (const char* fen : {"B:WK32,31:BK1,K2,K3", "B:WK32,K31:BK1,K2,3", "B:WK32:BK1,9"}) {
        CHECK(proven_by(rules_of<English>, fen, win) == Claim::none);
        CHECK(proven_by(rules_of<English>, fen, loss) == Claim::none);
        CHECK(proven_by(rules_of<Brazilian>, fen, win) == Claim::none);
    }
}

TEST_CASE("a win of unknown length is not proven once kings have moved for long",
          "[engine][claim]") {
    const EgdbResult win{Wld::win, std::nullopt};
    Game game(rules_of<English>, english("B:WK32,K31:BK1,K2,K3"));
    for (std::size_t plies = 0; plies <= 12; ++plies) {
        CAPTURE(plies);
        REQUIRE(game.reversible_plies() == plies);
        CHECK(proven_by(game, win) == (plies <= 7 ? Claim::win : Claim::none));
        MoveList moves;
        game.rules().generate_moves(game.position(), moves);
        const auto& history = game.reversible_history();
        const auto move = std::find_if(moves.begin(), moves.end(), [&](const Move& m) {
            const Position after = game.rules().after(game.position(), m);
            const bool is_new = std::find(history.begin(), history.end(), after) == history.end();
            return is_reversible(game.position(), m) && is_new;
        });
        REQUIRE(move != moves.end());
        game.play(*move);
    }
}

TEST_CASE("a win of unknown length is not proven once a position has come again",
          "[engine][claim]") {
    const EgdbResult win{Wld::win, std::nullopt};
    Game game(rules_of<English>, english("B:WK32,K31:BK1,K2,K3"));
    for (const char* text : {"1-6", "32-28", "6-1", "28-32"}) {
        CHECK(proven_by(game, win) == Claim::win);
        const auto move = parse_move(game.rules(), game.position(), text);
        REQUIRE(move);
        game.play(*move);
    }
    CHECK(proven_by(game, win) == Claim::none);
}

TEST_CASE("what databases say of a position is no proof where only some moves were looked at",
          "[engine][claim]") {
    const Game game(rules_of<English>, english("B:WK32,K31:BK1,K2,K3"));
    MoveList moves;
    generate_moves<English>(game.position(), moves);
    SearchLimits limits;
    limits.search_moves = {moves[0]};
    for (const Wld value : {Wld::win, Wld::draw, Wld::loss})
        CHECK(proven_by(game, {value, std::nullopt}, limits) == Claim::none);
}

TEST_CASE("a draw is claimed at the twentieth own move in a row", "[engine][claim]") {
    const ScriptReset reset;
    script().known = EgdbResult{Wld::draw, std::nullopt};
    Engine engine(scripted_core(), "");
    CHECK(KingGame(engine).moves_to_claim(40) == draws_before_claim);
    engine.set_claim(ClaimPolicy::proven);
    CHECK(KingGame(engine).moves_to_claim(40) == 1);
    engine.set_claim(ClaimPolicy::never);
    CHECK(KingGame(engine).moves_to_claim(40) == 41);
}

TEST_CASE("a claimed draw needs moves that follow each other", "[engine][claim]") {
    const ScriptReset reset;
    script().known = EgdbResult{Wld::draw, std::nullopt};
    Engine engine(scripted_core(), "");
    KingGame game(engine);
    const auto play = [&](int moves) {
        for (int i = 0; i < moves; ++i) {
            REQUIRE(game.think() == Claim::none);
            game.reply();
        }
    };
    SECTION("a position that databases do not know begins the count anew") {
        play(15);
        script().known = std::nullopt;
        play(1);
        script().known = EgdbResult{Wld::draw, std::nullopt};
        CHECK(game.moves_to_claim(40) == draws_before_claim);
    }
    SECTION("so does another game") {
        play(15);
        CHECK(KingGame(engine, "B:WK22,K31:BK1,K2").moves_to_claim(40) == draws_before_claim);
    }
    SECTION("the same question again does not count") {
        play(5);
        EngineObserver quiet;
        for (int i = 0; i < 30; ++i)
            CHECK(engine.think(game.position(), at_once, quiet).claim == Claim::none);
        CHECK(game.moves_to_claim(40) == draws_before_claim - 5);
    }
    SECTION("each side that the engine plays counts for itself") {
        for (int i = 0; i < 2 * draws_before_claim - 2; ++i)
            REQUIRE(game.think() == Claim::none);
        CHECK(game.think() == Claim::draw);
    }
}
