#pragma once

namespace defiance {

/// A score in 1/100 man, positive when it is good for the side it is given for. Evaluations lie
/// within +-evaluation_limit; larger scores are proven or known wins (search/score.hpp).
using Score = int;
inline constexpr Score evaluation_limit = 20000;

}  // namespace defiance
