#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tools/posdb/position_database.hpp>
#include <tools/store/position_store.hpp>

namespace defiance {

/// Priorities of positions in the queue.
inline constexpr int expansion_priority = 0;
inline constexpr int wanted_priority = 2;  ///< somebody waits for it

/// What a task in the queue says about its position.
struct TaskNote {
    std::uint8_t ply = KnownPosition::max_ply_from_start;  ///< from the start of the game
    std::optional<PositionKey> parent;                     ///< it was reached from

    friend bool operator==(const TaskNote&, const TaskNote&) = default;
};

[[nodiscard]] std::string encode(const TaskNote& note);
/// Nothing when the bytes are no note.
[[nodiscard]] std::optional<TaskNote> decode_note(std::string_view bytes);

/// Puts a position into the queue.
[[nodiscard]] Result<PushOutcome> push_position(PositionStore& store, StoreGame game,
                                                const PositionKey& key, const TaskNote& note,
                                                int priority);

/// Queues what is worth knowing next about a position: itself unless it is complete, and positions
/// that are not and that good moves lead to, the nearest first. How many were new. Nothing when the
/// queue is full. An endgame may be queued when the budget is spent.
[[nodiscard]] Result<std::optional<int>> queue_around(PositionDatabase& database,
                                                      PositionStore& store,
                                                      const Position& position, EgdbBudget& budget);

/// How many known positions good moves lead to, with the first one, up to `limit`, and how many of
/// them after the best moves.
struct Breadth {
    int positions = 0;
    int after_best = 0;
};
[[nodiscard]] Result<Breadth> count_around(PositionDatabase& database, const Position& position,
                                           int limit, EgdbBudget& budget);

}  // namespace defiance
