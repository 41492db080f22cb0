#include <catch2/catch.hpp>

#include <optional>

#include <defiance/base/library.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

/// What a process must not collect.
struct Usage {
    int threads = thread_count();
    int handles = handle_count();
    std::size_t memory = private_bytes();
};

void check_no_growth(const Usage& before) {
    // Less than a hundredth of what 200 engines take.
    constexpr std::size_t tolerance = 3 << 20;
    CHECK(comes_true([&] { return thread_count() <= before.threads; }));
    CHECK(comes_true([&] { return handle_count() <= before.handles; }));
    if (!is_sanitized) CHECK(private_bytes() <= before.memory + tolerance);
}

void command_round(const std::string& path, int round) {
    const EngineDll dll = load(path);
    REQUIRE(is_loaded(path));
    CHECK(dll.command("name").code == 1);
    CHECK(dll.command("get gametype").text == "21");
    CHECK(dll.command("get movelist B:W21-32:B1-12").code == 1);
    CHECK(dll.command("set hashsize " + std::to_string(1 + round % 2 * 15)).code == 1);
    CHECK(dll.command("set gamehist B:WK32:BK1 1-5 32-28").code == 1);
    const CbBoard board = to_cb_board(start_position(Side::black));
    CHECK(dll.is_legal(board, cb_black, 11, 15, nullptr) == 1);
}

void search_round(const std::string& path) {
    const EngineDll dll = load(path);
    CHECK(dll.command("set hashsize 1").code == 1);
    Call call(start_position(Side::black));
    CHECK(call.run(dll, 0.001) == cb_unknown);
    CHECK(call.has_moved_legally());
}

}  // namespace

TEST_CASE("an engine that was only asked unloads and leaves nothing, 200 times", "[cb][loading]") {
    const std::string path = engine_copy("asked");
    for (int i = 0; i < 10; ++i)
        command_round(path, i);
    const Usage before;
    for (int i = 0; i < 200; ++i) {
        command_round(path, i);
        REQUIRE_FALSE(is_loaded(path));
    }
    check_no_growth(before);
    forget_options("asked");
}

TEST_CASE("an engine that has thought stays loaded and does not grow, 200 times", "[cb][loading]") {
    const std::string path = engine_copy("thinker");
    search_round(path);
    CHECK(is_loaded(path));
    const Usage before;
    for (int i = 0; i < 200; ++i)
        search_round(path);
    CHECK(is_loaded(path));
    check_no_growth(before);
    forget_options("thinker");
}

TEST_CASE("an engine may be unloaded while it thinks", "[cb][loading]") {
    const std::string path = engine_copy("unloaded");
    std::optional<EngineDll> dll(load(path));
    Call call(start_position(Side::black));
    CallBeside beside(call, *dll, until_told);
    beside.wait_until_searching();
    dll.reset();  // of a final class: the call beside has looked up nothing in it that this changes
    CHECK(is_loaded(path));
    CHECK_FALSE(beside.has_returned());
    beside.interrupt();
    CHECK(beside.join() == cb_unknown);
    CHECK(call.has_moved_legally());
}

TEST_CASE("getmove leaves no thread behind", "[cb][loading]") {
    Call first(start_position(Side::black));
    first.run(engine(), 0.01);
    const int before = thread_count();
    for (int i = 0; i < 20; ++i) {
        Call call(start_position(Side::black));
        call.run(engine(), 0.01);
    }
    CHECK(comes_true([&] { return thread_count() <= before; }));
}
