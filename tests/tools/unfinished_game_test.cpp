// What lies behind the finished games of a match that goes on.

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/rules/pdn.hpp>
#include <tools/match/game_files.hpp>
#include <tools/match/unfinished_game.hpp>
#include <tools/support/games.hpp>

#include "../base/temporary.hpp"

namespace defiance {
namespace {

/// The names are written into tags in another form, as those of openings and events may be.
const std::vector<std::string> names_of_two = {"the \"one\"", "other"};

/// A match of the two, with a state and a PDN in the folder.
CompetitionSettings match_of_two(const TemporaryFolder& folder) {
    CompetitionSettings settings;
    settings.rules = &find_game("english")->rules;
    const Position start = settings.rules->start_position();
    settings.openings = {{"9-14 22-18", start}, {"the \"Cross\"", start}};
    settings.pdn_file = folder.path() + "/games.pdn";
    settings.state_file = folder.path() + "/state";
    settings.summary = "one other --games 4";
    return settings;
}

/// A game as the match writes it.
std::string written_game(const CompetitionSettings& settings, std::size_t number,
                         const std::vector<std::string>& names = names_of_two) {
    const std::string event = event_of(settings, number, settings.openings[number % 2]);
    const std::string round = std::to_string(number);
    const std::vector<std::string> moves = {"11-15", "23-19"};
    const std::vector<std::string> comments = {"a value of [1]", "and {2}"};
    return to_pdn(*settings.rules, settings.rules->start_position(), moves,
                  {event, round, names[number % 2], names[1 - number % 2], "1-0"},
                  {comments, "L1 no move left"});
}

/// Plays game 2 of the match, which is interrupted then.
void begin_match(const CompetitionSettings& settings) {
    Result<GameFiles> opened = GameFiles::open(settings);
    INFO((opened ? "" : opened.error()));
    REQUIRE(opened);
    GameFiles files = *std::move(opened);
    CHECK_FALSE(files.is_resumed());
    GameRecord record;
    record.ending = Ending::no_move;
    REQUIRE_FALSE(files.cut_unfinished_game(settings, names_of_two));
    REQUIRE(files.add(2, record, written_game(settings, 2)));
}

/// Goes on with the match and tells what is wrong.
std::string problem_of_resumption(const CompetitionSettings& settings) {
    Result<GameFiles> opened = GameFiles::open(settings);
    if (!opened) return opened.error();
    GameFiles files = *std::move(opened);
    CHECK(files.is_resumed());
    const auto problem = files.cut_unfinished_game(settings, names_of_two);
    return problem ? problem->text : std::string();
}

/// Whether the match can have written the text, when game 2 is finished.
bool is_own(const CompetitionSettings& settings, std::string_view text) {
    return is_unfinished_game(text, settings, names_of_two, {{2, JournalEntry{}}});
}

std::string replaced(std::string text, std::string_view part, std::string_view by) {
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, part.size(), by);
}

}  // namespace

TEST_CASE("whatever a kill leaves of a game is known as such", "[tools][match]") {
    const TemporaryFolder folder;
    CompetitionSettings settings = match_of_two(folder);
    for (const char* event : {"", "a \"great\" match"}) {
        settings.event = event;
        for (const std::size_t number : {1U, 3U, 4U}) {
            const std::string game = written_game(settings, number) + '\n';
            for (std::size_t length = 0; length <= game.size(); ++length) {
                INFO(game.substr(0, length));
                CHECK(is_own(settings, game.substr(0, length)));
            }
            // After a power failure there may be zeros.
            CHECK(is_own(settings, game.substr(0, game.size() / 2) + std::string(99, '\0')));
        }
    }
    CHECK(is_own(settings, std::string(99, '\0')));
    CHECK(is_own(settings, "\n"));
}

TEST_CASE("a game that the match cannot have written is known as such", "[tools][match]") {
    const TemporaryFolder folder;
    CompetitionSettings settings = match_of_two(folder);
    const std::string game = written_game(settings, 1);
    REQUIRE(is_own(settings, game));
    // Finished, of other players, of an opening that is not played, without a number, of another
    // game, of another program.
    CHECK_FALSE(is_own(settings, written_game(settings, 2)));
    CHECK_FALSE(is_own(settings, written_game(settings, 1, {"one", "third"})));
    CHECK_FALSE(is_own(settings, replaced(game, "Cross", "Dundee")));
    CHECK_FALSE(is_own(settings, replaced(game, "game 1", "game 3")));
    CHECK_FALSE(is_own(settings, replaced(game, "\"1\"", "\"first\"")));
    CHECK_FALSE(is_own(settings, replaced(game, "[Round \"1\"]\n", "")));
    CHECK_FALSE(is_own(settings, replaced(game, "\"21,", "\"25,")));
    CHECK_FALSE(is_own(settings, replaced(game, "[Black", "[Date \"?\"]\n[Black")));
    for (const char* text :
         {"11-15 23-19 1-0", "[Event \"x\"] 1. 11-15 1-0", "[Event \"x\"]\n1. 11-15 1-0",
          "[Event \"x\"]\n\n11-15 1-0\n", "[Event \"x\"\n", "[Event x]\n", "[FEN \"W:W27:B1\"]\n",
          "my diary\n", "{a remark}\n"}) {
        INFO(text);
        CHECK_FALSE(is_own(settings, text));
    }
    // An event that was given is that of all games.
    settings.event = "a match";
    CHECK_FALSE(is_own(settings, game));
    CHECK(is_own(settings, written_game(settings, 1)));
    // What a player is called that is not there now nobody knows.
    settings.recovers = true;
    CHECK(is_own(settings, written_game(settings, 1, {"one", "third"})));
    CHECK_FALSE(is_own(settings, written_game(settings, 2)));
}

