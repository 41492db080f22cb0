#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <map>

#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/egdb/build.hpp>
#include <defiance/egdb/database_file.hpp>
#include <defiance/egdb/endgames.hpp>
#include <tools/egdb/builder.hpp>

#include "../base/full_disk.hpp"
#include "../base/temporary.hpp"
#include "../every_game.hpp"
#include "egdb/probe/database.hpp"
#include "solved.hpp"

using namespace defiance;

namespace {

class TestMonitor : public BuildMonitor {
public:
    /// Stops the build when it asks for the time after so many.
    explicit TestMonitor(int patience = 1'000'000) : patience_(patience) {}

    void begin(std::uint64_t positions) override { work = positions; }
    void skip(std::uint64_t positions) override {
        done_ += positions;
        skipped += positions;
    }
    std::atomic<std::uint64_t>& done() override { return done_; }
    void note(const std::string& line) override { notes.push_back(line); }
    bool is_stopped() const override { return asked_++ >= patience_; }

    std::uint64_t work = 0;
    std::uint64_t skipped = 0;
    std::vector<std::string> notes;

private:
    int patience_;
    mutable int asked_ = 0;
    std::atomic<std::uint64_t> done_ = 0;
};

std::string inside(const TemporaryFolder& folder) {
    return folder.path() + path_separator;
}

BuildSettings settings_for(const TemporaryFolder& folder, int threads = 1) {
    BuildSettings settings;
    settings.folder = inside(folder);
    settings.pieces = 3;
    settings.threads = threads;
    return settings;
}

/// The files of a folder, and of those in it, with what they hold.
std::map<std::string, std::string> files_of(const TemporaryFolder& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
        if (entry.is_regular_file())
            files[entry.path().lexically_relative(folder.path()).generic_string()] =
                *read_file(entry.path().string());
    return files;
}

}  // namespace

TEST_CASE("a build gives the same files whatever comes between", "[egdb]") {
    const TemporaryFolder folder;
    TestMonitor watch;
    const Result<bool> built = build_database<Spanish>(settings_for(folder), watch);
    REQUIRE(built);
    CHECK(*built);
    CHECK(watch.work > 0);
    CHECK(watch.done() == watch.work);
    CHECK(watch.notes.size() == 2);
    const auto files = files_of(folder);
    CHECK(files.contains("spanish3.dfe"));
    CHECK(files.contains("spanish3_plies.dfe"));
    CHECK(files.contains("work/spanish_0m2k-0m1k.dfe"));

    SECTION("with three threads") {
        const TemporaryFolder other;
        TestMonitor other_watch;
        REQUIRE(build_database<Spanish>(settings_for(other, 3), other_watch));
        CHECK(files_of(other) == files);
    }
    SECTION("when it is stopped and started again") {
        const TemporaryFolder other;
        TestMonitor impatient(1);
        const Result<bool> stopped = build_database<Spanish>(settings_for(other), impatient);
        REQUIRE(stopped);
        CHECK_FALSE(*stopped);
        CHECK(files_of(other).size() == 1);
        CHECK(impatient.notes.empty());
        TestMonitor later(5);
        CHECK_FALSE(*build_database<Spanish>(settings_for(other), later));
        CHECK(files_of(other).size() == 5);
        TestMonitor last;
        CHECK(*build_database<Spanish>(settings_for(other), last));
        CHECK(files_of(other) == files);
    }
    SECTION("and does not touch a file that it would write again") {
        const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(9);
        std::filesystem::last_write_time(inside(folder) + "spanish3.dfe", long_ago);
        const auto before = std::filesystem::last_write_time(inside(folder) + "spanish3.dfe");
        folder.write("spanish3_plies.dfe", "other");
        TestMonitor again;
        CHECK(*build_database<Spanish>(settings_for(folder), again));
        CHECK(files_of(folder) == files);
        CHECK(std::filesystem::last_write_time(inside(folder) + "spanish3.dfe") == before);
        REQUIRE(again.notes.size() == 2);
        CHECK(again.notes[0].starts_with("written: " + inside(folder) + "spanish3_plies.dfe, "));
        CHECK(again.notes[1] == "unchanged: " + inside(folder) + "spanish3.dfe");
    }
    SECTION("when files are damaged that it does not read") {
        folder.write("work/spanish_0m2k-0m1k.dfe", "damaged");
        folder.write("spanish3.dfe", "");
        TestMonitor again;
        CHECK(*build_database<Spanish>(settings_for(folder), again));
        CHECK(files_of(folder) == files);
    }
}

