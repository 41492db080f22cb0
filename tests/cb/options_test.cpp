#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include <defiance/base/system.hpp>
#include <defiance/engine/engine.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move_text.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

TEST_CASE("hashsize takes sizes and answers them", "[cb]") {
    const Restored restored(engine(), "hashsize");
    CHECK(accepted(engine(), "set hashsize 16") == "hashsize 16");
    CHECK(accepted(engine(), "get hashsize") == "16");
    CHECK(accepted(engine(), "set hashsize 16") == "hashsize 16");
    CHECK(accepted(engine(), "set hashsize 1") == "hashsize 1");
    CHECK(accepted(engine(), "get hashsize") == "1");
    CHECK(contains(accepted(engine(), "about"), "hash table: 1 MB"));
    CHECK(accepted(engine(), "set hashsize  32 ") == "hashsize 32");
}

TEST_CASE("hashsize refuses what is no size and keeps the old one", "[cb]") {
    const std::string before = accepted(engine(), "get hashsize");
    for (const char* value : {"0", "-1", "abc", "1.5", "99999999999999999999", "", "8x", "0x10",
                              "+8", "8 8", "4294967304", "18446744073709551624", "65537"}) {
        const std::string text = refused(engine(), "set hashsize " + std::string(value));
        CHECK(text != "?");
        CHECK(accepted(engine(), "get hashsize") == before);
    }
}

TEST_CASE("hashsize beyond the memory is refused and the old table stays", "[cb]") {
    if (physical_memory_mebibytes() > 65536) {
        WARN("this machine has memory for every size: not tested");
        return;
    }
    const std::string before = accepted(engine(), "get hashsize");
    const std::string text = refused(engine(), "set hashsize 65536");
    CHECK(begins_with(text, "Message "));
    CHECK(text.size() < 250);
    CHECK(accepted(engine(), "get hashsize") == before);
    Call call(start_position(Side::black));
    CHECK(call.run(engine(), 0.01) == cb_unknown);
    CHECK(call.has_moved_legally());
}

TEST_CASE("hashsize is taken during a search and used by the next", "[cb]") {
    const Restored restored(engine(), "hashsize");
    Call call(start_position(Side::black));
    CallBeside beside(call, engine(), until_told);
    beside.wait_until_searching();
    CHECK(accepted(engine(), "set hashsize 48") == "hashsize 48");
    CHECK(accepted(engine(), "get hashsize") == "48");
    CHECK(accepted(engine(), "set hashsize 24") == "hashsize 24");
    CHECK_FALSE(beside.has_returned());
    beside.interrupt();
    CHECK(beside.join() == cb_unknown);
    CHECK(call.has_moved_legally());
    Call next(start_position(Side::black));
    CHECK(next.run(engine(), 0.02) == cb_unknown);
    CHECK(next.has_moved_legally());
    CHECK(accepted(engine(), "get hashsize") == "24");
}

TEST_CASE("allscores and solve are switches", "[cb]") {
    for (const std::string option : {"allscores", "solve"}) {
        const Restored restored(engine(), option);
        CHECK(accepted(engine(), "set " + option + " 1") == option + " 1");
        CHECK(accepted(engine(), "get " + option) == "1");
        CHECK(accepted(engine(), "set " + option + " 1") == option + " 1");
        for (const char* value : {"", "2", "-1", "on", "1.0", "10", "1 1"})
            CHECK(refused(engine(), "set " + option + ' ' + value) != "?");
        CHECK(accepted(engine(), "get " + option) == "1");
        CHECK(accepted(engine(), "set " + option + " 0") == option + " 0");
        CHECK(accepted(engine(), "get " + option) == "0");
    }
}

TEST_CASE("searchthreads takes numbers of threads and uses them", "[cb][threads]") {
    const Restored restored(engine(), "searchthreads");
    CHECK(accepted(engine(), "get searchthreads") == "1");
    for (const char* threads : {"3", "64", "2"}) {
        CHECK(accepted(engine(), std::string("set searchthreads ") + threads) ==
              std::string("searchthreads ") + threads);
        CHECK(accepted(engine(), "get searchthreads") == threads);
        CHECK(contains(accepted(engine(), "about"), std::string("threads: ") + threads));
        Call call(start_position(Side::black));
        const int before = thread_count();
        CallBeside beside(call, engine(), until_told);
        beside.wait_until_searching();
        // On a busy machine it takes a while until all have begun.
        const int started = std::atoi(threads) - 1;
        int during = thread_count();
        for (int i = 0; i < 1000 && during < before + started; ++i) {
            sleep_milliseconds(10);
            during = thread_count();
        }
        CHECK(accepted(engine(), "set searchthreads 4") == "searchthreads 4");
        beside.interrupt();
        CHECK(beside.join() == cb_unknown);
        CHECK(call.has_moved_legally());
        // All that searched have ended, the one of the call among them. A timer may have begun.
        CHECK(comes_true([&] { return thread_count() <= before + 1; }));
        const int after = thread_count();
        // Timers that waited for work when the call began may have ended beside it.
        CHECK(during >= std::min(before, after) + started);
    }
    for (const char* value : {"0", "65", "-1", "two", "", "1.5", "1 1"})
        CHECK(refused(engine(), std::string("set searchthreads ") + value) != "?");
    CHECK(accepted(engine(), "get searchthreads") == "4");
}

