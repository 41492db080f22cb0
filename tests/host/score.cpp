#include "score.hpp"

#include <algorithm>
#include <cmath>

#include <defiance/base/text.hpp>

namespace defiance::host {
namespace {

std::string elo_text(double share) {
    if (share <= 0) return "-inf";
    if (share >= 1) return "+inf";
    const double elo = -400 * std::log10(1 / share - 1);
    return (elo < 0 ? "" : "+") + fixed(elo, 0);
}

}  // namespace

void MatchScore::add_pair(int first_halves, int second_halves) {
    for (const int halves : {first_halves, second_halves})
        ++(halves == 2 ? wins_ : halves == 1 ? draws_ : losses_);
    ++pairs_[static_cast<std::size_t>(first_halves + second_halves)];
}

double MatchScore::share() const {
    return games() == 0 ? 0.5 : (wins_ + 0.5 * draws_) / games();
}

double MatchScore::margin() const {
    const int count = games() / 2;
    if (count < 2) return 1;
    double squares = 0;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        const double distance = static_cast<double>(i) / 4 - share();
        squares += pairs_[i] * distance * distance;
    }
    constexpr double quantile = 1.96;
    return quantile * std::sqrt(squares / (count - 1) / count);
}

std::string MatchScore::tally() const {
    return std::to_string(wins_) + '-' + std::to_string(draws_) + '-' + std::to_string(losses_);
}

std::string MatchScore::summary() const {
    const double low = share() - margin();
    const double high = share() + margin();
    return "W-D-L " + tally() + "  points " + fixed(share() * 100, 1) +
           " % (95 %: " + fixed(std::max(0.0, low) * 100, 1) + " to " +
           fixed(std::min(1.0, high) * 100, 1) + ")  Elo " + elo_text(share()) + " (" +
           elo_text(low) + " to " + elo_text(high) + ')';
}

}  // namespace defiance::host
