#include <catch2/catch.hpp>

#include <defiance/base/system.hpp>
#include <defiance/engine/engine.hpp>
#include <defiance/engine/folder_inspector.hpp>

#include "../base/temporary.hpp"
#include "background_work.hpp"
#include "scripted_core.hpp"

using namespace defiance;
using namespace defiance::test;

TEST_CASE("nobody who asks about a folder waits until it is looked into", "[engine][endgames]") {
    const ScriptReset reset;
    const TemporaryFolder slow;
    const TemporaryFolder other;
    Engine engine(scripted_core(), "");
    Door door;
    script().on_open = door.waiting();
    const auto describe = [&](const std::string& folder) {
        return engine.describe_folder(FolderInspector::Contents::databases, folder);
    };
    CHECK(describe(slow.path()).find("ask again in a few seconds") != std::string::npos);
    CHECK(describe(other.path()).find("still looking into another folder") == 0);
    CHECK(engine.describe_folder(FolderInspector::Contents::distances, slow.path())
              .find("still looking into another folder") == 0);
    door.open();
    CHECK(asked_patiently([&] { return describe(slow.path()); }) == "scripted");
    CHECK(script().sets_opened == 1);
    // What was told is forgotten: the folder may hold something else by then.
    CHECK(asked_patiently([&] { return describe(slow.path()); }) == "scripted");
    CHECK(script().sets_opened == 2);
    const std::string missing = asked_patiently([&] {
        return engine.describe_folder(FolderInspector::Contents::distances, other.path() + "/none");
    });
    CHECK(missing.find("folder not found: " + other.path() + "/none") == 0);
}

TEST_CASE("an answer about one folder that nobody fetches makes room for another",
          "[engine][endgames]") {
    const ScriptReset reset;
    const TemporaryFolder first;
    const TemporaryFolder second;
    FolderInspector inspector(scripted_core());
    const auto describe = [&](const TemporaryFolder& folder) {
        return inspector.describe(FolderInspector::Contents::databases, folder.path());
    };
    Door door;
    script().on_open = door.waiting();
    CHECK(describe(first).find("ask again in a few seconds") != std::string::npos);
    door.open();
    for (int i = 0; i < 2000 && (script().sets_opened == 0 || script().open_sets > 0); ++i)
        sleep_milliseconds(5);
    REQUIRE(script().open_sets == 0);
    // Time for the thread to end, so that only the inspector still holds the answer that it drops
    // now. The thread sanitizer sees whether a lock of it is held then.
    sleep_milliseconds(50);
    CHECK(asked_patiently([&] { return describe(second); }) == "scripted");
    CHECK(script().sets_opened == 2);
}
