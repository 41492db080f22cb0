#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/clock.hpp>
#include <defiance/base/result.hpp>
#include <defiance/base/settings.hpp>
#include <defiance/engine/book_keeper.hpp>
#include <defiance/engine/claim.hpp>
#include <defiance/engine/endgame_keeper.hpp>
#include <defiance/engine/folder_inspector.hpp>
#include <defiance/engine/game_core.hpp>
#include <defiance/engine/game_tracker.hpp>
#include <defiance/engine/hint_mailbox.hpp>
#include <defiance/engine/network_keeper.hpp>
#include <defiance/engine/options.hpp>
#include <defiance/engine/time.hpp>
#include <defiance/rules/game.hpp>
#include <defiance/search/search.hpp>

namespace defiance {

/// What the engine shows while it thinks.
struct SearchInfo {
    /// The iteration under way, or the last one completed (see SearchReport::depth); of a book move
    /// what the book has.
    int depth = 0;
    Score score = 0;              ///< for the side to move, -score_win to score_win
    std::uint64_t nodes = 0;      ///< of all threads
    double seconds = 0;           ///< since the think() began
    std::vector<Move> line;       ///< principal variation, the move to play first
    std::vector<RootMove> moves;  ///< filled with all_scores only
    /// The database result of the position.
    std::optional<EgdbResult> egdb;
    /// In the last of a think(): where the move played was hinted, if it was.
    std::optional<HintSource> hint = std::nullopt;
    bool has_score = true;      ///< see SearchResult::has_score
    bool is_book_move = false;  ///< played from the opening book, without a search
    bool is_last = false;       ///< of the search; hints may begin another
};

/// Connects a GUI or tool to a search; this one does nothing. Called from the thread of think().
class EngineObserver {
public:
    virtual ~EngineObserver() = default;
    /// True when the move is wanted now. Asked every fraction of a millisecond.
    virtual bool interrupted() { return false; }
    /// Called about ten times a second, and at the end. A new best move is shown with the next of
    /// these calls, so up to a tenth of a second later.
    virtual void show([[maybe_unused]] const SearchInfo& info) {}
    /// Called when the search cannot begin for a while: `what` is going on, as in "opening endgame
    /// databases".
    virtual void show_wait([[maybe_unused]] std::string_view what) {}
};

/// The outcome of thinking.
struct EngineResult {
    std::optional<Move> move;    ///< nothing only when the side to move has no legal move
    Claim proven = Claim::none;  ///< under the draw laws too
    Claim claim = Claim::none;   ///< the part of it that the engine's options claim
    SearchInfo last;             ///< what was shown last
};

class SessionKeeper;
class OptionName;  // stored_options.hpp

/// One engine: its options, its table and the game as the GUI has told it.
///
/// All functions may be called from any thread at any time, also while another thinks, and none
/// waits for a think() to end. think() and advice() take as long as they say. Of the others
/// set_book_file() and set_evaluation_file() read the file, which takes as long as the disk does,
/// and the latter, set_hash_mebibytes() and change_endgame_options() free the idle table, which may
/// take a tenth of a second if it is large. The rest take no longer than a moment (a twentieth of a
/// second), except where no thread is free to close databases.
class Engine {
public:
    /// Seconds without a think() after which the table is freed; longer after long thinks. Long
    /// enough for most moves of a human opponent, short enough for a user who loads the engines of
    /// all games one after the other.
    static constexpr double default_idle_seconds = 60;

    /// Reads the stored options of the section. Makes no table yet.
    Engine(const GameCore& core, std::string settings_section,
           double idle_seconds = default_idle_seconds);
    ~Engine();

    [[nodiscard]] const GameCore& core() const { return core_; }

    [[nodiscard]] Options options() const;

    /// Sets and stores the size of the table; the next think() allocates it. Setting the same size
    /// again keeps the table. Returns the size. Error: there is no memory for it, or it is more
    /// than max_hash_mebibytes_for() this program, and the old size stays.
    Result<std::uint32_t> set_hash_mebibytes(std::uint32_t mebibytes);
    /// These take effect with the next think() and are stored.
    void set_all_scores(bool on);
    void set_solve(bool on);
    void set_claim(ClaimPolicy policy);
    void set_hint_policy(HintPolicy policy);
    void set_book(BookUse use);
    /// How many threads search from the next think() on, 1 to max_search_threads. Stored.
    void set_search_threads(int threads);
    /// Limits every later think() to this depth or number of nodes, for matches independent of
    /// time; 0: no limit. Not stored.
    void set_depth_limit(int depth);
    void set_node_limit(std::uint64_t nodes);
    /// These limits; 0: none. A depth of max_depth is none.
    [[nodiscard]] int depth_limit() const;
    [[nodiscard]] std::uint64_t node_limit() const;
    /// Changes what every later think() prunes by, for matches between settings of the search. Not
    /// stored. Error: see the function of this name in search/parameters.hpp.
    [[nodiscard]] std::optional<Error> set_search_parameter(std::string_view name,
                                                            std::string_view value);

    /// While this is on, hinted moves are ignored and no move of the book is played. Not stored.
    void set_analysis(bool on);
    [[nodiscard]] bool is_analysis() const;