TEST_CASE("with allscores the status line shows every move with its score", "[cb]") {
    const Restored restored(engine(), "allscores");
    static_cast<void>(accepted(engine(), "set allscores 1"));
    const Restored without_databases(engine(), "enable_wld");
    static_cast<void>(accepted(engine(), "set enable_wld 0"));
    for (const char* fen : {"B:W21-32:B1-12", "W:WK18,27,30:B3,K7,12", "B:W22,23,30:B18,9"}) {
        Call call(position_of(fen));
        call.run(engine(), 0.1);
        const std::string text = call.status.text();
        INFO(text);
        CHECK(call.has_moved_legally());
        for (const Move& move : legal_moves(call.position)) {
            const std::string name =
                ' ' + to_text(rules_of<English>, call.position, move, MoveTextStyle::shortened) +
                ' ';
            REQUIRE(contains(text, name));
            const char sign = text[text.find(name) + name.size()];
            CHECK((sign == '+' || sign == '-'));
        }
    }
}

TEST_CASE("with solve the engine plays on legally", "[cb]") {
    const Restored restored(engine(), "solve");
    static_cast<void>(accepted(engine(), "set solve 1"));
    Call call(start_position(Side::black));
    CHECK(call.run(engine(), 0.05) == cb_unknown);
    CHECK(call.has_moved_legally());
}

TEST_CASE("with solve a shot is found that is too deep without it", "[cb]") {
    const Restored restored(engine(), "solve");
    const Restored without_databases(engine(), "enable_wld");
    const Restored limited(engine(), "nodes");
    static_cast<void>(accepted(engine(), "set enable_wld 0"));
    // 200 are enough with it; 10,000 are too few without.
    static_cast<void>(accepted(engine(), "set nodes 1500"));
    const auto status_with = [&](const std::string& solve) {
        static_cast<void>(accepted(engine(), "set solve " + solve));
        Call call(position_of("W:W30,29,22,21,9,6:B24,20,16,13,8,7"));
        call.run(engine(), 1000);
        CHECK(call.has_moved_legally());
        return call.status.text();
    };
    CHECK_FALSE(contains(status_with("0"), "value=won"));
    CHECK(contains(status_with("1"), "value=won in 7 moves"));
}

namespace {

/// Forgets the stored options of a copy before and after a test.
class Forgotten {
public:
    explicit Forgotten(const std::string& name) : name_(name) { forget_options(name_); }
    ~Forgotten() { forget_options(name_); }
    Forgotten(const Forgotten&) = delete;
    Forgotten& operator=(const Forgotten&) = delete;

private:
    std::string name_;
};

}  // namespace

TEST_CASE("options outlive the engine in the registry, and nowhere else", "[cb]") {
    const Forgotten forgotten("stored");
    const std::string path = engine_copy("stored");
    const std::pair<std::string, std::string> other_stored[] = {
        {"claim", "2"},        {"book", "1"},       {"dbmbytes", "256"},
        {"max_dbpieces", "6"}, {"enable_wld", "0"}, {"enable_mtc", "0"}};
    {
        const EngineDll dll = load(path);
        CHECK(accepted(dll, "get hashsize") == "64");
        CHECK(accepted(dll, "get allscores") == "0");
        static_cast<void>(accepted(dll, "set hashsize 8"));
        static_cast<void>(accepted(dll, "set allscores 1"));
        static_cast<void>(accepted(dll, "set solve 1"));
        CHECK(accepted(dll, "get hintpolicy") == "verify");
        static_cast<void>(accepted(dll, "set hintpolicy trust"));
        static_cast<void>(accepted(dll, "set searchthreads 3"));
        for (const auto& [option, value] : other_stored)
            CHECK(dll.command("set " + option + ' ' + value).code == 1);
    }
    REQUIRE_FALSE(is_loaded(path));
    const EngineDll dll = load(path);
    CHECK(accepted(dll, "get hashsize") == (has_registry() ? "8" : "64"));
    CHECK(accepted(dll, "get allscores") == (has_registry() ? "1" : "0"));
    CHECK(accepted(dll, "get solve") == (has_registry() ? "1" : "0"));
    CHECK(accepted(dll, "get hintpolicy") == (has_registry() ? "trust" : "verify"));
    CHECK(accepted(dll, "get searchthreads") == (has_registry() ? "3" : "1"));
    for (const auto& [option, value] : other_stored)
        CHECK((accepted(dll, "get " + option) == value) == has_registry());
    if (has_registry()) CHECK(stored_option("stored", "hashsize") == "8");
    if (has_registry()) CHECK(stored_option("stored", "hintpolicy") == "trust");
}