TEST_CASE("parts that an earlier call has built are taken if they are right", "[egdb]") {
    const TemporaryFolder folder;
    const Material material = {0, 1, 0, 1};
    BuildSettings settings = settings_for(folder);
    settings.only = material;
    settings.is_part = true;
    const auto build = [&] {
        TestMonitor monitor;
        const Result<bool> built = build_database<Czech>(settings, monitor);
        REQUIRE(built);
        CHECK(*built);
        CHECK(monitor.done() == monitor.work);
        return monitor.skipped;
    };
    CHECK(build() == 0);
    const auto files = files_of(folder);
    CHECK(files.size() == 2);
    const std::uint64_t all = build();
    CHECK(all > 0);
    CHECK(files_of(folder) == files);
    for (const auto& [name, content] : files) {
        CAPTURE(name);
        // Without the part the slice is still taken, which is half of the work.
        const std::uint64_t taken = name.ends_with(database_file::extension) ? all / 2 : 0;
        for (std::size_t at = 0; at < content.size(); at += 1 + content.size() / 23) {
            std::string damaged = content;
            damaged[at] = static_cast<char>(damaged[at] ^ 1);
            folder.write(name, damaged);
            CHECK(build() == taken);
            CHECK(files_of(folder) == files);
        }
        std::filesystem::remove(inside(folder) + name);
        CHECK(build() == taken);
        CHECK(files_of(folder) == files);
    }
}

TEST_CASE("parts are joined only if all are there and undamaged", "[egdb]") {
    const TemporaryFolder folder;
    BuildSettings settings = settings_for(folder);
    settings.is_part = true;
    TestMonitor monitor;
    for (int pieces = 2; pieces <= 3; ++pieces)
        for (const Material& material : pairs_of(pieces)) {
            settings.only = material;
            REQUIRE(build_database<Spanish>(settings, monitor));
        }
    const std::string name = "work/spanish_0m2k-0m1k.dfe";
    const std::string content = *read_file(inside(folder) + name);
    const auto why_not_joined = [&] {
        const Result<bool> joined = join_database<Spanish>(settings_for(folder), monitor);
        return joined ? std::string("it is joined") : joined.error();
    };
    std::string damaged = content;
    damaged[content.size() / 2] = static_cast<char>(damaged[content.size() / 2] ^ 8);
    folder.write(name, damaged);
    CHECK(why_not_joined() ==
          "the file '" + inside(folder) + name + "' is damaged; delete it and build it again");
    CHECK_FALSE(file_exists(inside(folder) + "spanish3.dfe"));
    std::filesystem::remove(inside(folder) + name);
    CHECK(why_not_joined() == "the file '" + inside(folder) + name + "' has not been built yet");
    folder.write(name, content);
    CHECK(why_not_joined() == "it is joined");
    const TemporaryFolder other;
    REQUIRE(build_database<Spanish>(settings_for(other), monitor));
    for (const char* file : {"spanish3.dfe", "spanish3_plies.dfe"})
        CHECK(*read_file(inside(folder) + file) == *read_file(inside(other) + file));
}

