#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include <defiance/base/result.hpp>
#include <defiance/engine/engine.hpp>
#include <tools/support/hub_level.hpp>
#include <tools/support/hub_line.hpp>

namespace defiance {

/// The engine's side of the Hub protocol, version 2, without its input and output: lines in, lines
/// out. What the protocol leaves open is done so:
///
/// - The parameters may be set at any time between searches; `init` may be left out. A change of
///   `variant` sets the start position of that game up.
/// - A level remains until the next `go`, which thinks a second when it has none. Depth, nodes and
///   time may be limited together. What cannot be read in it is told with `error`; the rest counts,
///   and a search whose time is not known then is a short one.
/// - `info` tells the score in men for the side to move; a win in n plies is 100 - n / 100 men, as
///   other programs tell it, and everything unproven less than 90.
/// - During a search `ping`, `stop`, `ponder-hit`, `hint` and `quit` are answered; other commands
///   are refused with `error`, but after `stop` they wait for its end.
/// - Moves of the opening book of the parameter `book` are played at once; not in analysis and
///   while pondering.
/// - Hints are extensions: `go` takes `bookmove=`, `egtbmove=` and `searchmoves=`, and `hint` gives
///   a line (hub_hints.hpp). The parameter `hintpolicy` says what they are worth (HintPolicy). A
///   hint that is not legal is told with `error`; the search goes on without it. In analysis and
///   while pondering hinted moves are not played.
/// - A search that fails, because there is no memory for it, is told with `error`, and then any
///   legal move is played.
/// - Commands and arguments that are not known do nothing, and neither do blank lines.
///
/// Not for several threads, but `send` is called on one of its own, too.
class HubSession {
public:
    /// Takes a line without its end; false when nobody reads it. May be called on several threads.
    using Sender = std::function<bool(std::string_view)>;

    /// A move that is known to be good, found in at most so many seconds; nothing when none is.
    using Adviser =
        std::function<std::optional<Move>(const GameRules&, const Position&, double most_seconds)>;

    struct Parameters {
        const GameCore* variant = nullptr;  ///< must be set
        std::uint32_t hash_mebibytes = 64;
        bool uses_endgames = true;
        std::string endgame_folder;  ///< empty: where they are found by default
        HintPolicy hint_policy = HintPolicy::verify;
        /// Asked before a search, on its thread, and played at once, unless that repeats a position
        /// of the game; not in analysis, on `level infinite`, while pondering, with `searchmoves`
        /// and where a move is hinted. May be empty.
        Adviser adviser = {};
        int search_threads = 1;
        BookUse book = BookUse::best;  ///< of the book that lies beside the program, see BookKeeper
    };

    HubSession(const Parameters& parameters, Sender send);
    /// Ends a search under way.
    ~HubSession();
    HubSession(const HubSession&) = delete;
    HubSession& operator=(const HubSession&) = delete;

    /// Answers the line; a search goes on after the return. False when the session is over: after
    /// `quit`, or because nobody reads the answers.
    [[nodiscard]] bool take(std::string_view line);
    /// The same for a line that was longer than longest_hub_line.
    [[nodiscard]] bool take_too_long() { return complain("the line is too long"); }

private:
    class Observer;

    [[nodiscard]] bool send(const HubLine& line);
    bool complain(std::string_view problem);
    bool refuse(std::string_view line, std::string_view problem);
    [[nodiscard]] bool carry_out(const HubLine& line);
    [[nodiscard]] bool introduce();
    bool initialise();
    bool set_parameter(const HubLine& line);
    [[nodiscard]] std::optional<Error> try_parameter(std::string_view name, std::string_view value);
    // Each takes a value of set-param. Error: what is wrong with it.
    [[nodiscard]] std::optional<Error> set_variant(std::string_view value);
    [[nodiscard]] std::optional<Error> set_hash(std::string_view value);
    [[nodiscard]] std::optional<Error> set_threads(std::string_view value);
    [[nodiscard]] std::optional<Error> set_endgames(std::string_view value);
    [[nodiscard]] std::optional<Error> set_endgame_folder(std::string_view value);
    [[nodiscard]] std::optional<Error> set_book(std::string_view value);
    [[nodiscard]] std::optional<Error> set_hint_policy(std::string_view value);
    bool set_up(const HubLine& line);
    [[nodiscard]] Result<Game> read_game(const HubLine& line) const;
    bool set_level(const HubLine& line);
    [[nodiscard]] bool hint(const HubLine& line);
    bool go(const HubLine& line);
    [[nodiscard]] bool may_ask_adviser(const HubLine& go, const HubLevel& level) const;
    void search(const Game& game, const HubLevel& level, bool is_pondering, bool asks_adviser);
    void answer_without_search(const Position& position, const char* problem) noexcept;
    [[nodiscard]] bool take_advice(const Game& game, TimeControl& time);
    void report(const EngineResult& result, const Position& position);

    void make_engine();
    bool tell_hash_problem();
    void use_endgames();
    void end_search();
    /// While a search goes on that has not been told to stop.
    [[nodiscard]] bool is_busy() const { return is_searching_ && !is_stopped_; }
    [[nodiscard]] const GameRules& rules() const { return parameters_.variant->rules; }

    Parameters parameters_;
    Sender send_;
    std::unique_ptr<Engine> engine_;
    std::optional<Game> game_;  ///< nothing after a position that could not be read
    HubLevel level_;
    std::uint32_t wanted_hash_mebibytes_;  ///< parameters_ has what there is
    std::string hash_problem_;  ///< why the table is not as large as wanted, until it is told
    std::atomic<bool> is_searching_ = false;
    std::atomic<bool> is_stopped_ = false;
    std::atomic<bool> is_ponder_hit_ = false;
    std::atomic<bool> is_unread_ = false;  ///< nobody reads the answers
    std::thread thread_;
};

}  // namespace defiance