TEST_CASE("stored options that are out of range are ignored", "[cb]") {
    if (!has_registry()) return;
    const Forgotten forgotten("stored");
    const std::string path = engine_copy("stored");
    for (const std::string value : {"0", "-1", "65537", "abc", "", "99999999999999999999"}) {
        store_option("stored", "hashsize", value);
        store_option("stored", "allscores", value);
        store_option("stored", "solve", value + '1' + value);
        const EngineDll dll = load(path);
        CHECK(accepted(dll, "get hashsize") == "64");
        CHECK(accepted(dll, "get allscores") == "0");
    }
    for (const auto& [option, value, usual] : {std::array<std::string, 3>{"claim", "3", "1"},
                                               {"book", "4", "3"},
                                               {"searchthreads", "65", "1"},
                                               {"dbmbytes", "65537", "64"},
                                               {"max_dbpieces", "25", "24"},
                                               {"enable_wld", "2", "1"},
                                               {"enable_mtc", "2", "1"},
                                               {"hintpolicy", "x", "verify"}}) {
        store_option("stored", option, value);
        CHECK(accepted(load(path), "get " + option) == usual);
    }
    store_option("stored", "hashsize", std::string(5000, '1'));
    CHECK(accepted(load(path), "get hashsize") == "64");
    store_number("stored", "hashsize", 4000000000U);
    CHECK(accepted(load(path), "get hashsize") == "64");
    if (sizeof(void*) == 4) {
        store_option("stored", "hashsize", "1025");
        CHECK(accepted(load(path), "get hashsize") == "64");
    }
    store_number("stored", "hashsize", 32);
    CHECK(accepted(load(path), "get hashsize") == "32");
}

TEST_CASE("stored paths that are too long for CheckerBoard are ignored", "[cb]") {
    if (!has_registry()) return;
    const Forgotten forgotten("stored");
    const std::string path = engine_copy("stored");
    for (const std::string name : {"dbpath", "mtcpath", "bookfile", "evalfile"}) {
        store_option("stored", name, std::string(900, 'x'));
        CHECK(accepted(load(path), "get " + name).empty());
        store_option("stored", name, std::string(250, 'x'));
        CHECK(accepted(load(path), "get " + name) == std::string(250, 'x'));
        store_option("stored", name, "");
    }
}

TEST_CASE("a stored size that the machine cannot give does not stop the engine", "[cb]") {
    if (!has_registry()) return;
    const Forgotten forgotten("too_large");
    const std::string largest = std::to_string(max_hash_mebibytes_for(sizeof(void*)));
    store_option("too_large", "hashsize", largest);
    const EngineDll dll = load(engine_copy("too_large"));
    CHECK(accepted(dll, "get hashsize") == largest);
    Call call(start_position(Side::black));
    CHECK(call.run(dll, 0.01) == cb_unknown);
    CHECK(call.has_moved_legally());
}

namespace {

/// The nodes that a status line tells of, as in "nodes 12.3k"; nothing when it tells of none.
std::optional<double> nodes_told(const std::string& status) {
    const std::string word = "  nodes ";
    const std::size_t at = status.find(word);
    if (at == std::string::npos) return std::nullopt;
    char* end = nullptr;
    const double number = std::strtod(status.c_str() + at + word.size(), &end);
    switch (*end) {
        case ' ':
            return number;
        case 'k':
            return number * 1e3;
        case 'M':
            return number * 1e6;
        case 'G':
            return number * 1e9;
        default:
            return std::nullopt;
    }
}

}  // namespace

