#include <catch2/catch.hpp>

#include <filesystem>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <defiance/base/file.hpp>
#include <tools/posdb/json_writer.hpp>
#include <tools/posdb/scored_moves_text.hpp>
#include <tools/posdb/sha256.hpp>
#include <tools/posdb/write_token.hpp>

#include "../base/temporary.hpp"

using namespace defiance;

namespace {

template <class Value>
constexpr bool is_written_as_json = requires(JsonWriter json, const Value& value) {
    json.value(value);
};

}  // namespace

TEST_CASE("SHA-256 and HMAC give what their standards say", "[posdb]") {
    CHECK(to_hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(to_hex(sha256("abc")) ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(to_hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(to_hex(sha256(std::string(1000000, 'a'))) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    CHECK(to_hex(hmac_sha256("Jefe", "what do ya want for nothing?")) ==
          "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    CHECK(to_hex(hmac_sha256(std::string(131, '\xaa'),
                             "Test Using Larger Than Block-Size Key - Hash Key First")) ==
          "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    CHECK(equal_in_constant_time("abc", "abc"));
    CHECK_FALSE(equal_in_constant_time("abc", "abd"));
    CHECK_FALSE(equal_in_constant_time("abc", "ab"));
    CHECK(from_hex(to_hex(std::string("\0\xFFz", 3))) == std::string("\0\xFFz", 3));
    CHECK_FALSE(from_hex("0"));
    CHECK_FALSE(from_hex("0g"));
}

TEST_CASE("JSON texts are escaped", "[posdb]") {
    JsonWriter json;
    json.begin_object();
    json.member("a\"\\\n\xFF", "\x01/");
    json.key("b");
    json.begin_array();
    json.value(-3);
    json.value(false);
    json.end_array();
    json.member("c", true);
    json.end_object();
    CHECK(json.take() == "{\"a\\\"\\\\\\u000a\\u00ff\":\"\\u0001/\",\"b\":[-3,false],\"c\":true}");
    // A character would be written as a number, a pointer as a truth value.
    STATIC_REQUIRE_FALSE(is_written_as_json<char>);
    STATIC_REQUIRE_FALSE(is_written_as_json<char8_t>);
    STATIC_REQUIRE_FALSE(is_written_as_json<int*>);
    STATIC_REQUIRE(is_written_as_json<std::uint8_t>);
}

TEST_CASE("the secret is made once and only the user can read it", "[posdb]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/secret.txt";
    const auto made = WriteSecret::open(path);
    REQUIRE(made);
    const auto again = WriteSecret::open(path);
    REQUIRE(again);
    CHECK(made->token({"a", "b"}) == again->token({"a", "b"}));
    CHECK(made->token({"a", "b"}) != again->token({"a", "c"}));
#ifndef _WIN32
    const auto rights = std::filesystem::status(path).permissions();
    CHECK((rights & std::filesystem::perms::mask) ==
          (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
#endif
    // The file on the way to it is gone.
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
    folder.write("short.txt", "too short");
    const auto too_short = WriteSecret::open(folder.path() + "/short.txt");
    REQUIRE_FALSE(too_short);
    CHECK(too_short.error().ends_with("when the file is deleted the server makes a new one"));
    // A worker has a copy, and makes none.
    const auto copy = WriteSecret::read(path);
    REQUIRE(copy);
    CHECK(copy->token({"a", "b"}) == made->token({"a", "b"}));
    const auto cut = WriteSecret::read(folder.path() + "/short.txt");
    REQUIRE_FALSE(cut);
    CHECK(cut.error().ends_with("copy it again from the server"));
    CHECK_FALSE(WriteSecret::read(folder.path() + "/none.txt"));
    CHECK_FALSE(file_exists(folder.path() + "/none.txt"));
    const auto nowhere = WriteSecret::open(folder.path() + "/no/secret.txt");
    REQUIRE_FALSE(nowhere);
    CHECK(nowhere.error().find("cannot be written: ") != std::string::npos);
    CHECK_FALSE(WriteSecret().accepts("", {}));
    CHECK(is_recent("1000", 1300));
    CHECK_FALSE(is_recent("1000", 1301));
    CHECK_FALSE(is_recent("", 1301));
}

TEST_CASE("programs that begin at the same time have one secret", "[posdb]") {
    for (int i = 0; i < 20; ++i) {
        const TemporaryFolder folder;
        const std::string path = folder.path() + "/secret.txt";
        std::vector<std::string> tokens(4);
        std::vector<std::thread> threads;
        for (std::string& token : tokens)
            threads.emplace_back([&] {
                const auto secret = WriteSecret::open(path);
                token = secret ? secret->token({"a"}) : secret.error();
            });
        for (std::thread& thread : threads)
            thread.join();
        CHECK(tokens == std::vector<std::string>(4, tokens[0]));
        CHECK(tokens[0].size() == 64);
    }
}
