#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/cb/checkerboard_engine.hpp>
#include <engine/stored_options.hpp>

#include "scripted_core.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

// All members. With one more these do not compile: give it a name here, and a value below.
auto members_of(const Options& options) {
    const auto& [hash, all_scores, solve, claim, hint_policy, book, threads] = options;
    return std::tie(hash, all_scores, solve, claim, hint_policy, book, threads);
}
auto members_of(const EndgameOptions& options) {
    const auto& [folder, distances, mebibytes, pieces, is_on, use_distances] = options;
    return std::tie(folder, distances, mebibytes, pieces, is_on, use_distances);
}

template <class Group>
constexpr std::size_t number_of_members =
    std::tuple_size_v<decltype(members_of(std::declval<const Group&>()))>;

/// How many members have different values in the two.
template <class Group>
std::size_t count_differences(const Group& a, const Group& b) {
    const auto count = [&]<std::size_t... i>(std::index_sequence<i...>) {
        return (std::size_t{std::get<i>(members_of(a)) != std::get<i>(members_of(b))} + ...);
    };
    return count(std::make_index_sequence<number_of_members<Group>>());
}

/// The options of the engine and of its search.
struct EngineStorage {
    using Group = Options;
    static constexpr const auto& table = option_table;

    static Group load(SettingsStore& settings) { return stored_options(settings); }

    /// None of them has its default.
    static Group unusual() {
        return {.hash_mebibytes = 17,
                .all_scores = true,
                .solve = true,
                .claim = ClaimPolicy::proven,
                .hint_policy = HintPolicy::trust,
                .book = BookUse::any_sound,
                .search_threads = 5};
    }
};

/// Those of the databases.
struct EndgameStorage {
    using Group = EndgameOptions;
    static constexpr const auto& table = endgame_option_table;

    static Group load(SettingsStore& settings) { return stored_endgame_options(settings); }

    static Group unusual() {
        return {.folder = "D:\\egdb",
                .distance_folder = "E:\\mtc",
                .mebibytes = 1234,
                .max_pieces = 7,
                .is_on = false,
                .use_distances = false};
    }
};

bool is_path(std::string_view name) {
    return name.ends_with("path");
}

/// The names of all options that are stored, also of those that are not in a table because the
/// files that they name are kept open elsewhere.
std::vector<std::string> stored_names() {
    std::vector<std::string> names = {"bookfile", "evalfile"};
    for (const auto& option : option_table)
        names.emplace_back(option.name);
    for (const auto& option : endgame_option_table)
        names.emplace_back(option.name);
    return names;
}

std::string text_of_source(const std::string& path) {
    const Result<std::string> text = read_file(DEFIANCE_SOURCE_DIR "/" + path);
    REQUIRE(text);
    return *text;
}

/// The words that a member function of a source compares `what` with.
std::vector<std::string> words_compared(const std::string& path, const std::string& function) {
    const std::string source = text_of_source(path);
    const std::size_t begin = source.find("::" + function + '(');
    REQUIRE(begin != std::string::npos);
    const std::string body = source.substr(begin, source.find("\n}", begin) - begin);
    std::vector<std::string> words;
    for (const std::string mark : {"what == \"", "what != \""})
        for (std::size_t at = body.find(mark); at != std::string::npos; at = body.find(mark, at)) {
            at += mark.size();
            words.push_back(body.substr(at, body.find('"', at) - at));
        }
    return words;
}

}  // namespace

TEMPLATE_TEST_CASE("every option is stored and loaded again", "[engine]", EngineStorage,
                   EndgameStorage) {
    using Group = typename TestType::Group;
    const Group unusual = TestType::unusual();
    // Else nobody would notice a member that is not stored.
    REQUIRE(count_differences(unusual, Group()) == number_of_members<Group>);
    REQUIRE(std::size(TestType::table) == number_of_members<Group>);
    SettingsStore settings("");
    CHECK(TestType::load(settings) == Group());
    for (const auto& option : TestType::table)
        store_option(settings, unusual, option);
    CHECK(TestType::load(settings) == unusual);
}

TEMPLATE_TEST_CASE("an option is stored alone", "[engine]", EngineStorage, EndgameStorage) {
    using Group = typename TestType::Group;
    for (const auto& option : TestType::table) {
        CAPTURE(option.name);
        SettingsStore settings("");
        store_option(settings, TestType::unusual(), option);
        for (const auto& other : TestType::table)
            CHECK(settings.load(std::string(other.name)).has_value() ==
                  (other.name == option.name));
        CHECK(count_differences(TestType::load(settings), Group()) == 1);
    }
}

TEST_CASE("options are stored by their names", "[engine]") {
    SettingsStore settings("");
    store_option(settings, EngineStorage::unusual(), "hashsize");
    CHECK(settings.load("hashsize") == "17");
    for (const auto& option : endgame_option_table)
        store_endgame_option(settings, EndgameStorage::unusual(), option.name);
    CHECK(stored_endgame_options(settings) == EndgameStorage::unusual());
}

