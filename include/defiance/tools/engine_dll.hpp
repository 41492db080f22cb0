#pragma once

#include <array>
#include <string>
#include <string_view>

#include <defiance/base/library.hpp>
#include <defiance/cb/api.hpp>
#include <defiance/tools/border_board.hpp>

namespace defiance {

/// What an engine answered to a command.
struct EngineReply {
    int code = 0;       ///< 1 when the command was carried out
    std::string text;   ///< what the engine wrote, up to the end mark
    std::string fault;  ///< how the reply breaks the API; empty when it does not
};

/// The status line that an engine writes while another thread reads it.
class StatusLine {
public:
    static constexpr std::size_t size = 1024;

    /// The buffer to give to the engine.
    [[nodiscard]] char* data() { return text_.data(); }
    /// What it says now. May be called while the engine writes.
    [[nodiscard]] std::string text();

private:
    std::array<char, size> text_{};
};

/// Everything that getmove takes besides board and colour.
struct MoveRequest {
    double seconds = 0;       ///< maxtime
    int info = 0;             ///< bit 0: new game; bit 1: exact time; bits 2 and 3: clock units
    int more_info = 0;        ///< clock with increment, see the API
    char* status = nullptr;   ///< 1024 bytes, or null
    int* play_now = nullptr;  ///< or null; set with std::atomic_ref
    CBmove* move = nullptr;   ///< or null
};

/// A CheckerBoard engine of anybody's, loaded from a DLL or shared object. Unloaded with the
/// object.
///
/// The calls go straight to the engine, on the thread they are made on.
class EngineDll {
public:
    EngineDll() = default;
    /// Loads the file. Empty afterwards when it cannot be loaded or does not export what an engine
    /// must; `problem` then says why.
    EngineDll(const std::string& path, std::string& problem);

    [[nodiscard]] explicit operator bool() const { return static_cast<bool>(library_); }

    /// Sends a command, in memory of its own that ends with the end mark. The reply buffer has the
    /// 1024 bytes of the API and a watched margin behind them.
    [[nodiscard]] EngineReply command(std::string_view text) const;

    /// Has the engine play for `color`: it changes the board and returns one of the codes
    /// cb_draw to cb_unknown.
    int get_move(BorderBoard& board, int color, const MoveRequest& request) const;

    [[nodiscard]] bool has_is_legal() const { return is_legal_ != nullptr; }
    /// Asks whether a move between two square numbers is legal. The engine must export that.
    [[nodiscard]] int is_legal(BorderBoard board, int color, int from, int to, CBmove* move) const;

private:
    using GetMove = int(DEFIANCE_CALL*)(int[8][8], int, double, char*, int*, int, int, CBmove*);
    using Command = int(DEFIANCE_CALL*)(char*, char*);
    using IsLegal = int(DEFIANCE_CALL*)(int[8][8], int, int, int, CBmove*);

    Library library_;
    GetMove get_move_ = nullptr;
    Command command_ = nullptr;
    IsLegal is_legal_ = nullptr;
};

}  // namespace defiance
