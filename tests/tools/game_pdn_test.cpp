#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/rules/pdn.hpp>
#include <tools/match/referee.hpp>

#include "scripted_player.hpp"

using namespace defiance;

namespace {

PdnGame only_game_in(std::string_view pdn) {
    PdnReader reader(pdn);
    const std::optional<PdnGame> game = reader.next();
    REQUIRE(game);
    CHECK_FALSE(reader.next());
    return *game;
}

}  // namespace

TEST_CASE("a game in PDN is read as it was played", "[tools][match]") {
    CbGame game = game_from("W:W18,32:B15,6");
    Adjudication rules;
    rules.max_plies = 4;
    ScriptedPlayer first(quiet_turns({"6 10", "10 14"}));
    ScriptedPlayer second(quiet_turns({"18 11", "32 27"}));
    TimeSettings time;
    time.kind = TimeSettings::Kind::unlimited;
    const GameRecord record = referee_game(game, {first}, {second}, time, rules);
    const std::string text =
        game.to_pdn({"a test", "7", "the first", "the second", result_of(record)},
                    {record.comments, "D3 too long"});
    const PdnGame read = only_game_in(text);
    CHECK(read.problem.empty());
    CHECK(read.tag("Event") == "a test");
    CHECK(read.tag("Round") == "7");
    CHECK(read.tag("Black") == "the first");
    CHECK(read.tag("White") == "the second");
    CHECK(read.tag("GameType") == English::pdn_game_type);
    CHECK(read.tag("Result") == "1/2-1/2");
    CHECK(read.result == "1/2-1/2");
    REQUIRE(read.moves.size() == 4);
    Position position = *parse_fen(rules_of<English>, *read.tag("FEN"));
    for (const PdnMove& written : read.moves) {
        const Result<Move> move = parse_move(rules_of<English>, position, written.text);
        REQUIRE(move);
        position = after<English>(position, *move);
    }
    CHECK(position == game.position());
    CHECK(text.find("{0.000s}") != std::string::npos);
    CHECK(text.find("{D3") != std::string::npos);
}

TEST_CASE("no name and no remark breaks the PDN around it", "[tools][match]") {
    CbGame game = game_from_start();
    REQUIRE(game.play_middleware_text("11 15"));
    const PdnHeading heading = {
        "x\"]\n[Result \"0-1\"]\n\n1. 9-13 0-1\n", {}, "a \"quoted\" {name}\x01\x7F", "\"]", "1-0"};
    const std::vector<std::string> comments = {"} 12-16 {\n\n[White \"me\"]\r\n% 0-1 \x1B"};
    const std::string text =
        game.to_pdn(heading, {comments, "L2 '} 0-1 {' is not a list of squares"});
    const PdnGame read = only_game_in(text);
    CHECK(read.problem.empty());
    CHECK(read.tag("Result") == "1-0");
    CHECK(read.tag("Black") == "a 'quoted' {name}");
    CHECK(read.tag("White") == "']");
    CHECK(read.result == "1-0");
    REQUIRE(read.moves.size() == 1);
    CHECK(read.moves[0].text == "11-15");
    for (const char c : text)
        CHECK((c == '\n' || (static_cast<unsigned char>(c) >= ' ' && c != '\x7F')));
}
