#include <tools/support/arguments.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <tools/support/rules_types.hpp>

using namespace defiance;

namespace {

constexpr Option known_options[] = {
    text_option("fen"),    required(integer_option("depth", 0, 100)), decimal_option("time", 60),
    flag_option("divide"), integer_option("offset", -5, 5),           path_option("dir")};
constexpr Syntax syntax = {known_options, "FILE", 1, 2};

Result<Arguments> read(const std::vector<std::string_view>& words) {
    return Arguments::parse(syntax, words);
}

std::string error_of(const std::vector<std::string_view>& words) {
    const Result<Arguments> arguments = read(words);
    REQUIRE_FALSE(arguments);
    CHECK(arguments.error().find('\n') == std::string::npos);
    return arguments.error();
}

}  // namespace

TEST_CASE("options and other words may be mixed", "[tools]") {
    const Result<Arguments> arguments = read({"a.pdn", "--depth", "7", "--divide", "--time", "0.25",
                                              "b.pdn", "--fen", "W:W1:B2", "--offset", "-3"});
    REQUIRE(arguments);
    CHECK(arguments->positionals() == std::vector<std::string_view>{"a.pdn", "b.pdn"});
    CHECK(arguments->integer("depth") == 7);
    CHECK(arguments->integer("offset") == -3);
    CHECK(arguments->decimal("time") == Approx(0.25));
    CHECK(arguments->text("fen") == "W:W1:B2");
    CHECK(arguments->has("divide"));
}

TEST_CASE("what was not given is nothing", "[tools]") {
    const Result<Arguments> arguments = read({"a", "--depth", "0"});
    REQUIRE(arguments);
    CHECK_FALSE(arguments->has("divide"));
    CHECK_FALSE(arguments->text("fen"));
    CHECK_FALSE(arguments->decimal("time"));
    CHECK_FALSE(arguments->integer("offset"));
}

TEST_CASE("the game is an option of those verbs that have one", "[tools]") {
    const std::vector<std::string_view> words = {"a", "--depth", "1", "--game", "russian"};
    REQUIRE(read(words));
    CHECK(read(words)->text("game") == "russian");
    Syntax without_game = syntax;
    without_game.takes_game = false;
    const Result<Arguments> refused = Arguments::parse(without_game, words);
    REQUIRE_FALSE(refused);
    CHECK(refused.error() == "there is no option '--game'");
}

TEST_CASE("wrong usage is refused with the reason", "[tools]") {
    CHECK(error_of({"a", "--deep", "7"}) == "there is no option '--deep'");
    CHECK(error_of({"a", "-d", "7"}) == "there is no option '-d'");
    CHECK(error_of({"a", "--"}) == "there is no option '--'");
    CHECK(error_of({"a", "--depth"}) == "--depth needs a value");
    CHECK(error_of({"a", "--fen", "--depth", "7"}) == "--fen needs a value");
    CHECK(error_of({"a", "--depth", "1", "--depth", "1"}) == "--depth is given twice");
    CHECK(error_of({"a", "--divide", "--divide"}) == "--divide is given twice");
    CHECK(error_of({"a"}) == "--depth is missing");
    CHECK(error_of({"--depth", "1"}) == "FILE is missing");
    CHECK(error_of({"a", "b", "c", "--depth", "1"}) == "'c' is one word too many");
    CHECK(error_of({"a", "b", "", "--depth", "1"}) == "'' is one word too many");
}

TEST_CASE("a value may stand behind an equals sign", "[tools]") {
    const Result<Arguments> arguments =
        read({"--depth=7", "a=b", "--time=0.25", "--fen=--W=1", "--offset=-3", "--game=russian"});
    REQUIRE(arguments);
    CHECK(arguments->positionals() == std::vector<std::string_view>{"a=b"});
    CHECK(arguments->integer("depth") == 7);
    CHECK(arguments->integer("offset") == -3);
    CHECK(arguments->decimal("time") == Approx(0.25));
    CHECK(arguments->text("fen") == "--W=1");
    CHECK(*game_of(*arguments) == &core_of<Russian>);
    // Both forms are the same to who looks at what was given.
    CHECK(read({"a", "--depth=7"})->given() == read({"a", "--depth", "7"})->given());
    CHECK(read({"a", "--depth", "7", "--fen="})->text("fen") == "");
    CHECK(read({"a", "--depth", "7", "--fen", "x=y"})->text("fen") == "x=y");
}

TEST_CASE("a file or folder has a name", "[tools]") {
    CHECK(read({"a", "--depth=7", "--dir", "d"})->text("dir") == "d");
    for (const auto& words : {std::vector<std::string_view>{"a", "--depth=7", "--dir="},
                              std::vector<std::string_view>{"a", "--depth=7", "--dir", ""}})
        CHECK(error_of(words) == "--dir needs a name, not ''");
}

