#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/engine/game_core.hpp>
#include <tools/posdb/known_position.hpp>
#include <tools/posdb/propagation_memory.hpp>

namespace defiance {

struct CyclePosition;

/// Where stores keep the positions of a game.
[[nodiscard]] StoreGame store_game_of(const GameRules& rules);

/// Whether two moves of a position are the same, with the same score.
[[nodiscard]] bool is_same_choice(const KnownMove& a, const KnownMove& b);

/// How many positions the endgame databases may still look at for one request. Most values take a
/// few, but those of five pieces with flying kings tens of thousands, and a line has a hundred
/// positions with all their moves. A look-up of a value or a distance to the end in a database made
/// by others, which may read from disk, counts as 64 of them. Unlike a limit of time it ends the
/// same request always alike.
class EgdbBudget {
public:
    /// Some seconds' worth. Of 30,000 endings drawn by chance none took half of it.
    static constexpr std::size_t of_request = std::size_t{1} << 21;

    explicit EgdbBudget(std::size_t positions = of_request) : left_(positions) {}

    [[nodiscard]] bool is_spent() const { return left_ == 0; }
    void take(std::size_t positions) { left_ -= std::min(left_, positions); }

private:
    std::size_t left_;
};

/// One game of a position database: what is known of positions and how it spreads. Any threads may
/// use it, and other programs the same store, at the same time.
///
/// A known position has scores of its legal moves; it is complete when it has those of all. When
/// the position after a move becomes complete too, the score of the move is from then on the best
/// one there with the sign changed, and so on up to the start: values are minimax values whenever
/// nobody is writing. Where kings can go round for ever, who needs no more than a draw has it, see
/// settle_cycle(): a score other than 0 always comes from a move that leads out. A parent may
/// be behind until it is read or changed, see refresh().
///
/// A stored value that makes no sense, because it is damaged or of a program with other rules, is
/// none: its position is unknown, and the next value takes its place.
class PositionDatabase {
public:
    /// Keeps references. `endgames` may be null.
    PositionDatabase(const GameCore& core, PositionStore& store, const EndgameDatabases* endgames);

    [[nodiscard]] const GameCore& core() const { return core_; }
    [[nodiscard]] const GameRules& rules() const { return core_.rules; }
    [[nodiscard]] StoreGame game() const { return game_; }

    /// The most pieces of a position that the endgame databases answer; 0 without any. Such
    /// positions are not to be added.
    [[nodiscard]] int endgame_pieces() const;

    /// What the endgame databases say of a position of that many pieces, when they find it without
    /// looking at too many others, and before the budget is spent.
    [[nodiscard]] std::optional<EgdbResult> egdb_value(const Position& position,
                                                       EgdbBudget& budget) const;
    /// Plies to the next capture or move of a man, see EndgameDatabases::dtc().
    [[nodiscard]] std::optional<int> egdb_dtc(const Position& position) const;

    /// True for a position that is never stored: the end of a game, or one that the endgame
    /// databases answer.
    [[nodiscard]] bool is_trivial(const Position& position, EgdbBudget& budget) const;
    [[nodiscard]] bool is_trivial(const Position& position) const {
        EgdbBudget budget;
        return is_trivial(position, budget);
    }

    /// What is stored of the position; nothing when it is unknown. Error: of the store.
    [[nodiscard]] Result<std::optional<KnownPosition>> find(const Position& position);
    /// The same for many, in the same order.
    [[nodiscard]] Result<std::vector<std::optional<KnownPosition>>> find_many(
        std::span<const Position> positions);

    /// How often a value was read that makes no sense.
    [[nodiscard]] std::uint64_t undecodable() const { return undecodable_; }

    /// Positions that are stored, whatever their values. Error: of the store.
    [[nodiscard]] Result<std::uint64_t> count() { return store_.count(game_); }

    /// Calls visit(position with black to move, what is known of it) for all positions in any order
    /// until it returns false; `visit` may use the database. Error: of the store.
    using Visit = std::function<bool(const Position&, const KnownPosition&)>;
    [[nodiscard]] std::optional<Error> for_each(const Visit& visit);

    /// Adds scores of moves to a position, which becomes known, and carries what changes up to its
    /// parents. Scores that are there stay, unless they are less well founded: from a search of
    /// less depth, or ScoreSource says so. `ply` counts from the start of the game. `parent` is a
    /// position it can be reached from by a move. Error: of the store; what was added may be there.
    /// To add the same again is safe, and finishes what was left undone when the store failed or
    /// the program ended.
    [[nodiscard]] std::optional<Error> add(const Position& position,
                                           std::span<const KnownMove> scores, std::uint8_t ply,
                                           const std::optional<Position>& parent);

    /// Carries up what is known of a position as far as anything is missing, also where an earlier
    /// add() was cut off. Where all is done nothing is written.
    [[nodiscard]] std::optional<Error> finish(const Position& position);

    /// Takes over what is known of the positions after the moves of a known position, and carries
    /// it up. add() does it; after it a parent by a capture of many pieces may still have an old
    /// score, and one that too many others have come after.
    [[nodiscard]] std::optional<Error> refresh(const Position& position);

    /// Settles scores that rest on nothing but each other, if the best line of a position shows
    /// that: other than a draw it comes back to itself. add() leaves none, but a program that ended
    /// in between may have. It looks at 32 plies at most. True when something was settled.
    [[nodiscard]] Result<bool> break_cycle(const Position& position);

    /// Adds what is known of a position, as add() does, but carries nothing up: for many positions
    /// at once, each of which must then be given to reconcile(), and after that all to
    /// carry_up(). A position that is new is stored as
    /// it is. True when something has changed.
    [[nodiscard]] Result<bool> merge(const PositionKey& key, const KnownPosition& offered);

