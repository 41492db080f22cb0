// The engine at the border to CheckerBoard, with searches, databases and a memory that do what a
// test says.

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <set>
#include <string>

#include <defiance/base/system.hpp>
#include <defiance/cb/board.hpp>
#include <defiance/cb/checkerboard_engine.hpp>
#include <defiance/rules/english.hpp>

#include "../base/failing_allocation.hpp"
#include "background_work.hpp"
#include "scripted_core.hpp"

using namespace defiance;
using namespace defiance::test;

TEST_CASE("the status line says why nothing happens while databases are opened",
          "[engine][status]") {
    const ScriptReset reset;
    std::array<char, 1024> status{};
    std::atomic<bool> is_told = false;
    script().on_open = [&] {
        for (int i = 0; i < 2000 && !is_told; ++i) {
            is_told = std::atomic_ref<char>(status[0]).load() != 0;
            sleep_milliseconds(5);
        }
    };
    std::string told;
    script().on_search = [&] { told = status.data(); };
    CheckerBoardEngine engine(scripted_core(), "", "");
    int board[8][8] = {};
    write_board(rules_of<English>.start_position(), board);
    CHECK(engine.get_move(board, cb_black, 1, status.data(), nullptr, 0, 0, nullptr) == cb_unknown);
    CHECK(is_told);
    CHECK(told == "value=?  opening endgame databases");
    CHECK(std::string(status.data()).find("opening") == std::string::npos);
}

namespace {

/// The answers to the command when each of the allocations that it needs fails in its turn.
std::set<std::string> answers_without_memory(CheckerBoardEngine& engine, const char* command) {
    std::set<std::string> answers;
    bool has_failed = true;
    for (int successes = 0; has_failed; ++successes) {
        REQUIRE(successes < 2000);
        Reply reply;
        {
            const FailingAllocation failing(successes);
            reply = engine.answer(command);
            has_failed = failing.has_failed();
        }
        CHECK(reply.code == 1);
        answers.insert(reply.text);
    }
    return answers;
}

}  // namespace

TEST_CASE("a list of moves comes also when memory runs out", "[engine][hostile]") {
    // More moves than CheckerBoard has room for, so that a search chooses among them.
    constexpr const char* crowded =
        "get movelist B:W29:BK1,K4,K8,K10,K11,K13,K18,K19,K20,K22,K27,K30";
    CheckerBoardEngine engine(core_of<English>, "", "");
    REQUIRE(engine.answer("get movelist B:W1:B").text == "movelist 0");
    const std::string whole = engine.answer(crowded).text;
    REQUIRE(whole.find("movelist 28,") == 0);
    for (const std::string& text : answers_without_memory(engine, crowded))
        CHECK(text.find("movelist 28,") == 0);
    CHECK(engine.answer(crowded).text == whole);
    // Here there is no memory for the fault.
    CHECK(answers_without_memory(engine, "get movelist W:W21-32,1:B2") ==
          std::set<std::string>{"movelist 0"});
}
