#include <catch2/catch.hpp>

#include <array>
#include <string>
#include <utility>

#include <engine/stored_options.hpp>

using namespace defiance;

namespace {

constexpr std::array option_names = {"hashsize",   "claim",     "book", "searchthreads",
                                     "hintpolicy", "allscores", "solve"};
constexpr std::array endgame_option_names = {"dbpath",       "mtcpath",    "dbmbytes",
                                             "max_dbpieces", "enable_wld", "enable_mtc"};

/// Options none of which has its default.
Options unusual_options() {
    return {.hash_mebibytes = 17,
            .all_scores = true,
            .solve = true,
            .claim = ClaimPolicy::proven,
            .hint_policy = HintPolicy::trust,
            .book = BookUse::any_sound,
            .search_threads = 5};
}

EndgameOptions unusual_endgame_options() {
    return {.folder = "D:\\egdb",
            .distance_folder = "E:\\mtc",
            .mebibytes = 1234,
            .max_pieces = 7,
            .is_on = false,
            .use_distances = false};
}

void check_same(const Options& a, const Options& b) {
    CHECK(a.hash_mebibytes == b.hash_mebibytes);
    CHECK(a.all_scores == b.all_scores);
    CHECK(a.solve == b.solve);
    CHECK(a.claim == b.claim);
    CHECK(a.hint_policy == b.hint_policy);
    CHECK(a.book == b.book);
    CHECK(a.search_threads == b.search_threads);
}

}  // namespace

TEST_CASE("every option that is stored is loaded again", "[engine]") {
    SettingsStore settings("");
    for (const char* name : option_names)
        store_option(settings, unusual_options(), name);
    for (const char* name : endgame_option_names)
        store_endgame_option(settings, unusual_endgame_options(), name);
    check_same(stored_options(settings), unusual_options());
    CHECK(stored_endgame_options(settings) == unusual_endgame_options());
}

TEST_CASE("an option is stored alone", "[engine]") {
    for (const char* name : option_names) {
        SettingsStore settings("");
        store_option(settings, unusual_options(), name);
        for (const char* other : option_names)
            CHECK(settings.load(other).has_value() == (std::string(other) == name));
    }
    for (const char* name : endgame_option_names) {
        SettingsStore settings("");
        store_endgame_option(settings, unusual_endgame_options(), name);
        for (const char* other : endgame_option_names)
            CHECK(settings.load(other).has_value() == (std::string(other) == name));
    }
}

TEST_CASE("stored values out of range count as none", "[engine]") {
    for (const std::string value : {"", "-1", "x", "1.5", "99999999999999999999", "4294967297"}) {
        SettingsStore settings("");
        for (const char* name : option_names)
            settings.save(name, value);
        for (const char* name : {"dbmbytes", "max_dbpieces", "enable_wld", "enable_mtc"})
            settings.save(name, value);
        check_same(stored_options(settings), Options());
        CHECK(stored_endgame_options(settings) == EndgameOptions());
    }
    for (const auto& [name, value] : {std::pair{"hashsize", "0"},
                                      {"hashsize", "65537"},
                                      {"claim", "3"},
                                      {"book", "4"},
                                      {"searchthreads", "0"},
                                      {"searchthreads", "65"},
                                      {"hintpolicy", "Trust"},
                                      {"allscores", "2"},
                                      {"solve", "2"}}) {
        SettingsStore settings("");
        settings.save(name, value);
        check_same(stored_options(settings), Options());
    }
    for (const auto& [name, value] : {std::pair{"dbmbytes", "65537"},
                                      {"max_dbpieces", "25"},
                                      {"enable_wld", "2"},
                                      {"enable_mtc", "2"}}) {
        SettingsStore settings("");
        settings.save(name, value);
        CHECK(stored_endgame_options(settings) == EndgameOptions());
    }
    // Smaller bounds are values.
    SettingsStore settings("");
    settings.save("dbmbytes", "0");
    settings.save("max_dbpieces", "0");
    CHECK(stored_endgame_options(settings).mebibytes == 0);
    CHECK(stored_endgame_options(settings).max_pieces == 0);
}