    /// The database options. The databases are opened by the next think() or endgame_report().
    [[nodiscard]] EndgameOptions endgame_options() const { return endgames_->options(); }
    /// Calls `change` with the current options and takes the changed ones, atomically, so that no
    /// change of another thread is lost. `change` must not call the engine, nor wait for a disk.
    /// `stored` is the name of an option that is stored.
    void change_endgame_options(const std::function<void(EndgameOptions&)>& change,
                                std::string_view stored = {}, Reopen reopen = Reopen::when_changed);
    /// Which endgame databases there are, for the user, one line each, or that they are being
    /// opened.
    [[nodiscard]] std::vector<std::string> endgame_report();
    /// What a folder holds; see FolderInspector::describe.
    [[nodiscard]] std::string describe_folder(FolderInspector::Contents contents,
                                              std::string_view folder) {
        return folders_.describe(contents, folder);
    }

    /// The path of the user's evaluation network; empty: the embedded one.
    [[nodiscard]] std::string evaluation_file() const { return networks_->path(); }
    /// Evaluates with the network of a file and stores its path; see NetworkKeeper::set. Returns
    /// the path.
    Result<std::string> set_evaluation_file(const std::string& path);
    /// Which evaluation is used, for the user: one line.
    [[nodiscard]] std::string evaluation_report() { return networks_->report(); }
    /// The static evaluation of each position for the side to move, by one and the same network.
    [[nodiscard]] std::vector<Score> evaluate(std::span<const Position> positions);

    /// The path of the user's opening book; empty: that of the game, see BookKeeper.
    [[nodiscard]] std::string book_file() const { return book_->path(); }
    /// Plays from the book of a file and stores its path; see BookKeeper::set. Returns the path.
    Result<std::string> set_book_file(const std::string& path);
    /// Makes the choice among book moves repeatable. Not stored.
    void set_book_seed(std::uint64_t seed) { book_->seed(seed); }
    /// Which opening book there is, for the user: one line.
    [[nodiscard]] std::string book_report() { return book_->report(); }

    /// Sets the game up to the position of the next think(), which uses it if it ends in that
    /// position. Nothing: clears it.
    void set_history(std::optional<Game> game);

    /// The next think() begins a game, or goes on with one after an interruption: what was played
    /// before counts no more, unless it is set as the history.
    void begin_game();

    /// The position that the next move is expected in: the last one set or thought about, at first
    /// the start position.
    [[nodiscard]] Position expected_position() const;

    // Hints of others, such as a book or a database on the network, about a position. They are used
    // once, by the think() about it that is under way or by the next one, and dropped when another
    // position is thought about first. Hints of several kinds add up; a new one replaces the last
    // of its kind. What is not legal is refused. Hints that come in the last iteration, or when the
    // search is over and the engine only waits until the set time, begin another search; if that is
    // cut short at a smaller depth, the result of the first one stays, unless they leave its move
    // out or one is trusted.

    /// A move to play as HintPolicy says; ignored in analysis (infinite time, all scores,
    /// set_analysis). False, and nothing changes, when the move is not legal.
    bool hint_move(const Position& position, HintSource source, const Move& move);
    /// Good play to look at, cut before its first illegal move: how many moves were taken. With
    /// none nothing changes.
    std::size_t hint_line(const Position& position, LineHint line);
    /// The moves to choose among; without any: all. A think() under way obeys with its next
    /// iteration. False, and nothing changes, when one is not legal.
    bool restrict_moves(const Position& position, const std::vector<Move>& search_moves);
    void clear_hints() { hints_.clear(); }
    [[nodiscard]] std::optional<PendingHints> pending_hints() const { return hints_.pending(); }

    /// Thinks about the position under the stored options and plays one of `search_moves`, of all
    /// legal ones when there is none in it. A move of the opening book is played at once, except in
    /// analysis and where hints say what to look at. Opens databases and makes the table where that
    /// is due: that time is lost to this move as TimeControl::waited says, but not to later ones.
    [[nodiscard]] EngineResult think(const Position& position, const TimeControl& control,
                                     EngineObserver& observer, std::vector<Move> search_moves = {});

    /// Advice in plain words for a novice about expected_position(), or about the position after
    /// the move that the engine has played there: then it is the novice's turn. What is found in
    /// analysis is not played. One line below 250 bytes; takes about a tenth of a second.
    [[nodiscard]] std::string advice() const;

    /// Memory of the table that is allocated at present, in MiB; 0 before the first think() and
    /// when the engine has been idle for long.
    [[nodiscard]] std::uint32_t allocated_hash_mebibytes() const;

private:
    /// Sets a member of the options and stores it under the name of its row.
    template <class T>
    void set_option(T Options::*member, T value, OptionName name);
    int finish_move(const Position& position, const TimeControl& time, double used,
                    const EngineResult& result);

    const GameCore& core_;
    mutable std::mutex mutex_;  // guards settings_ to is_analysis_; held for moments only
    SettingsStore settings_;
    Options options_;
    GameTracker games_;
    SearchLimits limits_;  // depth, nodes and parameters only
    bool is_analysis_ = false;
    HintMailbox hints_;  // has a lock of its own
    // These have locks of their own, which are taken after mutex_ when both are held.
    std::shared_ptr<EndgameKeeper> endgames_;
    std::shared_ptr<NetworkKeeper> networks_;
    std::shared_ptr<BookKeeper> book_;
    std::shared_ptr<SessionKeeper> sessions_;
    FolderInspector folders_;
};

/// Thinks with a search and limits of the caller instead of an engine's options; for tools. The
/// time counts from the construction of `stopwatch`. Claims nothing. `hints` may be null.
[[nodiscard]] EngineResult think_with(GameSearch& search, const Game& game,
                                      const SearchLimits& limits, const TimeControl& control,
                                      EngineObserver& observer, const Stopwatch& stopwatch = {},
                                      HintReader* hints = nullptr);

}  // namespace defiance
