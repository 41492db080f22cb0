#pragma once

#include <string_view>
#include <vector>

#include <defiance/rules/position.hpp>

namespace defiance {

/// A judgement of a position in 1/100 man, positive when it is good for the side it is given for.
/// An evaluation lies within +-evaluation_limit; larger numbers are proven wins (search/score.hpp).
using Score = int;
inline constexpr Score evaluation_limit = 20000;

/// Judges a position without looking ahead, for the side to move. Meant for positions in which
/// neither side has a capture. Integer arithmetic only, the same on every build; turning the board
/// and exchanging the colours gives the same answer. Safe to call from any thread.
template <class Rules>
[[nodiscard]] Score evaluate(const Position& position);

/// The same for a search that only asks on which side of a window (alpha, beta) the value lies:
/// when the material alone puts it well outside, a bound on that side is answered instead, at a
/// fraction of the cost. In a search the bound is on the wrong side about once in a thousand times.
template <class Rules>
[[nodiscard]] Score lazy_evaluate(const Position& position, Score alpha, Score beta);

/// One term of an evaluation.
struct EvaluationTerm {
    std::string_view name;  ///< for people: "men", "runaway men"
    Score black = 0;        ///< what black gets for it, 1/100 man
    Score white = 0;        ///< what white gets for it
};

/// The trace of an evaluation: terms that add up to it but for the rounding of each.
template <class Rules>
[[nodiscard]] std::vector<EvaluationTerm> explain_evaluation(const Position& position);

}  // namespace defiance
