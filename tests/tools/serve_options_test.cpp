// What the options of `defiance serve` and `defiance work` say.

#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <tools/http/connection.hpp>
#include <tools/posdb/scoring_pool.hpp>
#include <tools/posdb/serve_options.hpp>

#include "../base/temporary.hpp"
#include "store_contract.hpp"

using namespace defiance;

namespace {

/// How many threads score positions on a machine with so many processors.
int workers_on(int processors, const std::vector<std::string_view>& words) {
    const auto arguments = value_of(Arguments::parse({serve_syntax_options(), "", 0, 0}, words));
    return workers_given(arguments, processors);
}

/// What the user is told of a folder with endgame databases.
std::vector<std::string> told_of_databases(const std::string& folder) {
    const std::vector<std::string_view> words = {"--egdb", folder};
    const auto arguments = value_of(Arguments::parse({serve_syntax_options(), "", 0, 0}, words));
    std::vector<std::string> told;
    const auto endgames =
        endgames_given(arguments, [&](const std::string& line) { told.push_back(line); });
    if (!endgames) return {endgames.error()};
    for (const auto& databases : *endgames)
        CHECK(databases->pieces() > 0);
    return told;
}

}  // namespace

TEST_CASE("a server says where it is found", "[posdb][serve]") {
    using Addresses = std::vector<std::string>;
    CHECK(url_of_server({"127.0.0.1", "::1"}, 8032) == "http://127.0.0.1:8032/");
    for (const Addresses& addresses :
         {Addresses{"0.0.0.0"}, Addresses{"::", "0.0.0.0"}, Addresses{"10.0.0.7", "127.0.0.1"}})
        CHECK(url_of_server(addresses, 80) == "http://127.0.0.1:80/");
    for (const Addresses& addresses : {Addresses{"::"}, Addresses{"10.0.0.7", "::1"}})
        CHECK(url_of_server(addresses, 80) == "http://[::1]:80/");
    CHECK(url_of_server({"10.0.0.7", "10.0.0.8"}, 80) == "http://10.0.0.7:80/");
    CHECK(url_of_server({"fe80::1"}, 80) == "http://[fe80::1]:80/");
}

TEST_CASE("the durability of a server is what its option says", "[posdb][serve]") {
    const auto given = [](std::vector<std::string_view> words, const std::string& place) {
        const auto arguments =
            value_of(Arguments::parse({serve_syntax_options(), "", 0, 0}, words));
        return durability_given(arguments, place);
    };
    CHECK(value_of(given({}, "folder")) == Durability::group);
    CHECK(value_of(given({}, "redis://host")) == Durability::group);
    CHECK(value_of(given({"--durability", "sync"}, "folder")) == Durability::sync);
    CHECK(value_of(given({"--durability", "group"}, "folder")) == Durability::group);
    CHECK(value_of(given({"--durability", "os"}, "folder")) == Durability::os);
    CHECK_FALSE(given({"--durability", "group"}, "redis://host"));
    CHECK_FALSE(given({"--durability", "Sync"}, "folder"));
}

TEST_CASE("options of a server that are left without effect are refused", "[posdb][serve]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/positions";
    const auto problem_of = [&](std::vector<std::string_view> words) {
        words.insert(words.end(), {"--dir", path});
        const auto options = service_options_given(
            value_of(Arguments::parse({serve_syntax_options(), "", 0, 0}, words)));
        return options ? "" : options.error();
    };
    // A folder would take the place of a server whose name is misspelt.
    for (const std::string server : {"foo", "redis//127.0.0.1", "http://x"})
        CHECK(problem_of({"--store", server}) ==
              "--store takes redis://HOST:PORT/N, not '" + server + "'");
    CHECK(problem_of({"--expand", "none"}).starts_with("--expand takes start, "));
    CHECK(problem_of({"--game", "czech"}) == "--game needs --expand");
    CHECK_FALSE(folder_exists(path));
    CHECK(problem_of({"--store", "REDIS://127.0.0.1"}).empty());
    CHECK(problem_of({"--expand", "start", "--game", "czech"}).empty());
}

