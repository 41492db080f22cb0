#pragma once

#include <string_view>
#include <vector>

#include <defiance/eval/score.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// The static evaluation for the side to move, meant for positions without a capture. It is the
/// same on every build and for the position with colours exchanged (flipped()). Safe from any
/// thread.
template <class Rules>
[[nodiscard]] Score evaluate(const Position& position);

/// Lazy evaluation for the window (alpha, beta): when the material alone lies well outside, returns
/// a bound on that side at a fraction of the cost. In searches about one bound in a thousand is
/// wrong.
template <class Rules>
[[nodiscard]] Score lazy_evaluate(const Position& position, Score alpha, Score beta);

/// One term of an evaluation.
struct EvaluationTerm {
    std::string_view name;  ///< for people: "men", "runaway men"
    Score black = 0;        ///< its value for black, 1/100 man
    Score white = 0;        ///< its value for white
};

/// The trace of an evaluation: its terms, which add up to it except for rounding.
template <class Rules>
[[nodiscard]] std::vector<EvaluationTerm> explain_evaluation(const Position& position);

}  // namespace defiance