TEST_CASE("an equals sign does not make a wrong option right", "[tools]") {
    CHECK(error_of({"a", "--deep=7"}) == "there is no option '--deep'");
    CHECK(error_of({"a", "--=7"}) == "there is no option '--'");
    CHECK(error_of({"a", "-depth=7"}) == "there is no option '-depth=7'");
    CHECK(error_of({"a", "--depth=7", "--divide=1"}) == "--divide takes no value");
    CHECK(error_of({"a", "--depth=7", "--divide="}) == "--divide takes no value");
    CHECK(error_of({"a", "--depth=7", "--depth", "7"}) == "--depth is given twice");
    CHECK(error_of({"a", "--depth="}) == "--depth takes a whole number from 0 to 100, not ''");
    CHECK(error_of({"a", "--depth=101"}) ==
          "--depth takes a whole number from 0 to 100, not '101'");
}

TEST_CASE("words that are missing are named", "[tools]") {
    const auto error_for = [](const Syntax& wanted, const std::vector<std::string_view>& words) {
        const Result<Arguments> arguments = Arguments::parse(wanted, words);
        REQUIRE_FALSE(arguments);
        return arguments.error();
    };
    CHECK(error_for({{}, "FILE", 1, 1}, {}) == "FILE is missing");
    CHECK(error_for({{}, "A B", 2, 2}, {}) == "2 words are needed: A B");
    CHECK(error_for({{}, "A B", 2, 2}, {"a"}) == "2 words are needed: A B");
    CHECK(error_for({{}, "build or merge, and files", 1, 9}, {}) ==
          "a task is missing: build or merge, and files");
}

TEST_CASE("a number must be one and lie within its bounds", "[tools]") {
    for (const char* value :
         {"", "x", "1.5", "101", "-1", " 1", "1 ", "+1", "0x1", "1e1", "99999999999999999999999"})
        CHECK(error_of({"a", "--depth", value}) ==
              "--depth takes a whole number from 0 to 100, not '" + std::string(value) + "'");
    for (const char* value : {"", "x", "61", "-1", "1,5", "1e1", "nan", "inf", "."})
        CHECK(error_of({"a", "--depth", "1", "--time", value}) ==
              "--time takes a number from 0 to 60, not '" + std::string(value) + "'");
}

TEST_CASE("what is shown of a bad word cannot spoil the terminal", "[tools]") {
    CHECK(error_of({"a", "--\x1B[2J\n"}) == "there is no option '--?[2J?'");
    CHECK(error_of({"a", "--depth", std::string(1000, '9')}).size() < 120);
}

TEST_CASE("every verb takes a game", "[tools]") {
    const Result<Arguments> given = read({"a", "--depth", "1", "--game", "russian"});
    REQUIRE(given);
    CHECK(*game_of(*given) == &core_of<Russian>);
    CHECK(*game_of(*read({"a", "--depth", "1"})) == &core_of<English>);
    CHECK(error_of({"a", "--game", "english", "--game", "english"}) == "--game is given twice");
}

TEST_CASE("games are found by their words and numbers", "[tools]") {
    CHECK(built_games().size() == 6);
    for (const GameCore* core : built_games()) {
        CHECK(find_game(core->rules.file_word) == core);
        CHECK(find_game(core->rules.game_type) == core);
    }
    CHECK(find_game("chess") == nullptr);
    CHECK(find_game(1) == nullptr);
}

TEST_CASE("the action is run with the rules of the game", "[tools]") {
    const auto type_of = [](const Arguments& arguments) {
        int type = 0;
        const ExitCode code = with_rules(arguments, [&]<class Rules>() {
            type = Rules::game_type;
            return exit_no;
        });
        CHECK(code == exit_no);
        return type;
    };
    CHECK(type_of(*read({"a", "--depth", "1"})) == 21);
    CHECK(type_of(*read({"a", "--depth", "1", "--game", "czech"})) == 29);
}

TEST_CASE("a game that is not built in is named with those that are", "[tools]") {
    CHECK(game_of(*read({"a", "--depth", "1", "--game", "chess"})).error() ==
          "--game: 'chess' is not built into this program; it knows english italian spanish "
          "russian brazilian czech");
}

TEST_CASE("the number of a game is read as CheckerBoard reads it", "[tools]") {
    CHECK(game_type_in({1, "25", {}, false}) == 25);
    CHECK(game_type_in({1, " 22 (Italian)", {}, false}) == 22);
    CHECK(game_type_in({1, "draughts", {}, false}) == 0);
    CHECK(game_type_in({0, "25", {}, false}) == 21);
}

TEST_CASE("a position for play may lack pieces but not be impossible", "[tools]") {
    CHECK(read_position(rules_of<English>, "B:W30:B"));
    CHECK(read_position(rules_of<English>, "B:W:B"));
    CHECK(read_position(rules_of<English>, "W:W4:B").error() ==
          "the position has a man on its crowning row");
    CHECK(read_position(rules_of<English>, "W:W20-32:B1").error() ==
          "the position has more than 12 white pieces");
    CHECK_FALSE(read_position(rules_of<English>, "W:W99:B1"));
    const Result<Arguments> bad = read({"a", "--depth", "1", "--fen", "W:W32:B32"});
    CHECK(position_of(rules_of<English>, *bad).error() == "--fen: square 32 is named twice");
    CHECK(*position_of(rules_of<English>, *read({"a", "--depth", "1"})) ==
          start_position(Side::black));
}