TEST_CASE("a match that goes on cuts off nothing but its own game", "[tools][match]") {
    const TemporaryFolder folder;
    const CompetitionSettings settings = match_of_two(folder);
    const std::string before = "[Event \"of somebody else\"]\n\n1. 9-13 *\n\n";
    folder.write("games.pdn", before);
    begin_match(settings);
    const std::string finished = before + written_game(settings, 2) + '\n';
    REQUIRE(*read_file(settings.pdn_file) == finished);
    const std::string next = written_game(settings, 1) + '\n';
    for (const std::string& rest : {next, next.substr(0, next.size() / 2), std::string()}) {
        folder.write("games.pdn", finished + rest);
        CHECK(problem_of_resumption(settings).empty());
        CHECK(*read_file(settings.pdn_file) == finished);
    }
    for (const std::string& rest :
         {before, written_game(settings, 2) + '\n', next + next,
          written_game(settings, 1, {"one", "third"}) + '\n', std::string("9-13 *")}) {
        INFO(rest);
        folder.write("games.pdn", finished + rest);
        CHECK(problem_of_resumption(settings) ==
              "--pdn: the file '" + settings.pdn_file +
                  "' holds games that came after those of this match, which end at byte " +
                  std::to_string(finished.size()) +
                  "; move the others elsewhere, or begin anew without the state");
        CHECK(*read_file(settings.pdn_file) == finished + rest);
    }
}

TEST_CASE("a match goes on with more games, and not with fewer than it has", "[tools][match]") {
    const TemporaryFolder folder;
    CompetitionSettings settings = match_of_two(folder);
    begin_match(settings);
    const std::string finished = *read_file(settings.pdn_file);
    for (const std::size_t games : {2U, 3U, 200U}) {
        settings.schedule.games = games;
        CHECK(problem_of_resumption(settings).empty());
    }
    settings.schedule.games = 1;
    CHECK(problem_of_resumption(settings) ==
          "--games: game 2 has been played, and --games 1 is less than that");
    // In a tournament the number counts for each pairing, and the summary has it.
    settings.schedule.players = 3;
    CHECK(problem_of_resumption(settings).empty());
    CHECK(*read_file(settings.pdn_file) == finished);
}

TEST_CASE("a match begins its first game on a line of its own", "[tools][match]") {
    const std::string before = "[Event \"of somebody else\"]\n\n1. 9-13 *";
    for (const bool has_state : {true, false}) {
        const TemporaryFolder folder;
        CompetitionSettings settings = match_of_two(folder);
        if (!has_state) settings.state_file.clear();
        folder.write("games.pdn", before);
        begin_match(settings);
        const std::string finished = before + '\n' + written_game(settings, 2) + '\n';
        CHECK(*read_file(settings.pdn_file) == finished);
        if (!has_state) continue;
        folder.write("games.pdn", finished + written_game(settings, 1));
        CHECK(problem_of_resumption(settings).empty());
        CHECK(*read_file(settings.pdn_file) == finished);
    }
}

TEST_CASE("whatever a kill leaves of the first game is cut off before it is played again",
          "[tools][match]") {
    const std::string before = "[Event \"of somebody else\"]\n\n1. 9-13 *";
    const TemporaryFolder folder;
    const CompetitionSettings settings = match_of_two(folder);
    folder.write("games.pdn", before);
    REQUIRE(GameFiles::open(settings));
    const std::string game = '\n' + written_game(settings, 2) + '\n';
    for (std::size_t length = 0; length <= game.size(); ++length) {
        INFO(game.substr(0, length));
        folder.write("games.pdn", before + game.substr(0, length));
        CHECK(problem_of_resumption(settings).empty());
        CHECK(*read_file(settings.pdn_file) == before);
    }
    Result<GameFiles> opened = GameFiles::open(settings);
    REQUIRE(opened);
    GameFiles files = *std::move(opened);
    GameRecord record;
    record.ending = Ending::no_move;
    REQUIRE(files.add(2, record, written_game(settings, 2)));
    CHECK(*read_file(settings.pdn_file) == before + game);
}

TEST_CASE("a match that goes on writes behind its finished games", "[tools][match]") {
    const TemporaryFolder folder;
    const CompetitionSettings settings = match_of_two(folder);
    begin_match(settings);
    const std::string finished = *read_file(settings.pdn_file);
    folder.write("games.pdn", finished + written_game(settings, 3));
    if constexpr (path_separator == '/') {  // on Windows nobody can
        Result<GameFiles> opened = GameFiles::open(settings);
        REQUIRE(opened);
        GameFiles files = *std::move(opened);
        // Another program appends to the file meanwhile.
        const std::string grown = finished + written_game(settings, 3) + '\n';
        folder.write("games.pdn", grown);
        CHECK(files.cut_unfinished_game(settings, names_of_two));
        CHECK(*read_file(settings.pdn_file) == grown);
    }
    Result<GameFiles> opened = GameFiles::open(settings);
    REQUIRE(opened);
    GameFiles files = *std::move(opened);
    REQUIRE_FALSE(files.cut_unfinished_game(settings, names_of_two));
    CHECK(files.place() == settings.pdn_file + "#1");
    GameRecord record;
    record.ending = Ending::no_move;
    REQUIRE(files.add(1, record, written_game(settings, 1)));
    CHECK(files.place() == settings.pdn_file + "#2");
    CHECK(*read_file(settings.pdn_file) == finished + written_game(settings, 1) + '\n');
}

}  // namespace defiance
