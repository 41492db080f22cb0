#include <catch2/catch.hpp>

#include <algorithm>
#include <array>

#include <defiance/base/clock.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

constexpr std::array<const char*, 21> harmless_commands = {
    "name",
    "about",
    "help",
    "get protocolversion",
    "get gametype",
    "get cpus",
    "get hashsize",
    "get allscores",
    "get solve",
    "get claim",
    "get movelist B:W1:B",
    "get movelist W:W27,28:B1,2",
    "staticevaluation W:W27,28:B1,2",
    "set hashsize 4",
    "set hashsize 8",
    "set solve 0",
    "set claim 1",
    "set allscores 0",
    "get book",
    "set gamehist B:WK32:BK1 1-5 32-28 5-1",
    "set gamehist B:W21-32:B1-12",
};

/// Sends every command and asks islegal; how many were not carried out.
int count_refusals(const EngineDll& dll) {
    int refusals = 0;
    for (const char* command : harmless_commands) {
        const EngineReply reply = dll.command(command);
        if (reply.code != 1 || !reply.fault.empty()) ++refusals;
    }
    const CbBoard board = to_cb_board(start_position(Side::black));
    CBmove move{};
    if (dll.is_legal(board, cb_black, 11, 15, &move) != 1) ++refusals;
    return refusals;
}

}  // namespace

TEST_CASE("commands are answered while the engine thinks", "[cb][threads]") {
    Call call(start_position(Side::black));
    CallBeside beside(call, engine(), until_told);
    beside.wait_until_searching();
    for (int i = 0; i < 30; ++i)
        REQUIRE(count_refusals(engine()) == 0);
    CHECK(accepted(engine(), "hint") != "");
    CHECK_FALSE(beside.has_returned());
    // The least of some, because anything may take the processor away for a moment.
    double least = 1;
    for (int i = 0; i < 5; ++i) {
        const Stopwatch stopwatch;
        static_cast<void>(accepted(engine(), "name"));
        least = std::min(least, stopwatch.seconds());
    }
    CHECK(least < 0.05);
    beside.interrupt();
    CHECK(beside.join() == cb_unknown);
    CHECK(call.has_moved_legally());
}

TEST_CASE("commands may come while moves begin and end", "[cb][threads]") {
    std::atomic<bool> is_over{false};
    std::atomic<int> refusals{0};
    std::thread commander([&] {
        while (!is_over.load())
            refusals += count_refusals(engine());
    });
    for (int i = 0; i < 60; ++i) {
        Call call(start_position(i % 2 == 0 ? Side::black : Side::white));
        CHECK(call.run(engine(), 0.004) == cb_unknown);
        CHECK(call.has_moved_legally());
    }
    is_over.store(true);
    commander.join();
    CHECK(refusals.load() == 0);
}

TEST_CASE("the first calls may come from two threads at once", "[cb][threads]") {
    for (int round = 0; round < 20; ++round) {
        const EngineDll dll = load(engine_copy("first_calls"));
        std::atomic<int> ready{0};
        std::array<EngineReply, 2> replies;
        const auto call = [&](std::size_t i, const char* command) {
            ++ready;
            while (ready.load() < 2) {
            }
            replies[i] = dll.command(command);
        };
        std::thread other(call, 1U, "get gametype");
        call(0, "name");
        other.join();
        CHECK(contains(replies[0].text, "Defiance"));
        CHECK(replies[1].text == "21");
    }
}

TEST_CASE("the first getmove may come with the first command", "[cb][threads]") {
    for (int round = 0; round < 4; ++round) {
        const EngineDll dll = load(engine_copy("first_move" + std::to_string(round)));
        Call call(start_position(Side::black));
        CallBeside beside(call, dll, 0.02);
        CHECK(count_refusals(dll) == 0);
        CHECK(beside.join() == cb_unknown);
        CHECK(call.has_moved_legally());
        forget_options("first_move" + std::to_string(round));
    }
}

TEST_CASE("two searches at once do not disturb each other", "[cb][threads]") {
    Call first(start_position(Side::black));
    Call second(position_of("W:WK18,27,28:B3,K7,12"));
    Call third(position_of("B:W30,31:B1,2"));
    {
        CallBeside a(first, engine(), 0.1);
        CallBeside b(second, engine(), 0.1);
        CallBeside c(third, engine(), 0.1);
    }
    const Restored restored(engine(), "claim");
    static_cast<void>(accepted(engine(), "set claim 2"));
    Call again(start_position(Side::black));
    {
        CallBeside a(again, engine(), until_told);
        Call quick(position_of("B:W30,31:B1,2"));
        a.wait_until_searching();
        CHECK(quick.run(engine(), 0.2) == cb_draw);  // by the endgame database
        CHECK(quick.has_moved_legally());
        CHECK_FALSE(a.has_returned());
    }
    CHECK(first.has_moved_legally());
    CHECK(second.has_moved_legally());
    CHECK(third.has_moved_legally());
    CHECK(again.has_moved_legally());
}