TEST_CASE("a server takes as many connections as its option says", "[posdb][serve]") {
    const auto given = [](std::vector<std::string_view> words) {
        return value_of(http_options_given(
            value_of(Arguments::parse({serve_syntax_options(), "", 0, 0}, words))));
    };
    const HttpServerOptions usual = given({});
    CHECK(usual.max_connections_per_address == 32);
    CHECK(usual.max_connections == 256);
    const HttpServerOptions more = given({"--connections", "60"});
    CHECK(more.max_connections_per_address == 60);
    CHECK(more.max_connections == 480);
    const HttpServerOptions fewer = given({"--connections", "2"});
    CHECK(fewer.max_connections_per_address == 2);
    CHECK(fewer.max_connections == 256);
    const HttpServerOptions most = given({"--connections", "1024"});
    CHECK(most.max_connections_per_address == 1024);
    CHECK(most.max_connections == (sizeof(void*) > 4 ? 4096 : 512));
}

TEST_CASE("a server has its names in the form in which they are compared", "[posdb][serve]") {
    const auto given = [](std::string_view names) {
        const std::vector<std::string_view> words = {"--host-name", names};
        return http_options_given(
            value_of(Arguments::parse({serve_syntax_options(), "", 0, 0}, words)));
    };
    using Names = std::vector<std::string>;
    CHECK(value_of(given("headnode, DB.Example.org")).host_names ==
          Names{"headnode", "db.example.org"});
    const HttpServerOptions options = value_of(given("HeadNode:8032,db.example.org.,[::1]:80"));
    CHECK(options.host_names == Names{"headnode", "db.example.org", "[::1]"});
    for (const std::string host : {"headnode", "headnode:8032", "headnode.", "DB.example.org:80"})
        CHECK(is_own_host(host, options));
    for (const std::string wrong :
         {"http://headnode", "https://headnode/", "headnode/cdb", "head node", "headnode:x", "a,,b",
          "a;b", "::1", "[a] b", "."}) {
        INFO(wrong);
        const auto refused = given(wrong);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().starts_with("--host-name: '"));
        const bool tells_of_url = refused.error().find("leave out http://") != std::string::npos;
        CHECK(tells_of_url == (wrong.find('/') != std::string::npos));
    }
}

TEST_CASE("a server scores what is queued also with one processor", "[posdb][serve]") {
    CHECK(workers_on(1, {}) == 1);
    CHECK(workers_on(2, {}) == 1);
    CHECK(workers_on(8, {}) == 7);
    CHECK(workers_on(1, {"--workers", "0"}) == 0);
    CHECK(workers_on(8, {"--workers", "3"}) == 3);
}

TEST_CASE("a position is scored before its lease runs out", "[posdb][serve]") {
    for (const std::vector<std::string_view>& words :
         {std::vector<std::string_view>{}, {"--leaf", "30"}, {"--nodes", "1000000000"}}) {
        const auto arguments =
            value_of(Arguments::parse({serve_syntax_options(), "", 0, 0}, words));
        CHECK(value_of(effort_given(arguments)).position_seconds < scoring_lease_seconds);
    }
}

TEST_CASE("a server names the endgame databases that it cannot use", "[posdb][serve]") {
    const TemporaryFolder folder;
    const std::string missing = folder.path() + "/none";
    CHECK(told_of_databases(missing) ==
          std::vector<std::string>{"--egdb: there is no folder " + shown(missing, 200)});
    // Nothing for any game.
    const auto of_empty = told_of_databases(folder.path());
    REQUIRE(of_empty.size() == 1);
    CHECK(of_empty.front().find("there are no databases") != std::string::npos);
    folder.write("english6.dfe", "no database");
    const auto of_damaged = told_of_databases(folder.path());
    REQUIRE(of_damaged.size() == 1);
    CHECK(of_damaged.front().starts_with("--egdb: not used: "));
    CHECK(of_damaged.front().find("english6.dfe") != std::string::npos);
}

TEST_CASE("a server does not name the games that a folder has no databases of", "[posdb][serve]") {
    const TemporaryFolder folder;
    folder.copy_from(DEFIANCE_SOURCE_DIR "/tests/egdb/cake");
    CHECK(told_of_databases(folder.path()).empty());
    CHECK(told_of_databases(folder.path() + '/').empty());
}
