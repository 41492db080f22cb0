#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/engine/game_core.hpp>
#include <tools/posdb/position_database.hpp>

namespace defiance {

/// Adds many positions of one game to a store, faster than one by one: first all are stored, then
/// finish() makes the scores minimax values. When a program ends between the two, the same
/// positions added again put it right. For one thread; others may use the store meanwhile.
class BulkAddition {
public:
    /// Keeps references.
    BulkAddition(const GameCore& core, PositionStore& store) : database_(core, store, nullptr) {}

    [[nodiscard]] const GameRules& rules() const { return database_.rules(); }

    /// Stores what is known of a position. Scores that are there stay when they are better founded,
    /// see PositionDatabase::add(). Error: of the store.
    [[nodiscard]] std::optional<Error> add(const PositionKey& key, const KnownPosition& known);

    /// Carries scores up, all together: positions that many lead to, and scores that rest on each
    /// other, are then dealt with once. `go_on` is called with the number of positions that are
    /// done, and ends the work with false. False when it was ended; the rest can be done by another
    /// call.
    [[nodiscard]] Result<bool> finish(const std::function<bool(std::size_t)>& go_on);

    /// Positions that were added, and how many of them were new or changed.
    [[nodiscard]] std::size_t added() const { return added_.size(); }
    [[nodiscard]] std::uint64_t changed() const { return changed_; }

private:
    struct Added {
        PositionKey key;
        std::uint8_t ply;
    };

    PositionDatabase database_;
    PositionDatabase::Relatives relatives_ = PositionDatabase::Relatives::all;
    std::vector<Added> added_;
    std::size_t reconciled_ = 0;  ///< of `added_` from its beginning
    PositionDatabase::Changes changes_;
    std::size_t settled_ = 0;  ///< of `added_` from its beginning
    std::uint64_t changed_ = 0;
};

}  // namespace defiance
