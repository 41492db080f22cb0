#include <tools/tuning/spsa.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/logarithm.hpp>
#include <defiance/base/random.hpp>
#include <defiance/base/text.hpp>
#include <tools/training/portable_math.hpp>

namespace defiance {
namespace {

/// The quotient of two numbers from 1 on to this power.
double power_of_quotient(std::uint64_t numerator, std::uint64_t denominator, double exponent) {
    const double logarithm =
        natural_log(static_cast<int>(numerator)) - natural_log(static_cast<int>(denominator));
    return portable_exp(exponent * logarithm);
}

}  // namespace

Spsa::Spsa(SpsaSettings settings) : settings_(std::move(settings)) {
    DEFIANCE_ASSERT(settings_.iterations >= 1 && settings_.iterations <= max_iterations);
    for (const SpsaVariable& variable : settings_.variables) {
        DEFIANCE_ASSERT(variable.low <= variable.start && variable.start <= variable.high);
        DEFIANCE_ASSERT(variable.step > 0);
        theta_.push_back(std::llround(variable.start * unit));
    }
}

std::vector<double> Spsa::values() const {
    std::vector<double> values;
    for (const std::int64_t millionths : theta_)
        values.push_back(static_cast<double>(millionths) / unit);
    return values;
}

/// c_k of the next iteration, in steps.
double Spsa::perturbation() const {
    return power_of_quotient(settings_.iterations, iteration_ + 1, gamma);
}

/// a_k of the next iteration, in squares of steps.
double Spsa::gain() const {
    const std::uint64_t stability = settings_.iterations / stability_divisor;
    return rate *
           power_of_quotient(stability + settings_.iterations, stability + iteration_ + 1, alpha);
}

std::vector<int> Spsa::signs_of(std::size_t number) const {
    constexpr int bits_of_number = 16;
    DEFIANCE_ASSERT(number < (std::size_t{1} << bits_of_number));
    const std::uint64_t place = iteration_ << bits_of_number | number;
    Random random(Random(Random(settings_.seed).next() ^ place).next());
    std::vector<int> signs;
    for (std::size_t i = 0; i < theta_.size(); ++i)
        signs.push_back(random.below(2) == 0 ? -1 : 1);
    return signs;
}

SpsaTrial Spsa::trial(std::size_t number) const {
    DEFIANCE_ASSERT(!is_done());
    SpsaTrial trial;
    trial.signs = signs_of(number);
    const double distance = perturbation();
    const std::vector<double> theta = values();
    for (std::size_t i = 0; i < theta.size(); ++i) {
        const SpsaVariable& variable = settings_.variables[i];
        const double moved = distance * variable.step * trial.signs[i];
        trial.plus.push_back(std::clamp(theta[i] + moved, variable.low, variable.high));
        trial.minus.push_back(std::clamp(theta[i] - moved, variable.low, variable.high));
    }
    return trial;
}

void Spsa::advance(std::span<const double> leads) {
    DEFIANCE_ASSERT(!is_done());
    const double factor = gain() / (2 * perturbation());
    std::vector<double> sums(theta_.size());
    for (std::size_t number = 0; number < leads.size(); ++number) {
        const std::vector<int> signs = signs_of(number);
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums[i] += leads[number] * signs[i];
    }
    for (std::size_t i = 0; i < theta_.size(); ++i) {
        const SpsaVariable& variable = settings_.variables[i];
        const std::int64_t moved = std::llround(factor * sums[i] * variable.step * unit);
        theta_[i] = std::clamp<std::int64_t>(theta_[i] + moved, std::llround(variable.low * unit),
                                             std::llround(variable.high * unit));
    }
    ++iteration_;
}

std::string Spsa::state() const {
    std::string text = std::to_string(iteration_);
    for (const std::int64_t millionths : theta_)
        text += ' ' + std::to_string(millionths);
    return text + '\n';
}

bool Spsa::restore(std::string_view state) {
    const auto iteration =
        parse_integer(take_word(state), 0, static_cast<std::int64_t>(settings_.iterations));
    if (!iteration) return false;
    std::vector<std::int64_t> theta;
    for (const SpsaVariable& variable : settings_.variables) {
        const auto millionths = parse_integer(take_word(state), std::llround(variable.low * unit),
                                              std::llround(variable.high * unit));
        if (!millionths) return false;
        theta.push_back(*millionths);
    }
    if (!state.empty()) return false;
    iteration_ = static_cast<std::uint64_t>(*iteration);
    theta_ = std::move(theta);
    return true;
}

}  // namespace defiance
