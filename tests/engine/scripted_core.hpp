#pragma once

// A game whose searches and databases do what a test says, to see what the engine does with them.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/system.hpp>
#include <defiance/engine/engine.hpp>
#include <defiance/engine/game_core.hpp>
#include <defiance/rules/english.hpp>

namespace defiance::test {

/// What all scripted searches and databases do, and what was seen of them. One test uses it at a
/// time; make a ScriptReset first.
struct Script {
    std::optional<EgdbResult> known;                   // what databases say about the root
    Score score = 0;                                   // what the search says
    std::function<void()> on_search;                   // called while one runs
    std::function<void(SearchObserver&)> on_observer;  // the same, with the observer of the search
    std::function<void()> on_search_freed;             // called while one is freed
    std::function<void()> on_open;                     // called while databases are opened
    std::function<void()> on_close;                    // and while they are closed
    std::vector<Position> last_history;                // given to the last search
    std::atomic<int> open_sets{0};                     // databases that exist
    std::atomic<int> max_open_sets{0};
    std::atomic<int> sets_opened{0};
    bool search_has_endgames = false;                // the search that was made last
    EndgameSettings last_settings;                   // that databases were opened with
    std::uint32_t max_table_mebibytes = UINT32_MAX;  // beside which there is memory for a search
};

inline Script& script() {
    static Script instance;
    return instance;
}

/// Waits until no databases exist; false when there still are some after ten seconds.
[[nodiscard]] inline bool all_closed() {
    for (int i = 0; i < 2000 && script().open_sets > 0; ++i)
        sleep_milliseconds(5);
    return script().open_sets == 0;
}

struct ScriptReset {
    ScriptReset() { reset(); }
    ~ScriptReset() { reset(); }
    ScriptReset(const ScriptReset&) = delete;
    ScriptReset& operator=(const ScriptReset&) = delete;

private:
    static void reset() {
        Script& s = script();
        // Work in the background may keep those of an engine that has gone for a moment.
        static_cast<void>(all_closed());
        s.known = std::nullopt;
        s.score = 0;
        s.on_search = nullptr;
        s.on_observer = nullptr;
        s.on_search_freed = nullptr;
        s.on_open = nullptr;
        s.on_close = nullptr;
        s.last_history.clear();
        s.max_open_sets = s.open_sets.load();
        s.sets_opened = 0;
        s.search_has_endgames = false;
        s.last_settings = {};
        s.max_table_mebibytes = UINT32_MAX;
    }
};

/// The first move of a king that lets nothing be captured, or else the first legal move; nothing
/// without one.
inline std::optional<Move> quiet_move(const Position& position) {
    MoveList moves;
    rules_of<English>.generate_moves(position, moves);
    if (moves.empty()) return std::nullopt;
    for (const Move& move : moves) {
        const Position next = rules_of<English>.after(position, move);
        if (is_reversible(position, move) && !rules_of<English>.can_capture(next)) return move;
    }
    return moves[0];
}

/// Plays quiet_move(), or the first of those it shall choose among.
class ScriptedSearch final : public GameSearch {
public:
    ScriptedSearch() = default;
    ~ScriptedSearch() override {
        if (script().on_search_freed) script().on_search_freed();
    }
    ScriptedSearch(const ScriptedSearch&) = delete;
    ScriptedSearch& operator=(const ScriptedSearch&) = delete;

    void use(const EndgameDatabases* endgames) override {
        script().search_has_endgames = endgames != nullptr;
    }
    void use(const Network&) override {}

    SearchResult run(std::span<const Position> history, const SearchLimits& limits,
                     SearchObserver& observer) override {
        script().last_history.assign(history.begin(), history.end());
        if (script().on_search) script().on_search();
        if (script().on_observer) script().on_observer(observer);
        SearchResult result;
        result.move = quiet_move(history.back());
        if (result.move && !limits.search_moves.empty()) result.move = limits.search_moves.front();
        result.score = script().score;
        result.egdb = script().known;
        result.depth = 1;
        return result;
    }
};

/// Databases that are counted.
class ScriptedEndgames final : public EndgameDatabases {
public:
    ScriptedEndgames() {
        Script& s = script();
        ++s.sets_opened;
        const int now = ++s.open_sets;
        if (now > s.max_open_sets) s.max_open_sets = now;
    }
    ~ScriptedEndgames() override {
        if (script().on_close) script().on_close();
        --script().open_sets;
    }
    ScriptedEndgames(const ScriptedEndgames&) = delete;
    ScriptedEndgames& operator=(const ScriptedEndgames&) = delete;

    const GameRules& rules() const override { return rules_of<English>; }
    int pieces() const override { return 0; }
    std::optional<EgdbResult> resolve(const Position&, std::size_t,
                                      const StopCondition&) const override {
        return {};
    }
    std::optional<int> dtc(const Position&, const StopCondition&) const override { return {}; }
    std::vector<std::string> report() const override { return {"scripted"}; }
};

inline const GameCore& scripted_core() {
    static const GameCore core = {
        .rules = rules_of<English>,
        .make_search = [](TranspositionTable& table) -> std::unique_ptr<GameSearch> {
            if (table.size_mebibytes() > script().max_table_mebibytes) throw std::bad_alloc();
            return std::make_unique<ScriptedSearch>();
        },
        .open_endgames = [](const EndgameSettings& settings) -> std::unique_ptr<EndgameDatabases> {
            script().last_settings = settings;
            auto endgames = std::make_unique<ScriptedEndgames>();
            if (script().on_open) script().on_open();
            return endgames;
        },
        .embedded_network = &embedded_network<English>,
    };
    return core;
}

inline constexpr TimeControl no_time{TimeMode::at_once, 0, 0, 0};

inline EndgameOptions with_folder(const std::string& folder) {
    EndgameOptions options;
    options.folder = folder;
    return options;
}

/// The first line of what an engine tells of its databases.
inline std::string report_of(Engine& engine) {
    return engine.endgame_report().front();
}

}  // namespace defiance::test
