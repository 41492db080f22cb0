#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include <defiance/cb/api.hpp>
#include <defiance/engine/engine.hpp>

namespace defiance {

/// The answer to a command: `code` 1 when it was carried out, else 0.
struct Reply {
    int code = 0;
    std::string text;
};

/// The engine as CheckerBoard knows it: one for each loaded DLL. Its functions are those of the API
/// with the raw pointers checked, and may throw; the exports do not let that pass.
template <class Rules>
class CheckerBoardEngine {
public:
    CheckerBoardEngine();

    int get_move(int board[8][8], int color, double maxtime, char* str, int* playnow, int info,
                 int moreinfo, CBmove* move);
    [[nodiscard]] Reply answer(std::string_view command);
    int is_legal(const int board[8][8], int color, int from, int to, CBmove* move) const;

private:
    [[nodiscard]] Reply answer_get(std::string_view rest);
    [[nodiscard]] Reply answer_set(std::string_view rest);
    [[nodiscard]] Reply answer_movelist(std::string_view fen);
    [[nodiscard]] Reply set_history(std::string_view text);
    [[nodiscard]] Reply set_hash_size(std::string_view text);
    [[nodiscard]] Reply set_depth(std::string_view text);
    [[nodiscard]] Reply set_nodes(std::string_view text);
    [[nodiscard]] std::string about() const;

    std::string module_;  // full path of the DLL
    Engine<Rules> engine_;
    std::atomic<bool> has_answered_movelist_{false};
};

/// Name of the engine, at most 30 characters.
template <class Rules>
[[nodiscard]] std::string engine_name();

}  // namespace defiance
