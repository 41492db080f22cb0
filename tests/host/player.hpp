#pragma once

#include <string>

#include <defiance/rules/english.hpp>
#include <defiance/tools/border_game.hpp>

namespace defiance::host {

using EnglishGame = BorderGame<English>;

/// What came back from one getmove.
struct Answer {
    int result = cb_unknown;
    BorderBoard board;
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

/// Has the engine move in the game, its history sent first. The move is not played. On this thread.
[[nodiscard]] Answer ask(const EngineDll& engine, const EnglishGame& game, double seconds,
                         int info = 0, int more_info = 0);

/// Number behind the word in a status line, such as `nodes 3.10M`; negative when there is none.
[[nodiscard]] double number_after(const std::string& status, const std::string& word);

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

}  // namespace defiance::host
