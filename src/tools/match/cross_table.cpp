#include <tools/match/cross_table.hpp>

#include <algorithm>
#include <numeric>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

/// Half points as people write points: 3, 0.5, 12.5.
std::string points_text(std::int64_t halves) {
    DEFIANCE_ASSERT(halves >= 0);
    return std::to_string(halves / 2) + (halves % 2 != 0 ? ".5" : "");
}

std::string padded(const std::string& text, std::size_t width, bool is_left = false) {
    const std::string gap(width > text.size() ? width - text.size() : 0, ' ');
    return is_left ? text + gap : gap + text;
}

/// What the first got in its games against the second, in half points; nothing when they have not
/// met.
std::optional<std::int64_t> halves_against(std::size_t a, std::size_t b,
                                           const std::vector<PairingResult>& results) {
    std::int64_t halves = 0;
    bool have_met = false;
    for (const PairingResult& result : results) {
        const Pairing& pairing = result.pairing;
        const bool is_first = pairing.first == a && pairing.second == b;
        const bool is_second = pairing.first == b && pairing.second == a;
        if (is_first) halves += result.first_halves;
        if (is_second) halves += result.second_halves;
        have_met = have_met || is_first || is_second;
    }
    return have_met ? std::optional(halves) : std::nullopt;
}

/// Sonneborn-Berger: the points against each opponent times the points of that opponent.
double tie_break(std::size_t player, const std::vector<PairingResult>& results,
                 const std::vector<std::int64_t>& half_points) {
    DEFIANCE_ASSERT(player < half_points.size());
    double sum = 0;
    for (std::size_t other = 0; other < half_points.size(); ++other)
        sum += static_cast<double>(halves_against(player, other, results).value_or(0)) *
               static_cast<double>(half_points[other]) / 4;
    return sum;
}

}  // namespace

std::vector<std::size_t> order_by_points(const std::vector<PairingResult>& results,
                                         const std::vector<std::int64_t>& half_points) {
    std::vector<std::size_t> order(half_points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (half_points[a] != half_points[b]) return half_points[a] > half_points[b];
        return tie_break(a, results, half_points) > tie_break(b, results, half_points);
    });
    return order;
}

std::vector<std::string> cross_table(const std::vector<std::size_t>& order,
                                     const std::vector<std::string>& names,
                                     const std::vector<PairingResult>& results,
                                     const std::vector<std::int64_t>& half_points,
                                     const std::vector<GameOutcomes>& outcomes) {
    DEFIANCE_ASSERT(names.size() == half_points.size() && names.size() == outcomes.size());
    DEFIANCE_ASSERT(order.size() == names.size());
    std::size_t name_width = 6;
    for (const std::string& name : names)
        name_width = std::max(name_width, name.size());
    constexpr std::size_t width = 7;
    std::string heading = padded("", 4) + padded("Player", name_width, true) +
                          padded("Points", width + 1) + padded("W-D-L", 12) + padded("SB", 10);
    for (std::size_t i = 0; i < order.size(); ++i)
        heading += padded(std::to_string(i + 1), width);
    std::vector<std::string> lines = {heading};
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t player = order[i];
        const GameOutcomes& o = outcomes[player];
        std::string line =
            padded(std::to_string(i + 1), 3) + ' ' + padded(names[player], name_width, true) +
            padded(points_text(half_points[player]), width + 1) +
            padded(std::to_string(o[2]) + '-' + std::to_string(o[1]) + '-' + std::to_string(o[0]),
                   12) +
            padded(fixed(tie_break(player, results, half_points), 2), 10);
        for (const std::size_t other : order) {
            const auto halves = halves_against(player, other, results);
            line += padded(other == player ? "x" : halves ? points_text(*halves) : ".", width);
        }
        lines.push_back(line);
    }
    return lines;
}

}  // namespace defiance
