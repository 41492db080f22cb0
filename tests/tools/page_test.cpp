#include <catch2/catch.hpp>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include <defiance/base/text.hpp>
#include <tools/posdb/page.hpp>

using namespace defiance;

namespace {

constexpr const char* page_paths[] = {"/",          "/index.html", "/page.css",     "/board.css",
                                      "/page.js",   "/board.js",   "/choice.js",    "/database.js",
                                      "/editor.js", "/games.js",   "/kept_game.js", "/panel.js",
                                      "/watch.js",  "/words.js",   "/icon.svg"};

HttpResponse file_at(const std::string& path) {
    INFO(path);
    const auto response = page_file(path);
    REQUIRE(response);
    return *response;
}

/// What the first group of the pattern matches, at each place.
std::vector<std::string> all_matches(const std::string& text, const std::string& pattern) {
    const std::regex expression(pattern);
    std::vector<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
        found.push_back((*at)[1]);
    return found;
}

}  // namespace

TEST_CASE("the page has every file that it names", "[tools][posdb][page]") {
    std::vector<std::string> named;
    for (const std::string path : page_paths) {
        const std::string text = file_at(path).body;
        for (const std::string& name : all_matches(text, R"((?:href|src)="([^"#]+)\")"))
            named.push_back(name);
        for (const std::string& name : all_matches(text, R"(from '\./([^']+)')"))
            named.push_back(name);
    }
    CHECK(named.size() >= 8);
    for (const std::string& name : named)
        static_cast<void>(file_at('/' + name));
}

TEST_CASE("the files of the page have their type and headers", "[tools][posdb][page]") {
    for (const std::string path : page_paths) {
        const HttpResponse response = file_at(path);
        CHECK(response.status == 200);
        CHECK_FALSE(response.body.empty());
        const std::string wanted = path.ends_with(".css")   ? "text/css"
                                   : path.ends_with(".js")  ? "text/javascript"
                                   : path.ends_with(".svg") ? "image/svg+xml"
                                                            : "text/html";
        CHECK(response.type.starts_with(wanted));
        const auto policy = find_field(response.headers, "Content-Security-Policy");
        REQUIRE(policy);
        CHECK(policy->starts_with("default-src 'none';"));
        CHECK(policy->find("unsafe") == std::string_view::npos);
        // Without encryption the service knows its page by nothing else.
        CHECK(find_field(response.headers, "Referrer-Policy") == "same-origin");
    }
}

TEST_CASE("the page needs nothing from elsewhere and nothing that its policy forbids",
          "[tools][posdb][page]") {
    for (const std::string path : page_paths) {
        INFO(path);
        const std::string text = file_at(path).body;
        // The namespace of SVG is a name, not an address.
        for (const std::string& address :
             all_matches(text, R"((?:https?:)?//([a-z0-9.-]+\.[a-z]+))"))
            CHECK(address == "www.w3.org");
        if (!path.ends_with(".js")) {
            CHECK(all_matches(text, R"(\s(style|on[a-z]+)=)").empty());
            CHECK(text.find("<style") == std::string::npos);
        }
        CHECK(text.find("innerHTML") == std::string::npos);
        CHECK(text.find("eval(") == std::string::npos);
    }
    CHECK(all_matches(file_at("/").body, "(<script(?! type=\"module\" src=)[^>]*>)").empty());
}

TEST_CASE("there are no other files", "[tools][posdb][page]") {
    for (const char* path : {"", "page.js", "//", "/page.JS", "/page.js/", "/../page.js",
                             "/favicon.ico", "/cdb", "/page.cpp"})
        CHECK_FALSE(page_file(path));
}
