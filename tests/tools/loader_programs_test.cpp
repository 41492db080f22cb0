#include <catch2/catch.hpp>

#include <cstdlib>
#include <string>
#include <vector>

#include <defiance/base/file.hpp>
#include <tools/match/loader_programs.hpp>

using namespace defiance;

TEST_CASE("an engine of CheckerBoard runs in the folder above the engines", "[tools][match]") {
    CHECK(usual_folder("/cb/engines/cake.dll") == "/cb/");
    CHECK(usual_folder("/cb/my engines/cake.dll").empty());
    CHECK(usual_folder("/cb/cake.dll").empty());
    CHECK(usual_folder("cake.dll").empty());
    // Where the system takes capital letters for small ones.
    CHECK(usual_folder("/cb/Engines/cake.dll") ==
          (is_same_name("Engines", "engines") ? "/cb/" : ""));
}

TEST_CASE("Wine gets file names in UTF-8", "[tools][match]") {
    for (const char* name : {"en_GB.UTF-8", "C.utf8", "de_DE.utf-8", "ca_ES.UTF-8@valencia"})
        CHECK(is_utf8_locale(name));
    for (const char* name : {"", "C", "POSIX", "de_DE", "de_DE@euro", "de_DE.ISO-8859-1", "UTF-8"})
        CHECK_FALSE(is_utf8_locale(name));
#ifndef _WIN32
    const char* value = std::getenv("LC_ALL");
    const std::string before = value != nullptr ? value : "";
    setenv("LC_ALL", "C", 1);
    CHECK(wine_command() ==
          std::vector<std::string>{"env", "WINEDEBUG=-all", "LC_ALL=C.UTF-8", "wine"});
    setenv("LC_ALL", "en_GB.UTF-8", 1);
    CHECK(wine_command() == std::vector<std::string>{"env", "WINEDEBUG=-all", "wine"});
    if (value != nullptr)
        setenv("LC_ALL", before.c_str(), 1);
    else
        unsetenv("LC_ALL");
#endif
}
