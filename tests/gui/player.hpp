#pragma once

#include <string>
#include <string_view>

#include <defiance/rules/english.hpp>
#include <tools/support/cb_game.hpp>
#include <tools/support/engine_dll.hpp>

namespace defiance::gui {

/// A game of English draughts.
class EnglishGame : public CbGame {
public:
    explicit EnglishGame(const Position& start) : CbGame(rules_of<English>, start) {}
};

/// What came back from one getmove.
struct Answer {
    int result = cb_unknown;
    CbBoard board;
    CBmove move{};
    double seconds = 0;
    std::string status;
};

/// Loads an engine; says why on standard error when that fails.
[[nodiscard]] EngineDll load_engine(const std::string& path);

/// The engine's own name, or the file's when it gives none.
[[nodiscard]] std::string name_of(const EngineDll& engine, const std::string& path);

/// Sends what CheckerBoard sends after loading an engine: name, get book, get movelist, get
/// gametype.
void greet(const EngineDll& engine);

/// Has the engine move in the position, the command with the history sent first. On this thread.
[[nodiscard]] Answer ask_in(const EngineDll& engine, const Position& position,
                            const std::string& history, double seconds, int info, int more_info);

/// Has the engine move in the game. The move is not played.
[[nodiscard]] inline Answer ask(const EngineDll& engine, const CbGame& game, double seconds,
                                int info = 0, int more_info = 0) {
    return ask_in(engine, game.position(), game.history_command(), seconds, info, more_info);
}

/// Why the game is over, for people.
[[nodiscard]] std::string_view reason_of(GameState state);

/// The result of a game as PDN writes it, the side that moves first before the other; `*` for an
/// unfinished one.
[[nodiscard]] inline std::string_view result_of(const CbGame& game) {
    switch (game.state()) {
        case GameState::open:
            return "*";
        case GameState::lost:
            return game.position().side == game.rules().first_side ? "0-1" : "1-0";
        default:
            return "1/2-1/2";
    }
}

/// Gives an engine another hash size and the old one back at the end.
class HashSize {
public:
    HashSize(const EngineDll& engine, int mebibytes);
    ~HashSize();
    HashSize(const HashSize&) = delete;
    HashSize& operator=(const HashSize&) = delete;

private:
    const EngineDll& engine_;
    std::string before_;
};

}  // namespace defiance::gui
