#include "support.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

#include <defiance/base/clock.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>

namespace defiance::test {

std::string copies_folder() {
    return folder_of(module_path()) + "engine_copies/";
}

namespace {

std::string copy_of(const std::string& file, const std::string& name) {
    const std::filesystem::path original = folder_of(module_path()) + file;
    const std::string path = copies_folder() + name + original.extension().string();
    std::filesystem::create_directories(copies_folder());
    if (is_loaded(path)) return path;
    std::filesystem::remove(path);  // mingw's copy_file cannot overwrite
    std::filesystem::copy_file(original, path);
    return path;
}

}  // namespace

std::string engine_copy(const std::string& name) {
    return copy_of(engine_file_name(), name);
}

std::string game_engine_copy(std::string_view game) {
    std::string file = engine_file_name();
    file.replace(file.find("english"), sizeof "english" - 1, game);
    return copy_of(file, "shared_" + std::string(game));
}

EngineDll load(const std::string& path) {
    std::string problem;
    EngineDll dll(path, problem);
    INFO(problem);
    REQUIRE(dll);
    return dll;
}

const EngineDll& engine() {
    static const EngineDll shared = [] {
        forget_options("shared");
        EngineDll dll = load(engine_copy("shared"));
        static_cast<void>(dll.command("set hashsize 8"));
        return dll;
    }();
    return shared;
}

Position position_of(std::string_view fen) {
    const Result<Position> position = parse_fen(rules_of<English>, fen);
    REQUIRE(position);
    return *position;
}

CbBoard start_board() {
    return to_cb_board(start_position(Side::black));
}

std::vector<Move> legal_moves(const Position& position) {
    MoveList moves;
    generate_moves<English>(position, moves);
    return {moves.begin(), moves.end()};
}

bool is_successor(const Position& position, const CbBoard& board) {
    for (const Move& move : legal_moves(position))
        if (to_cb_board(after<English>(position, move)) == board) return true;
    return false;
}

int Call::run(const EngineDll& dll, double seconds, int info, int more_info) {
    const Stopwatch stopwatch;
    const int result =
        dll.get_move(board, color, {seconds, info, more_info, status.data(), &play_now, &move});
    seconds_used = stopwatch.seconds();
    return result;
}

CallBeside::CallBeside(Call& call, const EngineDll& dll, double seconds, int info, int more_info)
    : call_(call), thread_([this, &dll, seconds, info, more_info] {
          result_ = call_.run(dll, seconds, info, more_info);
          done_.store(true);
      }) {}

CallBeside::~CallBeside() {
    interrupt();
    join();
}

void CallBeside::wait_until_searching() {
    const Stopwatch stopwatch;
    const auto is_searching = [&] {
        const std::string text = call_.status.text();
        return !text.empty() && !contains(text, "opening");
    };
    while (!is_searching() && !has_returned() && stopwatch.seconds() < 10)
        sleep_milliseconds(1);
}

void CallBeside::interrupt() {
    std::atomic_ref<int>(call_.play_now).store(1);
}

int CallBeside::join() {
    if (thread_.joinable()) thread_.join();
    return result_;
}

std::string accepted(const EngineDll& dll, std::string_view command) {
    const EngineReply reply = dll.command(command);
    INFO(command.substr(0, 200) << ": " << reply.text);
    CHECK(reply.code == 1);
    CHECK(reply.fault == "");
    return reply.text;
}

std::string accepted_in_time(const EngineDll& dll, std::string_view command) {
    std::string reply = accepted(dll, command);
    for (int i = 0; i < 1000 && contains(reply, "in a few seconds"); ++i) {
        sleep_milliseconds(10);
        reply = accepted(dll, command);
    }
    return reply;
}

std::string refused(const EngineDll& dll, std::string_view command) {
    const EngineReply reply = dll.command(command);
    INFO(command.substr(0, 200) << ": " << reply.text);
    CHECK(reply.code == 0);
    CHECK(reply.fault == "");
    CHECK(!reply.text.empty());
    return reply.text;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bool begins_with(std::string_view text, std::string_view beginning) {
    return text.substr(0, beginning.size()) == beginning;
}

Position random_position(Random& random, int black, int white) {
    Position p;
    p.side = random.below(2) == 0 ? Side::black : Side::white;
    for (int placed = 0; placed < black + white;) {
        const Bitboard square = bit(static_cast<int>(random.below(32)));
        if ((p.occupied() & square) != 0) continue;
        const Side side = placed < black ? Side::black : Side::white;
        (side == Side::black ? p.black : p.white) |= square;
        if (random.below(3) == 0 || (square & crowning_row_of(side)) != 0) p.kings |= square;
        ++placed;
    }
    return p;
}

}  // namespace defiance::test
