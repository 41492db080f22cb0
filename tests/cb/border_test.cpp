#include <catch2/catch.hpp>

#include <cstring>

#include <defiance/base/library.hpp>

#include "support.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

/// The bare functions of the engine file, to be called with what no caller should pass.
struct RawEngine {
    RawEngine() {
        Result<Library> loaded = Library::load(engine_copy("shared"));
        REQUIRE(loaded);
        library = *std::move(loaded);
        static_cast<void>(engine());
        get_move = library.find<decltype(&::getmove)>("getmove");
        command = library.find<decltype(&::enginecommand)>("enginecommand");
        is_legal = library.find<decltype(&::islegal)>("islegal");
        REQUIRE(get_move != nullptr);
        REQUIRE(command != nullptr);
        REQUIRE(is_legal != nullptr);
    }

    Library library;
    decltype(&::getmove) get_move = nullptr;
    decltype(&::enginecommand) command = nullptr;
    decltype(&::islegal) is_legal = nullptr;
};

}  // namespace

TEST_CASE("a reply fits a buffer of exactly its size", "[cb]") {
    const RawEngine raw;
    for (const char* text :
         {"name", "about", "help", "get gametype", "get movelist B:W21-32:B1-12", "nonsense",
          "set hashsize 0", "set hashsize 65536", "staticevaluation W:W27,28:B1,2",
          "staticevaluation nothing", "set gamehist W:W27,28:B1,2 27-23", "set gamehist x"}) {
        INFO(text);
        const std::string expected = engine().command(text).text;
        const GuardedMemory command(std::strlen(text) + 1);
        const GuardedMemory reply(expected.size() + 1);
        std::strcpy(command.as<char>(), text);
        raw.command(command.as<char>(), reply.as<char>());
        CHECK(expected == reply.as<char>());
    }
}

TEST_CASE("getmove stays within the memory it is given", "[cb]") {
    const RawEngine raw;
    const GuardedMemory board(sizeof(CbBoard));
    const GuardedMemory status(1024);
    const GuardedMemory play_now(sizeof(int));
    const GuardedMemory move(sizeof(CBmove));
    *board.as<CbBoard>() = start_board();
    CHECK(raw.get_move(board.as<CbBoard>()->squares, cb_black, 0.15, status.as<char>(),
                       play_now.as<int>(), 0, 0, move.as<CBmove>()) == cb_unknown);
    CHECK(is_successor(start_position(Side::black), *board.as<CbBoard>()));
    CHECK(move.as<CBmove>()->oldpiece == (cb_black | cb_man));
}

TEST_CASE("commands without text or reply buffer are survived", "[cb]") {
    const RawEngine raw;
    char reply[1024] = "x";
    CHECK(raw.command(nullptr, reply) == 0);
    CHECK(std::string(reply) == "?");
    char name[] = "name";
    CHECK(raw.command(name, nullptr) == 1);
    CHECK(raw.command(nullptr, nullptr) == 0);
}

TEST_CASE("getmove does without status line, playnow and move", "[cb]") {
    const RawEngine raw;
    CbBoard board = start_board();
    CHECK(raw.get_move(board.squares, cb_black, 0.01, nullptr, nullptr, 0, 0, nullptr) ==
          cb_unknown);
    CHECK(is_successor(start_position(Side::black), board));
}

TEST_CASE("getmove without a board says so", "[cb]") {
    const RawEngine raw;
    char status[1024] = {};
    CBmove move{};
    CHECK(raw.get_move(nullptr, cb_black, 0.01, status, nullptr, 0, 0, &move) == cb_unknown);
    CHECK(contains(status, "board"));
    CHECK(raw.get_move(nullptr, cb_black, 0.01, nullptr, nullptr, 0, 0, nullptr) == cb_unknown);
}

TEST_CASE("islegal without board or move is survived", "[cb]") {
    const RawEngine raw;
    CbBoard board = start_board();
    CBmove move{};
    CHECK(raw.is_legal(board.squares, cb_black, 11, 15, nullptr) == 1);
    CHECK(raw.is_legal(board.squares, cb_black, 11, 20, nullptr) == 0);
    CHECK(raw.is_legal(nullptr, cb_black, 11, 15, &move) == 0);
    CHECK(raw.is_legal(nullptr, cb_black, 11, 15, nullptr) == 0);
}

#if defined(__i386__) && defined(_WIN32)
namespace {

std::uint32_t word_of(const void* pointer) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

template <class Function>
const void* address_of(Function* function) {
    return reinterpret_cast<const void*>(function);
}

}  // namespace

TEST_CASE("the exports work with any alignment of the stack", "[cb]") {
    const RawEngine raw;
    for (const std::uint32_t offset : {0U, 4U, 8U, 12U}) {
        CbBoard board = start_board();
        char status[1024] = {};
        char name[] = "name";
        char reply[1024] = {};
        int play_now = 0;
        CBmove move{};
        const double seconds = 0.02;
        std::uint32_t halves[2];
        std::memcpy(halves, &seconds, sizeof halves);
        const std::uint32_t legal[] = {word_of(&board), cb_black, 11, 15, word_of(&move)};
        CHECK(call_with_stack_offset(address_of(raw.is_legal), legal, 5, offset) == 1);
        const std::uint32_t command[] = {word_of(name), word_of(reply)};
        CHECK(call_with_stack_offset(address_of(raw.command), command, 2, offset) == 1);
        CHECK(contains(reply, "Defiance"));
        const std::uint32_t get[] = {word_of(&board), cb_black,           halves[0], halves[1],
                                     word_of(status), word_of(&play_now), 0,         0,
                                     word_of(&move)};
        CHECK(call_with_stack_offset(address_of(raw.get_move), get, 9, offset) == cb_unknown);
        CHECK(is_successor(start_position(Side::black), board));
    }
}
#endif