TEST_CASE("depth and nodes bound a search until they are taken back", "[cb]") {
    const Position start = start_position(Side::black);
    const auto status_of = [&](double seconds) {
        Call call(start);
        CHECK(call.run(engine(), seconds) == cb_unknown);
        CHECK(call.has_moved_legally());
        return call.status.text();
    };
    CHECK(accepted(engine(), "set depth 3") == "depth 3");
    CHECK(contains(status_of(1000), "  depth 3  "));
    CHECK(accepted(engine(), "set depth 0") == "depth 0");
    CHECK(accepted(engine(), "set nodes 20000") == "nodes 20000");
    const std::optional<double> nodes = nodes_told(status_of(1000));
    REQUIRE(nodes);
    CHECK(*nodes >= 20'000);
    CHECK(*nodes < 22'000);
    CHECK(accepted(engine(), "set nodes 0") == "nodes 0");
    CHECK_FALSE(contains(status_of(0.3), "  depth 3  "));
    for (const char* command : {"set depth", "set depth -1", "set depth 161", "set depth x",
                                "set nodes", "set nodes -1", "set nodes 1e3"})
        CHECK(refused(engine(), command) != "?");
}

TEST_CASE("limits and analysis are answered, and shown while they are on", "[cb]") {
    for (const std::string limit : {"depth", "nodes"}) {
        CHECK(accepted(engine(), "get " + limit) == "0");
        const Restored restored(engine(), limit);
        static_cast<void>(accepted(engine(), "set " + limit + " 50"));
        CHECK(accepted(engine(), "get " + limit) == "50");
        CHECK(contains(accepted(engine(), "about"), "\nlimits: " + limit + " 50\n"));
    }
    {
        const Restored depth(engine(), "depth");
        const Restored nodes(engine(), "nodes");
        static_cast<void>(accepted(engine(), "set depth 8"));
        static_cast<void>(accepted(engine(), "set nodes 9223372036854775807"));
        CHECK(accepted(engine(), "get nodes") == "9223372036854775807");
        CHECK(contains(accepted(engine(), "about"),
                       "\nlimits: depth 8, nodes 9223372036854775807\n"));
        // No search goes deeper.
        static_cast<void>(accepted(engine(), "set depth 160"));
        CHECK(accepted(engine(), "get depth") == "0");
    }
    CHECK_FALSE(contains(accepted(engine(), "about"), "\nlimits:"));
    CHECK_FALSE(contains(accepted(engine(), "about"), "\nanalysis:"));
    const Restored analysis(engine(), "analysis");
    static_cast<void>(accepted(engine(), "set analysis 1"));
    CHECK(contains(accepted(engine(), "about"), "\nanalysis: on"));
    for (const char* command : {"get depth 1", "get nodes 0"})
        CHECK(refused(engine(), command) == "?");
}

TEST_CASE("search parameters are set by name, and wrong ones refused", "[cb]") {
    CHECK(accepted(engine(), "set parameter probcut_margin 200") == "parameter probcut_margin 200");
    CHECK(accepted(engine(), "set parameter probcut_margin 35") == "parameter probcut_margin 35");
    for (const char* command :
         {"set parameter", "set parameter probcut_margin", "set parameter probcut_margin 301",
          "set parameter probcut_margin 3 5", "set parameter probcut 35"})
        CHECK(contains(refused(engine(), command), "parameter: "));
    CHECK(refused(engine(), "get parameter") == "?");
}

TEST_CASE("a database option that is set leaves the stored ones of others alone", "[cb]") {
    if (!has_registry()) return;
    const Forgotten forgotten("stored");
    const EngineDll dll = load(engine_copy("stored"));
    CHECK(accepted(dll, "get dbpath").empty());
    // Another CheckerBoard with the same engine stores this meanwhile.
    store_option("stored", "dbpath", "D:\\egdb");
    CHECK(accepted(dll, "set dbmbytes 256").empty());
    CHECK(stored_option("stored", "dbmbytes") == "256");
    CHECK(stored_option("stored", "dbpath") == "D:\\egdb");
    CHECK_FALSE(stored_option("stored", "enable_wld"));
    // What is set is stored, even when it is as before here.
    static_cast<void>(accepted(dll, "set dbpath"));
    CHECK(stored_option("stored", "dbpath") == "");
    const std::string megabytes = accepted(dll, "get hashsize");
    store_option("stored", "hashsize", "1");
    CHECK(accepted(dll, "set hashsize " + megabytes) == "hashsize " + megabytes);
    CHECK(stored_option("stored", "hashsize") == megabytes);
}
