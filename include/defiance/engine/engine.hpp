#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/base/settings.hpp>
#include <defiance/engine/endgame_keeper.hpp>
#include <defiance/engine/game_core.hpp>
#include <defiance/engine/time.hpp>
#include <defiance/rules/game.hpp>
#include <defiance/search/search.hpp>

namespace defiance {

/// What the user can set. Each lives on in the settings store under the name given here.
struct Options {
    std::uint32_t hash_mebibytes = 64;  ///< hashsize: 1 to max_hash_mebibytes
    bool all_scores = false;            ///< allscores: show every move with its score
    bool solve = false;                 ///< solve: search for sacrifices, hide nothing
};
inline constexpr std::uint32_t max_hash_mebibytes = 65536;

/// What the engine shows while it thinks.
struct SearchInfo {
    int depth = 0;
    Score score = 0;  ///< for the side to move
    std::uint64_t nodes = 0;
    double seconds = 0;
    std::vector<Move> line;
    std::vector<RootMove> moves;  ///< filled with all_scores only
};

/// Follows the engine while it thinks, and can interrupt it; this class itself does neither. Called
/// from the thinking thread.
class EngineObserver {
public:
    virtual ~EngineObserver() = default;
    /// True when the move is wanted now. Asked every fraction of a millisecond.
    virtual bool interrupted() { return false; }
    /// Told about ten times a second and when the best move changes.
    virtual void show([[maybe_unused]] const SearchInfo& thinking) {}
};

/// What the engine claims about the outcome.
enum class Claim { none, win, loss, draw };

/// The outcome of thinking.
struct EngineResult {
    std::optional<Move> move;   ///< nothing only when the side to move has no legal move
    Claim claim = Claim::none;  ///< only what is proven under the draw rules too
    SearchInfo last;            ///< what was shown last
};

/// One engine with its options, table and memory of what the host told it.
///
/// All functions may be called from any thread at any time, also while another thinks; none but
/// think() and hint() takes longer than a moment, and none waits for a think() to end.
class Engine {
public:
    /// Reads the stored options of the section. Makes no table yet.
    Engine(const GameCore& core, std::string settings_section);
    ~Engine();

    [[nodiscard]] const GameCore& core() const { return core_; }

    [[nodiscard]] Options options() const;

    /// Gets memory for a new table beside the one in use; the next think() takes it over. The size
    /// set before does nothing. Error: the old size stays.
    Result<std::uint32_t> set_hash_mebibytes(std::uint32_t mebibytes);
    void set_all_scores(bool on);
    void set_solve(bool on);
    /// Ends every think() from now on after this depth or number of nodes, for matches that shall
    /// not depend on time; 0: no such limit. Not stored.
    void set_depth_limit(int depth);
    void set_node_limit(std::uint64_t nodes);

    /// What is set about endgame databases. Opened by the next think() or endgame_report().
    [[nodiscard]] EndgameOptions endgame_options() const { return endgames_.options(); }
    void set_endgame_options(const EndgameOptions& options);
    /// Which endgame databases there are, for the user, one line each.
    [[nodiscard]] std::vector<std::string> endgame_report() { return endgames_.report(); }

    /// Takes what the host says about the moves up to the position of the next think(); that
    /// think() uses it if it leads to its position. Nothing: forget what was said.
    void set_history(std::optional<Game> game);

    /// Thinks about the position under the stored options and plays one of the moves `only`, of all
    /// legal ones when there is none in it. The first call pins the module.
    [[nodiscard]] EngineResult think(const Position& position, const TimeControl& control,
                                     EngineObserver& host, std::vector<Move> only = {});

    /// Advice in plain words for a novice about the position heard of last, or the start position:
    /// one line below 250 bytes. Takes about a tenth of a second.
    [[nodiscard]] std::string hint() const;

private:
    struct Session;
    class Loan;

    const GameCore& core_;
    mutable std::mutex mutex_;  // guards everything below; held for moments only
    mutable SettingsStore settings_;
    Options options_;
    std::unique_ptr<TranspositionTable> next_table_;  // made by set_hash_mebibytes, not yet in use
    std::unique_ptr<Session> idle_session_;           // missing while a think() uses it
    bool session_is_out_ = false;
    std::optional<Game> history_;
    std::optional<Position> last_position_;
    SearchLimits limits_;     // depth and nodes only
    EndgameKeeper endgames_;  // has locks of its own
};

/// Thinks with a table and limits of the caller's instead of an engine's options; for tools.
[[nodiscard]] EngineResult think_with(GameSearch& search, const Game& game,
                                      const SearchLimits& limits, const TimeControl& control,
                                      EngineObserver& host);

}  // namespace defiance
