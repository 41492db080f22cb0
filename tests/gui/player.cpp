#include "player.hpp"

#include <defiance/base/clock.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/report.hpp>

namespace defiance::gui {

EngineDll load_engine(const std::string& path) {
    std::string problem;
    EngineDll engine(path, problem);
    if (!engine) print_note("engine_host: " + problem);
    return engine;
}

std::string name_of(const EngineDll& engine, const std::string& path) {
    const EngineReply reply = engine.command("name");
    return reply.code != 0 && !reply.text.empty() ? reply.text : base_name_of(path);
}

void greet(const EngineDll& engine) {
    for (const char* command : {"name", "get book", "get movelist B:W1:B", "get gametype"}) {
        const EngineReply reply = engine.command(command);
        if (!reply.fault.empty()) print_note(std::string(command) + ": " + reply.fault);
    }
}

Answer ask_in(const EngineDll& engine, const Position& position, const std::string& history,
              double seconds, int info, int more_info) {
    Answer answer;
    answer.board = to_cb_board(position);
    StatusLine status;
    int play_now = 0;
    static_cast<void>(engine.command(history));
    const Stopwatch stopwatch;
    answer.result =
        engine.get_move(answer.board, color_to_move(position),
                        {seconds, info, more_info, status.data(), &play_now, &answer.move});
    answer.seconds = stopwatch.seconds();
    answer.status = status.text();
    return answer;
}

std::string_view reason_of(GameState state) {
    switch (state) {
        case GameState::lost:
            return "the side to move has no move";
        case GameState::repetition:
            return "drawn by repetition";
        case GameState::no_progress:
            return "drawn, too long without progress";
        default:
            return "not finished";
    }
}

HashSize::HashSize(const EngineDll& engine, int mebibytes) : engine_(engine) {
    const EngineReply before = engine.command("get hashsize");
    if (before.code == 0) return;
    before_ = before.text;
    static_cast<void>(engine.command("set hashsize " + std::to_string(mebibytes)));
}

HashSize::~HashSize() {
    if (!before_.empty()) static_cast<void>(engine_.command("set hashsize " + before_));
}

}  // namespace defiance::gui
