#include "entry.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

#include <defiance/base/encoding.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/cb/checkerboard_engine.hpp>

#include DEFIANCE_GAME_HEADER

namespace {

using Rules = defiance::DEFIANCE_GAME;

// On Windows the help page is a resource of the DLL and this array holds nothing.
constexpr unsigned char embedded_help_page[] = {
#if __has_include("help_page.inc")
#include "help_page.inc"
#endif
    0};

std::string_view help_page() {
    const std::string_view resource = defiance::find_resource("HELP_PAGE");
    if (!resource.empty()) return resource;
    return {reinterpret_cast<const char*>(embedded_help_page), std::size(embedded_help_page) - 1};
}

/// Frees the engine when the module is unloaded, but not when the process ends: that alone detaches
/// a pinned module, and the driver of a database may have been detached before it.
class EngineHolder {
public:
    EngineHolder()
        : engine_(new defiance::CheckerBoardEngine(defiance::core_of<Rules>,
                                                   defiance::base_name_of(defiance::module_path()),
                                                   help_page())) {}
    ~EngineHolder() {
        if (!defiance::is_module_pinned()) delete engine_;
    }
    EngineHolder(const EngineHolder&) = delete;
    EngineHolder& operator=(const EngineHolder&) = delete;

    [[nodiscard]] defiance::CheckerBoardEngine& engine() const { return *engine_; }

private:
    // It stays when the engine does, so that a leak checker finds what it holds.
    defiance::CheckerBoardEngine* const engine_;
};

/// The one engine object, made by the first call, from any thread.
defiance::CheckerBoardEngine& engine() {
    static const EngineHolder holder;
    return holder.engine();
}

}  // namespace

int defiance_get_move(int board[8][8], int color, double maxtime, char* str, int* playnow, int info,
                      int moreinfo, CBmove* move) {
    const defiance::NoSystemDialogs no_dialogs;
    return engine().get_move(board, color, maxtime, str, playnow, info, moreinfo, move);
}

int defiance_answer(const char* command, char* reply) {
    const defiance::NoSystemDialogs no_dialogs;
    // CheckerBoard sends and expects ANSI.
    const defiance::Reply answer = engine().answer(defiance::utf8_from_ansi(command));
    if (reply == nullptr) return answer.code;
    const std::string text = defiance::ansi_from_utf8(answer.text);
    // Only the bytes needed: callers pass buffers smaller than the 1024 bytes of the API.
    const std::size_t length = std::min<std::size_t>(text.size(), 1023);
    std::memcpy(reply, text.data(), length);
    reply[length] = 0;
    return answer.code;
}

int defiance_is_legal(int board[8][8], int color, int from, int to, CBmove* move) {
    return engine().is_legal(board, color, from, to, move);
}