TEMPLATE_TEST_CASE("stored values out of range count as none", "[engine]", EngineStorage,
                   EndgameStorage) {
    for (const std::string value :
         {"", "-1", "x", "1.5", "2 ", "99999999999999999999", "4294967297"}) {
        SettingsStore settings("");
        for (const auto& option : TestType::table) {
            // Any text is a path that is short enough.
            const bool is_text = is_path(option.name);
            settings.save(std::string(option.name),
                          is_text ? std::string(max_option_path + 1, 'x') : value);
        }
        CHECK(TestType::load(settings) == typename TestType::Group());
    }
}

TEST_CASE("the bounds of stored values are those of the options", "[engine]") {
    const std::string most_hash = std::to_string(max_hash_mebibytes_for(sizeof(void*)));
    const std::string too_much_hash = std::to_string(max_hash_mebibytes_for(sizeof(void*)) + 1);
    for (const auto& [name, value] : {std::pair<const char*, std::string>{"hashsize", "0"},
                                      {"hashsize", too_much_hash},
                                      {"claim", "3"},
                                      {"book", "4"},
                                      {"searchthreads", "0"},
                                      {"searchthreads", "65"},
                                      {"hintpolicy", "Trust"},
                                      {"allscores", "2"},
                                      {"solve", "01"},
                                      {"dbmbytes", "65537"},
                                      {"max_dbpieces", "25"},
                                      {"enable_wld", "2"},
                                      {"enable_mtc", "2"}}) {
        CAPTURE(name, value);
        SettingsStore settings("");
        settings.save(name, value);
        CHECK(stored_options(settings) == Options());
        CHECK(stored_endgame_options(settings) == EndgameOptions());
    }
    for (const auto& [name, value] : {std::pair<const char*, std::string>{"hashsize", "1"},
                                      {"hashsize", most_hash},
                                      {"claim", "0"},
                                      {"claim", "2"},
                                      {"book", "0"},
                                      {"searchthreads", "64"},
                                      {"hintpolicy", "ignore"},
                                      {"dbmbytes", "0"},
                                      {"dbmbytes", "65536"},
                                      {"max_dbpieces", "0"},
                                      {"enable_wld", "0"},
                                      {"dbpath", std::string(max_option_path, 'x')}}) {
        CAPTURE(name, value);
        SettingsStore settings("");
        settings.save(name, value);
        CHECK((stored_options(settings) != Options()) !=
              (stored_endgame_options(settings) != EndgameOptions()));
    }
}

TEMPLATE_TEST_CASE("what is stored of an option can be set and asked in CheckerBoard", "[engine]",
                   EngineStorage, EndgameStorage) {
    const ScriptReset reset;
    CheckerBoardEngine engine(scripted_core(), "", "");
    for (const auto& option : TestType::table) {
        const std::string name(option.name);
        CAPTURE(name);
        for (const auto& options : {TestType::unusual(), typename TestType::Group()}) {
            CHECK(engine.answer("set " + name + ' ' + option.text_of(options)).code == 1);
            const Reply reply = engine.answer("get " + name);
            CHECK(reply.code == 1);
            CHECK(reply.text == option.text_of(options));
        }
    }
    CHECK(engine.answer("get nosuchoption").code == 0);
}

TEST_CASE("the fuzzer of commands sets everything that can be set", "[engine]") {
    const std::string fuzzer = text_of_source("tests/fuzz/command_source.cpp");
    std::vector<std::string> names = words_compared("src/cb/command.cpp", "answer_set");
    CHECK(names.size() >= 16);
    const std::vector<std::string> others =
        words_compared("src/cb/endgame_options.cpp", "set_endgame_option");
    CHECK(others.size() >= std::size(endgame_option_table));
    names.insert(names.end(), others.begin(), others.end());
    for (const std::string& name : names) {
        CAPTURE(name);
        const std::string command = "\"set " + name;
        // With a value, or with none.
        const bool is_there = fuzzer.find(command + ' ') != std::string::npos ||
                              fuzzer.find(command + '"') != std::string::npos;
        CHECK(is_there);
    }
}

TEST_CASE("README.md and the help page name every option that is stored", "[engine]") {
    // What the page calls those that have a field in CheckerBoard.
    const std::map<std::string, std::string> fields = {
        {"hashsize", "<th>Hashtable<"},
        {"allscores", "<th>All Scores,"},
        {"solve", "<th>Solve Mode<"},
        {"searchthreads", "<th>More Options, Search threads<"},
        {"book", "<th>Opening Book<"},
        {"bookfile", "<th>More Options, Opening Book File<"},
        {"dbmbytes", "<th>Endgame DB<"},
        {"dbpath", "<th>More Options, WLD Database, Directory<"},
        {"max_dbpieces", "<th>More Options, WLD Database, Limit max pieces<"},
        {"enable_wld", "<th>More Options, WLD Database, Enable<"},
        {"mtcpath", "<th>More Options, Auxiliary Database (DTC, DTW, etc.), Directory and"},
        {"enable_mtc", "(DTC, DTW, etc.), Directory and Enable<"}};
    const std::string readme = text_of_source("README.md");
    const std::string page = text_of_source("src/cb/help/page.htm");
    for (const std::string& name : stored_names()) {
        CAPTURE(name);
        CHECK(readme.find("(`" + name + "`)") != std::string::npos);
        // The others can only be typed.
        const auto field = fields.find(name);
        const std::string wanted = field == fields.end() ? "<code>set " + name : field->second;
        CHECK(page.find(wanted) != std::string::npos);
    }
}
