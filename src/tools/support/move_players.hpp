#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>

#include <defiance/base/random.hpp>
#include <defiance/engine/game_core.hpp>
#include <tools/support/engine_calls.hpp>
#include <tools/support/middleware.hpp>

namespace defiance {

/// When a player gives up: its own value is no better than `value` for so many of its moves one
/// after the other, those without a choice left aside.
struct Resignation {
    Score value;
    int moves;  ///< 1 or more
};

/// The engine built into this program, with its built-in endgame databases and the same time for
/// every move but forced ones.
class EngineMovePlayer : public MovePlayer {
public:
    EngineMovePlayer(const GameCore& core, double seconds, std::uint32_t hash_mebibytes,
                     std::optional<Resignation> resignation = std::nullopt)
        : seconds_(seconds),
          resignation_(resignation),
          table_(hash_mebibytes),
          endgames_(core.open_endgames(EndgameSettings{})),
          search_(core.make_search(table_)) {
        search_->use(endgames_.get());
    }

    /// False when there was no memory for the table.
    [[nodiscard]] explicit operator bool() const { return static_cast<bool>(table_); }
    void begin_game() override { bad_moves_ = 0; }
    [[nodiscard]] std::optional<Move> choose(const CbGame& game) override;

private:
    double seconds_;
    std::optional<Resignation> resignation_;
    int bad_moves_ = 0;  // one after the other
    TranspositionTable table_;
    std::unique_ptr<const EndgameDatabases> endgames_;
    std::unique_ptr<GameSearch> search_;
};

/// Any legal move with the same chance. The same seed chooses the same moves on every machine.
class RandomMovePlayer : public MovePlayer {
public:
    explicit RandomMovePlayer(std::uint64_t seed) : random_(seed) {}
    [[nodiscard]] std::optional<Move> choose(const CbGame& game) override;

private:
    Random random_;
};

/// A person who sees the board on one stream and types moves into another, again when one is not
/// legal. Gives up with `give up` or at the end of the input.
class HumanMovePlayer : public MovePlayer {
public:
    HumanMovePlayer(std::FILE* in, std::FILE* out) : in_(in), out_(out) {}
    [[nodiscard]] std::optional<Move> choose(const CbGame& game) override;

private:
    std::FILE* in_;
    std::FILE* out_;
};

/// Any CheckerBoard engine. A board that no legal move leads to counts as giving up, with a note on
/// standard error.
class DllMovePlayer : public MovePlayer {
public:
    DllMovePlayer(const EngineCalls& engine, double seconds) : engine_(engine), seconds_(seconds) {}
    void begin_game() override { is_first_move_ = true; }
    [[nodiscard]] std::optional<Move> choose(const CbGame& game) override;

private:
    const EngineCalls& engine_;
    double seconds_;
    bool is_first_move_ = true;
};

}  // namespace defiance