    /// What a position that was merged may have to do with.
    enum class Relatives {
        children,  ///< only with others that were merged too, and are reconciled too
        all        ///< also with positions that were there before
    };
    using KeySet = std::unordered_set<PositionKey, PositionKeyHash>;
    /// What is still to be carried up.
    class Changes {
    public:
        /// Notes a position whose best move has changed.
        void add(const PositionKey& key);
        [[nodiscard]] bool empty() const { return waiting_.empty(); }

    private:
        friend class PositionDatabase;

        [[nodiscard]] PositionKey take();

        std::deque<PositionKey> waiting_;
        KeySet is_waiting_;
        /// Settled together with others, and not changed since.
        KeySet settled_;
        std::size_t steps_ = 0;  ///< positions that were told or looked at for it
    };
    /// Takes what the positions around a merged one know, and gives them what it knows. Where
    /// scores agree nothing is written.
    [[nodiscard]] std::optional<Error> reconcile(const PositionKey& key, Relatives relatives,
                                                 Changes& changes);
    /// Makes scores minimax values above those that have changed, in so many steps at most.
    [[nodiscard]] std::optional<Error> carry_up(Changes& changes, std::size_t most_steps);
    /// The same above one position with all that its score may rest on, unless that was done
    /// together with others.
    [[nodiscard]] std::optional<Error> settle_rest(const PositionKey& key, Changes& changes,
                                                   std::size_t most_steps);
    /// Through more positions one change does not go up.
    static constexpr std::size_t max_steps_up = 4096;

    /// The moves of the best line from a position on, as indices in canonical_moves(): as far as
    /// positions are known, at most `max_plies`, and never twice through one position.
    struct LineMove {
        std::size_t index = 0;
        CanonicalMove move;
        KnownMove known;
    };
    [[nodiscard]] Result<std::vector<LineMove>> best_line(const Position& position,
                                                          std::size_t max_plies);

private:
    /// Changes a stored position by `change`, which returns false when there is nothing to change,
    /// as often as it takes until nobody else has changed it meanwhile. False when `change` has
    /// refused.
    using Change = std::function<bool(KnownPosition&, bool is_new)>;
    [[nodiscard]] Result<bool> change(const PositionKey& key, const Change& change);
    [[nodiscard]] std::optional<KnownPosition> decoded(const PositionKey& key,
                                                       const StoredValue& value);

    [[nodiscard]] std::optional<Error> propagate_addition(const PositionKey& key, bool was_new);
    [[nodiscard]] std::optional<Error> finish_propagation(const PositionKey& key);
    /// True when the best move has changed.
    [[nodiscard]] Result<bool> link_children(const PositionKey& key);
    [[nodiscard]] std::optional<Error> link_parents(const PositionKey& key);
    [[nodiscard]] std::optional<Error> link(const PositionKey& parent, const PositionKey& child);
    [[nodiscard]] std::optional<Error> propagate(const PositionKey& key);
    [[nodiscard]] std::optional<Error> carry_one_up(const PositionKey& key, Changes& changes);
    [[nodiscard]] Result<bool> back_up(const PositionKey& parent, const PositionKey& child);
    /// What a parent has from one child.
    struct BackUp {
        std::optional<KnownMove> best;  ///< the best move of the child; nothing if none was needed
        bool is_best_changed = false;   ///< of the parent
    };
    [[nodiscard]] Result<BackUp> back_up_once(const PositionKey& parent, const PositionKey& child);
    struct ExpandedMove {
        KnownMove known;
        bool is_reversible = false;
    };
    [[nodiscard]] std::optional<ExpandedMove> expanded_move(const PositionKey& parent,
                                                            const PositionKey& child,
                                                            const KnownPosition& below) const;
    [[nodiscard]] Result<bool> reconcile_with_children(const PositionKey& key,
                                                       const KnownPosition& known);
    [[nodiscard]] std::optional<Error> reconcile_parents(const PositionKey& key, Changes& changes);
    [[nodiscard]] std::optional<Error> reconcile_parent(const PositionKey& parent,
                                                        const KnownPosition& above,
                                                        const PositionKey& key,
                                                        const KnownPosition& known,
                                                        Changes& changes);
    [[nodiscard]] std::optional<Error> carry_plies_down(const PositionKey& key);
    [[nodiscard]] std::optional<Error> tell_parents(const PositionKey& key, Changes& changes);

    /// Settles all scores that rest on those of a complete position, if that may rest on itself.
    /// The positions to tell parents of: this one and those whose best moves have changed.
    [[nodiscard]] Result<std::vector<PositionKey>> settle(const PositionKey& key, Changes& changes);
    [[nodiscard]] Result<bool> may_rest_on_itself(const PositionKey& key,
                                                  const KnownPosition& known);
    struct Cycle;
    [[nodiscard]] std::optional<Error> join(Cycle& cycle, const PositionKey& key,
                                            const KnownPosition& known);
    [[nodiscard]] std::optional<Error> gather(Cycle& cycle);
    [[nodiscard]] Result<bool> widen(Cycle& cycle, const std::vector<CyclePosition>& settled);
    /// The same once, with the positions whose best moves it has changed. False when somebody else
    /// has changed one of the positions meanwhile.
    [[nodiscard]] Result<bool> settle_once(const PositionKey& key, const KnownPosition& known,
                                           std::vector<PositionKey>& changed, Changes& changes);

    const GameCore& core_;
    PositionStore& store_;
    const EndgameDatabases* endgames_;
    StoreGame game_;
    /// Positions for which all has been done that the last add() of each makes necessary. Most are
    /// added several times in a row, and it takes long to look whether all is done.
    RecentPositions propagated_;
    std::atomic<std::uint64_t> undecodable_ = 0;
};

}  // namespace defiance
