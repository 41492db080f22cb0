#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
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
/// with the raw pointers checked. Any thread may call them at any time. They may throw; the exports
/// catch.
class CheckerBoardEngine {
public:
    /// `settings_section` is where the options live on (see SettingsStore); `help_page` is HTML.
    CheckerBoardEngine(const GameCore& core, std::string settings_section,
                       std::string_view help_page);

    /// Plays a move: `board` becomes the position after it and `move` tells its squares. Returns
    /// one of the results of api.hpp. A null `board` and boards that are none are answered without
    /// a search; `str`, `playnow` and `move` may be null.
    int get_move(int board[8][8], int color, double maxtime, char* str, int* playnow, int info,
                 int moreinfo, CBmove* move);
    /// Carries out a command of CheckerBoard; one that it does not know is answered with code 0.
    [[nodiscard]] Reply answer(std::string_view command);
    /// 1 and `move` when the side has a legal move between the squares of these numbers. Else 0; in
    /// openings whose numbers CheckerBoard has wrong, with the move that it means.
    int is_legal(const int board[8][8], int color, int from, int to, CBmove* move) const;

private:
    [[nodiscard]] EngineResult think(const Position& position, TimeControl time, char* str,
                                     int* playnow);
    [[nodiscard]] EngineResult move_against_nobody(const Position& position, char* str) const;
    [[nodiscard]] Reply answer_get(std::string_view rest);
    [[nodiscard]] Reply answer_set(std::string_view rest);
    [[nodiscard]] Reply answer_movelist(std::string_view fen);
    [[nodiscard]] Reply list_moves(std::string_view fen);
    [[nodiscard]] Reply answer_hint() const;
    void note_fault(std::string fault);
    [[nodiscard]] Reply set_history(std::string_view text);
    [[nodiscard]] Reply set_hash_size(std::string_view text);
    [[nodiscard]] Reply set_claim(std::string_view text);
    [[nodiscard]] Reply set_depth(std::string_view text);
    [[nodiscard]] Reply set_nodes(std::string_view text);
    [[nodiscard]] Reply set_search_parameter(std::string_view text);
    [[nodiscard]] std::optional<Reply> get_endgame_option(std::string_view what) const;
    [[nodiscard]] std::optional<Reply> set_endgame_option(std::string_view what,
                                                          std::string_view text);
    /// What `verb` hints, with or without `set` before it; nothing when it is no hint.
    [[nodiscard]] std::optional<Reply> take_hint(std::string_view verb, std::string_view rest);
    [[nodiscard]] Result<Position> position_of_hint(bool has_fen, std::string_view fen) const;
    [[nodiscard]] Reply hint_move(HintSource source, const Position& position,
                                  std::span<const std::string_view> words);
    [[nodiscard]] Reply hint_line(const Position& position,
                                  std::span<const std::string_view> words);
    [[nodiscard]] Reply restrict_moves(const Position& position,
                                       std::span<const std::string_view> words);
    [[nodiscard]] Reply answer_hints() const;
    [[nodiscard]] Reply set_hint_policy(std::string_view text);
    [[nodiscard]] Reply set_search_threads(std::string_view text);
    [[nodiscard]] Reply set_book(std::string_view text);
    [[nodiscard]] Reply set_book_file(std::string_view text);
    [[nodiscard]] Reply set_book_seed(std::string_view text);
    [[nodiscard]] Reply set_evaluation_file(std::string_view text);
    [[nodiscard]] Reply static_evaluation(std::string_view fen);
    [[nodiscard]] std::string about();

    const GameRules& rules_;
    std::string_view help_page_;
    Engine engine_;
    mutable std::mutex mutex_;    // guards position_fault_; held briefly
    std::string position_fault_;  ///< why the last position sent cannot be played; empty: it can
    std::atomic<bool> has_answered_movelist_{false};
    /// The last question to islegal, to tell CheckerBoard's loop over all squares from a single
    /// question.
    mutable std::atomic<std::uint64_t> last_question_{0};
};

}  // namespace defiance
