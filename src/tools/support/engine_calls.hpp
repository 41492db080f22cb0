#pragma once

#include <array>
#include <string>
#include <string_view>

#include <defiance/cb/api.hpp>
#include <tools/support/cb_board.hpp>

namespace defiance {

/// What an engine answered to a command.
struct EngineReply {
    int code = 0;                 ///< 1 when the command was carried out
    std::string text;             ///< what the engine wrote, up to the end mark
    std::string fault;            ///< how the reply breaks the API; empty when it does not
    bool has_overflowed = false;  ///< memory behind the buffer was written
};

/// The status line that an engine writes while another thread reads it.
class StatusLine {
public:
    static constexpr std::size_t size = 1024;

    /// The buffer to give to the engine.
    [[nodiscard]] char* data() { return text_.data(); }
    /// What it says now. May be called while the engine writes.
    [[nodiscard]] std::string text();
    /// True when the engine has written behind the buffer.
    [[nodiscard]] bool has_overflowed() const;

private:
    std::array<char, size> text_{};
    std::array<char, 256> margin_{};
};

/// Everything that getmove takes besides board and colour.
struct MoveRequest {
    double seconds = 0;  ///< maxtime
    int info = 0;        ///< its bits and what they say of more_info: see getmove
    int more_info = 0;
    char* status = nullptr;   ///< 1024 bytes, or null
    int* play_now = nullptr;  ///< or null; set with std::atomic_ref
    CBmove* move = nullptr;   ///< or null
};

/// The functions of a CheckerBoard engine, whoever provides them.
///
/// They may be called from several threads, as CheckerBoard does; whether that is safe is up to the
/// engine.
class EngineCalls {
public:
    virtual ~EngineCalls() = default;

    [[nodiscard]] virtual EngineReply command(std::string_view text) const = 0;

    /// Has the engine play for `color`: it changes the board and returns one of the codes
    /// cb_draw to cb_unknown.
    virtual int get_move(CbBoard& board, int color, const MoveRequest& request) const = 0;

    [[nodiscard]] virtual bool has_is_legal() const = 0;
    /// Asks whether a move between two square numbers is legal. The engine must export that.
    [[nodiscard]] virtual int is_legal(CbBoard board, int color, int from, int to,
                                       CBmove* move) const = 0;
};

}  // namespace defiance
