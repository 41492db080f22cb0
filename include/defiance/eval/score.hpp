#pragma once

namespace defiance {

/// A score in points, positive when it is good for the side it is given for: 200 times the natural
/// logarithm of the odds that the network gives for winning. Evaluations lie within
/// +-evaluation_limit; larger scores are proven or known wins (search/score.hpp).
using Score = int;
inline constexpr Score evaluation_limit = 20000;

/// What a man is worth in the middle game, in points: between 230 (Russian) and 370 (English) in
/// the games that the networks learned from.
inline constexpr Score score_of_man = 300;

/// An evaluation for people, in 1/100 man.
[[nodiscard]] constexpr int in_centimen(Score score) {
    return score * 100 / score_of_man;
}
/// The score of so many 1/100 man.
[[nodiscard]] constexpr Score from_centimen(int value) {
    return value * score_of_man / 100;
}

}  // namespace defiance
