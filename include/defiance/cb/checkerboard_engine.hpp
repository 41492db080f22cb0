#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <defiance/base/encoding.hpp>
#include <defiance/cb/api.hpp>
#include <defiance/engine/engine.hpp>

namespace defiance {

/// The answer to a command: `code` 1 when it was carried out, else 0.
struct Reply {
    int code = 0;
    std::string text;
};

/// The engine as CheckerBoard knows it: one for each loaded DLL. Its functions are those of the API
/// with the raw pointers checked. They may throw; the exports catch.
class CheckerBoardEngine {
public:
    /// `settings_section` is where the options live on (see SettingsStore); `help_page` is HTML.
    CheckerBoardEngine(const GameCore& core, std::string settings_section,
                       std::string_view help_page);

    int get_move(int board[8][8], int color, double maxtime, char* str, int* playnow, int info,
                 int moreinfo, CBmove* move);
    [[nodiscard]] Reply answer(std::string_view command);
    int is_legal(const int board[8][8], int color, int from, int to, CBmove* move) const;

private:
    [[nodiscard]] Reply answer_get(std::string_view rest);
    [[nodiscard]] Reply answer_set(std::string_view rest);
    [[nodiscard]] Reply answer_movelist(std::string_view fen);
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

/// What CheckerBoard shows of a path: all of it if ANSI allows that and the short form is not too
/// long for it.
[[nodiscard]] inline std::string path_shown(const std::string& path) {
    std::string text = path_for_ansi(path).value_or(path);
    return ansi_from_utf8(text).size() <= max_option_path ? text : path;
}

/// Answers to commands.
[[nodiscard]] inline Reply done(std::string text) {
    return {1, std::move(text)};
}
[[nodiscard]] inline Reply refused(std::string text) {
    return {0, std::move(text)};
}

/// An answer that has a path in it, cut to what CheckerBoard expects of paths.
[[nodiscard]] Reply limited(Reply reply);

/// The answer to a path that is too long for an option; nothing when it is not.
[[nodiscard]] std::optional<Reply> refuse_long_path(const std::string& name, std::string_view text);

/// True when the text is what CheckerBoard was shown of the path. It sends that back, and the
/// option is then to stay as it is, because ANSI text may have lost characters.
[[nodiscard]] bool is_shown_path(std::string_view text, const std::string& current);

/// Carries out `set NAME 0|1`.
template <class Setter>
[[nodiscard]] Reply set_switch(const std::string& name, std::string_view text, Setter set) {
    if (text != "0" && text != "1") return refused(name + " takes 0 or 1");
    set(text == "1");
    return done(name + ' ' + std::string(text));
}

}  // namespace defiance