TEST_CASE("what was built is right", "[egdb]") {
    const TemporaryFolder folder;
    TestMonitor watch;
    REQUIRE(build_database<English>(settings_for(folder, 2), watch));
    Database<English> database;
    REQUIRE(database.add_file(inside(folder) + database_file_name<English>(3)));
    REQUIRE(database.add_file(inside(folder) + dtw_file_name<English>(3)));
    CHECK(database.complete_pieces() == 3);
    std::uint64_t faults = 0;
    std::uint64_t known = 0;
    for (const auto& [material, slice] : three_pieces<English>().all())
        slice->index().for_each(0, slice->index().size(),
                                [&, &right = *slice](std::uint64_t number, const Position& p) {
                                    const auto result = database.probe(p);
                                    if (!result) return;
                                    ++known;
                                    const bool is_right =
                                        result->wld == right.value(number) &&
                                        result->dtw.value_or(-1) ==
                                            (result->wld == Wld::draw ? -1 : right.dtw(number));
                                    if (!is_right) ++faults;
                                });
    CHECK(faults == 0);
    CHECK(known > 40'000);
}

TEMPLATE_TEST_CASE("where plies are kept they are for all that moves lead to", "[egdb]",
                   DEFIANCE_EVERY_GAME) {
    std::size_t kept = 0;
    for (int pieces = 2; pieces <= 6; ++pieces)
        for (const Material& material : materials_of(pieces)) {
            CHECK(has_dtw_kept<TestType>(material) == has_dtw_kept<TestType>(material.swapped()));
            if (!has_dtw_kept<TestType>(material)) continue;
            if (pieces == 5) ++kept;
            for (const Material& next : successors_of(material))
                CHECK(has_dtw_kept<TestType>(next));
        }
    CHECK(kept == (TestType::flying_kings ? 16 : 2));
}

TEST_CASE("a build says why it is impossible", "[egdb]") {
    const TemporaryFolder folder;
    TestMonitor watch;
    SECTION("the folder cannot be made") {
        folder.write("missing", "");
        BuildSettings settings = settings_for(folder);
        settings.folder += "missing" + std::string(1, path_separator) + "inner" + path_separator;
        const Result<bool> built = build_database<Spanish>(settings, watch);
        REQUIRE_FALSE(built);
        CHECK(
            built.error().starts_with("the folder '" + settings.folder + "' cannot be created: "));
    }
    SECTION("a file is in the way") {
        std::filesystem::create_directories(folder.path() + "/spanish3.dfe/inner");
        const Result<bool> built = build_database<Spanish>(settings_for(folder), watch);
        REQUIRE_FALSE(built);
        CHECK(built.error().starts_with("the file '" + inside(folder) +
                                        "spanish3.dfe' cannot be written: "));
        CHECK(built.error().find("CheckerBoard") == std::string::npos);
    }
#ifndef _WIN32
    SECTION("an older file cannot be replaced") {
        REQUIRE(build_database<Spanish>(settings_for(folder), watch));
        folder.write("spanish3.dfe", "older");
        const FullDisk full(5);
        const Result<bool> joined = join_database<Spanish>(settings_for(folder), watch);
        REQUIRE_FALSE(joined);
        CHECK(joined.error().ends_with("; if CheckerBoard is using it, close CheckerBoard"));
    }
#endif
}

TEST_CASE("slices that an earlier build has solved are not solved again", "[egdb]") {
    const TemporaryFolder folder;
    const Material material = {0, 1, 0, 1};
    BuildSettings settings = settings_for(folder);
    settings.only = material;
    settings.is_part = true;
    TestMonitor watch;
    REQUIRE(build_database<Russian>(settings, watch));
    const std::string part = part_path<Russian>(settings.folder, material);
    const std::string right = *read_file(part);
    // A file that is missing is packed from what is there, whatever that is.
    std::filesystem::remove(part);
    TestMonitor again;
    REQUIRE(build_database<Russian>(settings, again));
    CHECK(again.done() == again.work);
    // Told of what took no time, so that the speed is that of packing.
    CHECK(again.skipped == again.work / 2);
    CHECK(*read_file(part) == right);
    std::filesystem::remove(part);
    SolvedSlice other(material);
    LargeArray<std::uint16_t> plies(other.index().size());
    for (std::uint64_t number = 0; number < other.index().size(); ++number) {
        other.set_value(number, Wld::win);
        plies[number] = 7;
    }
    other.set_dtw(std::move(plies));
    REQUIRE(!save_solved(solved_file_path<Russian>(settings.folder, material), identity<Russian>(),
                         other));
    REQUIRE(build_database<Russian>(settings, again));
    CHECK(*read_file(part) != right);
}

// Solves four pieces on the way, which takes a second.
TEST_CASE("one material alone needs what its moves lead to", "[egdb][truth]") {
    const TemporaryFolder folder;
    BuildSettings settings = settings_for(folder, 2);
    settings.only = Material{0, 1, 1, 3};
    TestMonitor watch;
    const Result<bool> built = build_database<Czech>(settings, watch);
    REQUIRE_FALSE(built);
    // The white man can become a king.
    const bool names_it = built.error().find("first 0m4k-0m1k must be solved: ") == 0 ||
                          built.error().find("first 0m1k-0m4k must be solved: ") == 0;
    CAPTURE(built.error());
    CHECK(names_it);
    CHECK(built.error().find("work/czech_0m") != std::string::npos);
    CHECK(files_of(folder).empty());
}
