#include <defiance/base/text.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include <defiance/base/random.hpp>

using namespace defiance;

TEST_CASE("text is cut between characters", "[base]") {
    CHECK(first_bytes("", 0).empty());
    CHECK(first_bytes("draughts", 20) == "draughts");
    CHECK(first_bytes("draughts", 8) == "draughts");
    CHECK(first_bytes("draughts", 4) == "drau");
    const std::string_view text = "d\xC3\xA1ma";  // d, a with acute, m, a
    CHECK(first_bytes(text, 1) == "d");
    CHECK(first_bytes(text, 2) == "d");
    CHECK(first_bytes(text, 3) == text.substr(0, 3));
    CHECK(first_bytes("\x80\x80\x80", 2).empty());
}

TEST_CASE("a whole number is read when nothing else is there", "[base]") {
    CHECK(parse_integer("0", 0, 9) == 0);
    CHECK(parse_integer("-7", -9, 9) == -7);
    CHECK(parse_integer("007", 0, 9) == 7);
    CHECK(parse_integer("9223372036854775807", 0, std::numeric_limits<std::int64_t>::max()) ==
          std::numeric_limits<std::int64_t>::max());
    for (const char* text : {"", " 1", "1 ", "+1", "1.0", "x", "-", "10", "-10", "0x1",
                             "9223372036854775808", "99999999999999999999999999"})
        CHECK_FALSE(parse_integer(text, -9, 9));
}

TEST_CASE("a decimal number is read with a point in every locale", "[base]") {
    CHECK(*parse_decimal("0", 10) == 0);
    CHECK(*parse_decimal("2.5", 10) == Approx(2.5));
    CHECK(*parse_decimal(".5", 10) == Approx(0.5));
    CHECK(*parse_decimal("5.", 10) == Approx(5));
    CHECK(*parse_decimal("10", 10) == 10);
    CHECK(*parse_decimal("000.10", 10) == 0.1);
    for (const char* text :
         {"", ".", "-1", "+1", "1,5", "1e3", "nan", "inf", "-0", "1.2.3", " 1", "10.1"})
        CHECK_FALSE(parse_decimal(text, 10));
    CHECK_FALSE(parse_decimal(std::string(1000, '9'), 1e9));
}

TEST_CASE("a number is written with the decimals asked for", "[base]") {
    CHECK(fixed(1.5, 0) == "2");
    CHECK(fixed(1.25, 1) == "1.2");  // to the even one, as printf does
    CHECK(fixed(1.75, 1) == "1.8");
    CHECK(fixed(0.35, 1) == "0.3");  // the nearest number of the machine is a little less
    CHECK(fixed(0.004, 2) == "0.00");
    CHECK(fixed(-0.004, 2) == "0.00");
    CHECK(fixed(-0.0, 0) == "0");
    CHECK(fixed(-1.5, 2) == "-1.50");
    CHECK(fixed(-0.5, 1) == "-0.5");
    CHECK(fixed(3.0006, 3) == "3.001");
    CHECK(fixed(12, 6) == "12.000000");
    CHECK(fixed(std::nan(""), 1) == "0.0");
    CHECK(fixed(std::numeric_limits<double>::infinity(), 0) == "1000000000000");
    CHECK(fixed(-1e300, 1) == "-1000000000000.0");
    CHECK(fixed(9.995, 2) == "9.99");  // a little less, too
    CHECK(fixed(0.9999996, 6) == "1.000000");
    CHECK(fixed(std::numeric_limits<double>::denorm_min(), 6) == "0.000000");
}

TEST_CASE("a number is rounded as the standard library rounds it", "[base]") {
    Random random(2026);
    for (int i = 0; i < 20'000; ++i) {
        const int decimals = static_cast<int>(random.next() % (max_decimals + 1));
        // Of every size from 2^-40 to 2^38, and half of them in the middle between two results.
        const int exponent = static_cast<int>(random.next() % 79) - 40;
        double value = std::ldexp(1 + static_cast<double>(random.next() >> 12) * 0x1p-52, exponent);
        if (random.next() % 2 == 0)
            value = (std::floor(value) + 0.5) / std::pow(10, static_cast<int>(random.next() % 7));
        std::array<char, 64> text;
        const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                                std::chars_format::fixed, decimals);
        REQUIRE(error == std::errc{});
        REQUIRE(fixed(value, decimals) == std::string(text.data(), end));
    }
}

TEST_CASE("a sign stands before every number that asks for one", "[base]") {
    CHECK(with_sign(12) == "+12");
    CHECK(with_sign(0) == "+0");
    CHECK(with_sign(-3) == "-3");
}

TEST_CASE("words are taken off one by one", "[base]") {
    std::string_view rest = "  set  hash\t64 \r\n";
    CHECK(take_word(rest) == "set");
    CHECK(rest == "hash\t64");
    CHECK(take_word(rest) == "hash");
    CHECK(take_word(rest) == "64");
    CHECK(take_word(rest).empty());
    CHECK(rest.empty());
    CHECK(trimmed(" a b ") == "a b");
    CHECK(trimmed(" \n ").empty());
}

TEST_CASE("a byte order mark is no part of a text", "[base]") {
    CHECK(without_byte_order_mark("\xEF\xBB\xBF draughts") == " draughts");
    CHECK(without_byte_order_mark("\xEF\xBB\xBF").empty());
    for (const char* text : {"", "draughts", "\xEF\xBB", "x\xEF\xBB\xBF"})
        CHECK(without_byte_order_mark(text) == text);
    // One of them only: a second one is a character of the text.
    CHECK(without_byte_order_mark("\xEF\xBB\xBF\xEF\xBB\xBF") == "\xEF\xBB\xBF");
}

TEST_CASE("foreign text is shown short and printable", "[base]") {
    CHECK(shown("abc") == "abc");
    CHECK(shown("a\nb\x1B\xFF") == "a?b??");
    CHECK(shown("abcdef", 3) == "abc...");
    // Characters of UTF-8 count as one each and are never cut.
    CHECK(shown("d\u00E1m\u03B1\u6F22", 4) == "d\u00E1m\u03B1...");
    CHECK(shown("\U0001F3C1") == "\U0001F3C1");
    // A beginning without its rest, a rest without its beginning, "/" written too long, half of a
    // pair, beyond the last code, a control character.
    for (const char* text : {"\xE6\xBC", "\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80",
                             "\xF4\x90\x80\x80", "\xC2\x9B", "\xF8\x88\x80\x80\x80"})
        CHECK(shown(text) == std::string(std::string_view(text).size(), '?'));
    CHECK(shown("abc", 3) == "abc");
    CHECK(shown(std::string_view("\0", 1)) == "?");
}

TEST_CASE("a command is split into words", "[base]") {
    using Words = std::vector<std::string>;
    CHECK(split_command("") == Words{});
    CHECK(split_command("  ") == Words{});
    CHECK(split_command("defiance middleware  --time 1") ==
          Words{"defiance", "middleware", "--time", "1"});
    CHECK(split_command("\"C:\\My Games\\a.exe\" x\"y z\" \"\"") ==
          Words{"C:\\My Games\\a.exe", "xy z", ""});
    CHECK_FALSE(split_command("a \"b"));
}
