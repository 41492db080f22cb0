#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tools/check/checked_engine.hpp>

namespace defiance {

enum class Severity : std::uint8_t {
    pass,
    note,  ///< something optional is missing, or could be better
    fault
};

/// What a check has found out.
struct Finding {
    Severity severity = Severity::pass;
    std::string seen;  ///< what the engine did
    std::string why;   ///< why that matters to a user of CheckerBoard; for faults only
};

[[nodiscard]] Finding pass(std::string seen);
[[nodiscard]] Finding note(std::string seen);
[[nodiscard]] Finding fault(std::string seen, std::string why);

/// The engine crashed or gave no answer, as the error says.
[[nodiscard]] Finding broken(const Error& error);

/// What is wrong with the answer to getmove in this position, its CBmove apart; or nothing.
[[nodiscard]] std::optional<Finding> find_move_fault(const CbGame& game,
                                                     const EngineProcess::Moved& moved);

/// Asks for a move and judges it. Nothing when it is right.
[[nodiscard]] std::optional<Finding> find_move_fault(CheckedEngine& engine, const CbGame& game,
                                                     const MoveOrder& order);

/// One thing that is checked. Each check stands alone: a crash in one does not touch the next.
struct Check {
    std::string name;
    std::function<Finding(CheckedEngine&)> run;
    bool needs_rules = false;  ///< only for engines that play a game known here
};

// Each is defined in the file of its subject; play_now and thread in thinking.cpp.
[[nodiscard]] std::vector<Check> reply_checks();
[[nodiscard]] std::vector<Check> movelist_checks();
[[nodiscard]] std::vector<Check> legality_checks();
[[nodiscard]] std::vector<Check> move_checks();
[[nodiscard]] std::vector<Check> time_checks();
[[nodiscard]] std::vector<Check> play_now_checks();
[[nodiscard]] std::vector<Check> history_checks();
[[nodiscard]] std::vector<Check> thread_checks();
[[nodiscard]] std::vector<Check> option_checks();

}  // namespace defiance
