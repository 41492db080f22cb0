#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include <defiance/rules/move.hpp>
#include <defiance/rules/position.hpp>
#include <defiance/search/hints.hpp>

namespace defiance {

/// What the engine does with hinted moves and lines. Restrictions of the choice always hold.
enum class HintPolicy : std::uint8_t {
    trust,   ///< plays the move at once unless an endgame database knows that it is a mistake
    verify,  ///< searches it first and plays it unless another is better by more than hint_margin
    ignore   ///< nothing
};

/// `trust`, `verify` or `ignore`.
[[nodiscard]] std::string_view name_of(HintPolicy policy);
/// The policy of this name; nothing when there is none.
[[nodiscard]] std::optional<HintPolicy> find_hint_policy(std::string_view name);

/// Where a hinted move comes from.
enum class HintSource : std::uint8_t { book, endgames };

/// A line of play that is known to be good.
struct LineHint {
    Score score = 0;          ///< for the side to move; used only within +-evaluation_limit
    int depth = 0;            ///< of the search that found it
    std::vector<Move> moves;  ///< legal, one after the other
};

/// All that is hinted about a position.
struct Hints {
    std::optional<Move> book_move;
    std::optional<Move> endgame_move;  ///< counts more than the book's
    std::optional<LineHint> line;
    std::vector<Move> search_moves;  ///< the moves to choose among; empty: all of them

    [[nodiscard]] bool is_empty() const {
        return !book_move && !endgame_move && !line && search_moves.empty();
    }
};

/// Hints that wait for the next move in the position, or are in use by one.
struct PendingHints {
    Position position;
    Hints hints;
};

/// The hints in use by a search, and how often they have changed since it began.
struct HintsInUse {
    PendingHints pending;
    std::uint64_t changes = 0;
};

/// Passes hints from the threads that get them to those that think. Hints about a position that is
/// thought about go there; those of one other position wait for the next move. They are used once.
/// Safe from any thread; locks are held for moments only.
class HintMailbox {
public:
    /// Calls `change` with the hints of this position. Unless it is thought about, those that wait
    /// are dropped when they are of another one.
    void change(const Position& position, const std::function<void(Hints&)>& change);
    void clear();
    /// Those that wait, or else those in use.
    [[nodiscard]] std::optional<PendingHints> pending() const;

private:
    friend class HintReader;

    mutable std::mutex mutex_;  // guards waiting_ and in_use_
    std::optional<PendingHints> waiting_;
    std::vector<HintsInUse*> in_use_;        // HintReader::shared_ of each
    std::atomic<std::uint64_t> changes_{0};  // lets a search see without a lock that nothing is new
};

/// The hints of one move that is thought about: those that wait for it and those that come
/// meanwhile. Drops those of other positions at first, its own at the end. For one thread.
class HintReader {
public:
    /// `is_analysis`: hinted moves are ignored, because nothing will be played.
    HintReader(HintMailbox& mailbox, const Position& position, HintPolicy policy, bool is_analysis);
    ~HintReader();
    HintReader(const HintReader&) = delete;
    HintReader& operator=(const HintReader&) = delete;

    /// For SearchObserver::new_hints().
    [[nodiscard]] const SearchHints* news();
    /// True when news() would return hints.
    [[nodiscard]] bool has_news();
    /// Makes what was read last new again.
    void give_again() { is_new_ = true; }

    /// True when the hints read last leave a single one of these moves; `moves` empty: of all legal
    /// ones. A restriction that leaves none does not count.
    [[nodiscard]] bool leaves_one_of(const std::vector<Move>& moves) const;

    /// True when the hints read last restrict the choice or, unless the policy ignores them, tell
    /// of a move or a line.
    [[nodiscard]] bool has_effect() const {
        return !hints_.search_moves.empty() ||
               (policy_ != HintPolicy::ignore && !hints_.is_empty());
    }

    /// Where the move was hinted, if it was.
    [[nodiscard]] std::optional<HintSource> source_of(const Move& move) const;

private:
    void read();

    HintMailbox& mailbox_;
    const HintPolicy policy_;
    const bool is_analysis_;
    HintsInUse shared_;               // changed and read with the mailbox locked
    std::uint64_t seen_ = 0;          // HintMailbox::changes_
    std::uint64_t read_changes_ = 0;  // shared_.changes when hints_ was read
    bool is_new_ = false;             // shown_ has not been given out, or is to be again
    Hints hints_;                     // those of shared_ as they were read last
    SearchHints shown_;
};

}  // namespace defiance
