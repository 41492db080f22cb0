#include <catch2/catch.hpp>

#include <filesystem>

#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <tools/support/reported_move.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

/// The engine as it is on a processor without POPCNT.
[[maybe_unused]] const EngineDll& old_processor_engine() {
    static const EngineDll shared =
        load(folder_of(module_path()) + "old_processor_engine" +
             std::filesystem::path(engine_file_name()).extension().string());
    return shared;
}

}  // namespace

#ifdef DEFIANCE_NEEDS_POPCNT

TEST_CASE("on a processor that is too old the engine says so", "[cb][processor]") {
    const EngineDll& dll = old_processor_engine();
    CHECK(accepted(dll, "name") == accepted(engine(), "name"));
    CHECK(accepted(dll, "get gametype") == "21");
    CHECK(accepted(dll, "get protocolversion") == "2");
    for (const char* command : {"about", "hint"})
        CHECK(contains(accepted(dll, command), "POPCNT"));
    for (const char* command : {"", "help", "get movelist B:W1:B", "set hashsize 8"})
        CHECK(refused(dll, command) == "?");
}

TEST_CASE("on a processor that is too old legal moves are played", "[cb][processor]") {
    const EngineDll& dll = old_processor_engine();
    Random random(37);
    for (int i = 0; i < 200; ++i) {
        Call call(random_position(random, 6, 6));
        const CbBoard before = call.board;
        const bool is_lost = legal_moves(call.position).empty();
        CHECK(call.run(dll, until_told) == (is_lost ? cb_loss : cb_unknown));
        CHECK(contains(call.status.text(), "POPCNT"));
        CHECK((is_lost ? call.board == before : call.has_moved_legally()));
        CHECK(carry_out(before, from_description(call.move)) == call.board);
    }
}

TEST_CASE("on a processor that is too old the user can enter moves", "[cb][processor]") {
    const CbBoard board = start_board();
    CBmove move{};
    CHECK(old_processor_engine().is_legal(board, cb_black, 11, 15, &move) == 1);
    CHECK(carry_out(board, from_description(move)) ==
          to_cb_board(position_of("W:W21-32:B1-10,12,15")));
    CHECK(old_processor_engine().is_legal(board, cb_black, 11, 14, &move) == 0);
}

#endif
