#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "cb/indented_lines.hpp"

using namespace defiance;

TEST_CASE("lines that all fit are kept as they are", "[cb]") {
    CHECK(indented_lines({"one", "not used: two", "three"}, "not used: ", 100) ==
          "\n  one\n  not used: two\n  three");
    CHECK(indented_lines({}, "not used: ", 100).empty());
    CHECK(indented_lines({std::string(97, 'x')}, "not used: ", 100).size() == 100);
}

TEST_CASE("where space is short, what is not used comes first", "[cb]") {
    const std::string fault = "not used: " + std::string(50, 'c');
    CHECK(indented_lines({std::string(60, 'a'), "b", fault}, "not used: ", 100) ==
          "\n  " + fault + "\n  b\n  and more");
    // A line that is too long is cut, so that something is said of it.
    const std::string cut = indented_lines({"b", fault + fault}, "not used: ", 100);
    CHECK(cut.size() == 100);
    CHECK(cut.find("\n  " + fault) == 0);
    CHECK(cut.find("c\n  and more") != std::string::npos);
}
