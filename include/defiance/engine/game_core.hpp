#pragma once

#include <memory>
#include <vector>

#include <defiance/egdb/endgames.hpp>
#include <defiance/eval/embedded_network.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/search/search.hpp>

namespace defiance {

/// The rules of one game and the functions compiled for its rules type. Engine, GUI interface and
/// tools take one of these, so they are compiled once for all games.
///
/// Immutable; core_of<English> and its like are the only objects.
struct GameCore {
    const GameRules& rules;
    /// The table must outlive the search.
    std::unique_ptr<GameSearch> (*make_search)(TranspositionTable&);
    /// Opens what the settings lead to, which may take seconds.
    std::unique_ptr<EndgameDatabases> (*open_endgames)(const EndgameSettings&);
    /// The network lives as long as the program.
    const Network& (*embedded_network)();
};

namespace detail {

template <class Rules>
std::unique_ptr<GameSearch> make_search(TranspositionTable& table) {
    return std::make_unique<Search<Rules>>(table);
}

template <class Rules>
std::unique_ptr<EndgameDatabases> open_endgames(const EndgameSettings& settings) {
    return std::make_unique<Endgames<Rules>>(settings);
}

}  // namespace detail

/// The core of the game with this rules type.
template <class Rules>
inline constexpr GameCore core_of = {
    .rules = rules_of<Rules>,
    .make_search = &detail::make_search<Rules>,
    .open_endgames = &detail::open_endgames<Rules>,
    .embedded_network = &embedded_network<Rules>,
};

}  // namespace defiance
