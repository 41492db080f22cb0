#include <catch2/catch.hpp>

#include <string>
#include <utility>

#include <defiance/base/random.hpp>
#include <tools/support/hub_line.hpp>

using namespace defiance;

namespace {

HubLine hub_line_in(std::string_view text) {
    INFO(text);
    const Result<HubLine> line = parse_hub_line(text);
    REQUIRE(line);
    return *line;
}

}  // namespace

TEST_CASE("a line of the Hub protocol is a command with arguments", "[tools][hub]") {
    CHECK(hub_line_in("ping").command == "ping");
    CHECK(hub_line_in("  ping\t").arguments.empty());
    const HubLine level = hub_line_in("level moves=9 time=291.587");
    CHECK(level.command == "level");
    CHECK(level.value("moves") == "9");
    CHECK(level.value("time") == "291.587");
    CHECK_FALSE(level.value("inc"));
    const HubLine go = hub_line_in("go think");
    CHECK(go.has("think"));
    CHECK_FALSE(go.value("think"));
    CHECK_FALSE(go.has("ponder"));
}

TEST_CASE("values are quoted where they hold spaces or nothing", "[tools][hub]") {
    const HubLine line = hub_line_in("pos pos=Weeb moves=\"38-15 5-41\" empty=\"\" sum=\"a=b\"");
    CHECK(line.value("moves") == "38-15 5-41");
    CHECK(line.value("empty") == "");
    CHECK(line.value("sum") == "a=b");
    CHECK(hub_line_in("set-param name = hash  value= \"64\"").value("value") == "64");
    CHECK(hub_line_in("a x=1 x=2").value("x") == "2");
    CHECK(hub_line_in("a x=\"1\"y=2").value("y") == "2");
}

TEST_CASE("a line is written as it is read", "[tools][hub]") {
    for (const char* text :
         {"wait", "done move=32-28 ponder=17-22", "go think", "pos pos=Weeb moves=\"38-15 5-41\"",
          "param name=egdb-path value=\"\" type=string", "x a=\"b=c\""})
        CHECK(hub_line_in(text).text() == text);
    HubLine line;
    line.command = "error";
    line.add("message", "he said \"no\"\n\x01");
    CHECK(line.text() == "error message=\"he said 'no'??\"");
    CHECK(parse_hub_line(line.text()));
}

TEST_CASE("what is no line of the Hub protocol is said", "[tools][hub]") {
    for (const char* text : {"", "   ", "=", "=a", "\"hub\"", "a =b", "a b=", "a b=\"c", "a b==c",
                             "a \"b\"", "a b=\"", "level time= =3"}) {
        INFO(text);
        CHECK_FALSE(parse_hub_line(text));
    }
}

TEST_CASE("lines without measure are refused", "[tools][hub]") {
    CHECK_FALSE(parse_hub_line(std::string(longest_hub_line + 1, 'a')));
    CHECK(parse_hub_line(std::string(longest_hub_line, 'a')));
    std::string many = "a";
    for (std::size_t i = 0; i < max_hub_arguments; ++i)
        many += " b=1";
    CHECK(parse_hub_line(many));
    CHECK_FALSE(parse_hub_line(many + " b"));
}

TEST_CASE("any bytes are read as a line or refused", "[tools][hub]") {
    Random random(7);
    constexpr std::string_view pieces[] = {"pos", " ", "=", "\"", "x", "\t", "\x80", "-", "\xFF"};
    for (int i = 0; i < 5000; ++i) {
        std::string text;
        for (std::size_t length = random.below(20); length > 0; --length)
            text += pieces[random.below(std::size(pieces))];
        INFO(text);
        const Result<HubLine> line = parse_hub_line(text);
        if (!line) continue;
        const Result<HubLine> again = parse_hub_line(line->text());
        if (line->text().find('?') != std::string::npos) continue;
        REQUIRE(again);
        CHECK(again->text() == line->text());
    }
}

TEST_CASE("numbers of the Hub protocol have signs and exponents", "[tools][hub]") {
    for (const auto& [text, number] :
         {std::pair{"0", 0.0}, std::pair{"-0.25", -0.25}, std::pair{"+3.5", 3.5},
          std::pair{"1e-05", 1e-05}, std::pair{"-2.5E+1", -25.0}, std::pair{"100", 100.0}}) {
        INFO(text);
        CHECK(parse_hub_number(text, 100) == number);
    }
    for (const char* text : {"", "+", "-", "+-1", "--1", "1e", "1e5", "-101", "inf", "-nan", "nan",
                             "1,5", " 1", "1 ", "0x10", "1e999"}) {
        INFO(text);
        CHECK_FALSE(parse_hub_number(text, 100));
    }
}
