#pragma once

#include <span>

#include <tools/posdb/known_position.hpp>

namespace defiance {

// What a known position takes over, and from whom: the rules of precedence among scores. Functions
// that change it tell whether they have.

/// Puts scores in their places that are better founded than those there. False when nothing
/// changes.
bool add_better(KnownPosition& known, std::span<const KnownMove> offered);

/// Whether the score that the position after a move tells takes the place of that one. A proven
/// score stays, unless that position knows a proven one too; of a move that can be taken back even
/// then: scores that rest on each other would rest on nothing else in the end.
[[nodiscard]] bool would_change(const KnownMove* present, DatabaseScore score, bool is_reversible);

/// Puts the score that the position after a move tells in its place. False when nothing changes.
bool set_expanded(KnownPosition& known, const KnownMove& move, bool is_reversible);

/// Whether a parent says of its move to a position what that tells.
[[nodiscard]] bool has_score_of(const GameRules& rules, const PositionKey& parent,
                                const KnownPosition& above, const PositionKey& key,
                                const KnownPosition& known);

[[nodiscard]] bool has_parent(const KnownPosition& known, const PositionKey& parent);

/// Adds a position that has a move to this one; the oldest makes room for it. False when it is
/// there.
bool add_parent(KnownPosition& known, const PositionKey& parent);

}  // namespace defiance
