#ifndef _WIN32
#include <sys/stat.h>
#endif

#include <string>

#include <catch2/catch.hpp>

#include <defiance/eval/network.hpp>

#include "../base/temporary.hpp"
#include "../eval/random_network.hpp"
#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

std::string file_content(const NetworkParameters& network) {
    const auto bytes = serialize(network);
    return {bytes.begin(), bytes.end()};
}

std::string value_of(std::string_view fen) {
    const std::string text = accepted(engine(), "staticevaluation " + std::string(fen));
    REQUIRE(text.rfind("value=", 0) == 0);
    return text.substr(0, text.find(' '));
}

constexpr const char* ending = "W:W27,28,K32:B1,2,14";

}  // namespace

TEST_CASE("a user's network evaluates until it is taken back", "[cb]") {
    Random random(141);
    NetworkParameters network = testing::random_network(random, 64, 4);
    network.description = "numbers by chance";
    const TemporaryFile file(file_content(network));
    const std::string before = value_of(ending);
    const std::string about_before = accepted_in_time(engine(), "about");
    CHECK(accepted(engine(), "get evalfile").empty());

    CHECK(accepted(engine(), "set evalfile " + file.path()) == "evalfile " + file.path());
    CHECK(accepted(engine(), "get evalfile") == file.path());
    const Position position = position_of(ending);
    const int score = in_centimen(Network(network).evaluate(position));
    CHECK(value_of(ending) == (score > 0 ? "value=+" : "value=") + std::to_string(score));
    CHECK(contains(accepted(engine(), "about"), "numbers by chance"));
    Call call(position_of("W:W21-32:B1-12"));
    call.run(engine(), 0.02);
    CHECK(call.has_moved_legally());

    CHECK(accepted(engine(), "set evalfile") == "evalfile ");
    CHECK(accepted(engine(), "get evalfile").empty());
    CHECK(value_of(ending) == before);
    CHECK(accepted_in_time(engine(), "about") == about_before);
}

TEST_CASE("a network that is set again is read again", "[cb]") {
    Random random(143);
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/mine.net";
    for (const char* description : {"the first", "the second"}) {
        NetworkParameters network = testing::random_network(random, 64, 4);
        network.description = description;
        folder.write("mine.net", file_content(network));
        CHECK(accepted(engine(), "set evalfile " + path) == "evalfile " + path);
        CHECK(contains(accepted(engine(), "about"), description));
    }
    folder.write("mine.net", "no network any more");
    CHECK(contains(refused(engine(), "set evalfile " + path), "no evaluation network"));
    CHECK(contains(accepted(engine(), "about"), "the second"));
    CHECK(accepted(engine(), "set evalfile") == "evalfile ");
}

TEST_CASE("texts in a network file are shown on one line and cut", "[cb][hostile]") {
    Random random(144);
    NetworkParameters network = testing::random_network(random, 64, 1);
    network.description = "one\ntwo\r\n\x1b[31m\xff, " + std::string(200, 'x');
    const TemporaryFile file(file_content(network));
    REQUIRE(accepted(engine(), "set evalfile " + file.path()) != "");
    const std::string about = accepted(engine(), "about");
    CHECK(contains(about, "(one?two???[31m?)"));
    network.game = "a\nb\xff";
    const TemporaryFile foreign(file_content(network));
    CHECK(contains(refused(engine(), "set evalfile " + foreign.path()), "is for a?b?, not for"));
    CHECK(accepted(engine(), "set evalfile") == "evalfile ");
}

#ifndef _WIN32
TEST_CASE("a pipe is no network, and nobody waits for it", "[cb][hostile]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/pipe";
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    CHECK(contains(refused(engine(), "set evalfile " + path), "evalfile"));
    CHECK(accepted(engine(), "get evalfile").empty());
}
#endif

TEST_CASE("what is no network of the game is refused, and the old one stays", "[cb][hostile]") {
    Random random(142);
    const NetworkParameters good = testing::random_network(random, 64, 1);
    const TemporaryFile used(file_content(good));
    REQUIRE(accepted(engine(), "set evalfile " + used.path()) != "");
    const std::string value = value_of(ending);

    NetworkParameters foreign = good;
    foreign.game = "Russian";
    const TemporaryFile of_other_game(file_content(foreign));
    const TemporaryFile cut(file_content(good).substr(0, 500));
    const TemporaryFile empty("");
    const TemporaryFile large(std::string(3 << 20, 'x'));
    for (const auto& [path, reason] :
         {std::pair<std::string, std::string>{of_other_game.path(), "for Russian, not for English"},
          {cut.path(), "cut off or damaged"},
          {empty.path(), "no evaluation network"},
          {large.path(), ""},
          {used.path() + "x", ""},
          {std::string(251, 'x'), "at most 250 characters"}}) {
        const std::string text = refused(engine(), "set evalfile " + path);
        CHECK(contains(text, "evalfile"));
        CHECK(contains(text, reason));
        CHECK(value_of(ending) == value);
    }
    CHECK(accepted(engine(), "get evalfile") == used.path());
    CHECK(accepted(engine(), "set evalfile") == "evalfile ");
}

TEST_CASE("staticevaluation tells what each piece is worth", "[cb]") {
    const std::string text = accepted(engine(), "staticevaluation W:W27,28,K32:B1,2,14");
    for (const char* piece : {"black man 1: ", "black man 2: ", "black man 14: ", "white man 27: ",
                              "white man 28: ", "white king 32: "})
        CHECK(contains(text, piece));
    const auto without = [&](const std::string& piece) {
        const auto at = text.find(piece + ": ") + piece.size() + 2;
        return std::stoi(text.substr(at));
    };
    const int value = std::stoi(text.substr(text.find('=') + 1));
    CHECK(without("white king 32") < value);
    CHECK(without("black man 14") > value);
    CHECK("value=" + std::string(without("black man 14") > 0 ? "+" : "") +
              std::to_string(without("black man 14")) ==
          value_of("W:W27,28,K32:B1,2"));
    // Every text fits into CheckerBoard's buffer.
    CHECK(accepted(engine(), "staticevaluation B:W21-32:B1-12").size() < 1024);
}
