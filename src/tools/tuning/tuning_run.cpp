#include <tools/tuning/tuning_run.hpp>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <span>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/support/state_file.hpp>
#include <tools/tuning/spsa.hpp>

namespace defiance {
namespace {

constexpr StateKind tuning_state = {"tune", "a tuning", "settings"};

std::uint64_t iterations_for(std::uint64_t games) {
    return (games + games_of_tuning_step - 1) / games_of_tuning_step;
}

int default_of(const SearchParameter& parameter) {
    return SearchParameters{}.*parameter.member;
}

SpsaSettings spsa_settings(const TuningOrder& order) {
    SpsaSettings settings;
    settings.iterations = iterations_for(order.games);
    settings.seed = order.game.seed;
    for (const SearchParameter* parameter : order.parameters)
        settings.variables.push_back(
            {static_cast<double>(default_of(*parameter)), static_cast<double>(parameter->min),
             static_cast<double>(parameter->max), static_cast<double>(parameter->step)});
    return settings;
}

/// The defaults with these values in the place of those that are tuned.
SearchParameters rounded_parameters(const TuningOrder& order, const std::vector<double>& values) {
    DEFIANCE_ASSERT(values.size() == order.parameters.size());
    SearchParameters parameters;
    for (std::size_t i = 0; i < values.size(); ++i)
        parameters.*order.parameters[i]->member = static_cast<int>(std::lround(values[i]));
    return parameters;
}

std::uint32_t sum_of(const std::string& text) {
    return checksum(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

/// A number made of where the parameters begin and how they are moved.
std::uint32_t table_sum(const TuningOrder& order) {
    std::string text;
    for (const SearchParameter* parameter : order.parameters)
        for (const int number :
             {default_of(*parameter), parameter->min, parameter->max, parameter->step})
            text += std::to_string(number) + ' ';
    return sum_of(text);
}

/// A number made of the openings in their order.
std::uint32_t openings_sum(const TuningOrder& order) {
    std::string text;
    for (const Position& position : order.game.openings)
        text += to_fen(order.game.core->rules, position) + ' ';
    return sum_of(text);
}

/// All that the result depends on, as one line.
std::string order_text(const TuningOrder& order) {
    std::string text = std::string(order.game.core->rules.file_word) + ", " +
                       std::to_string(order.games) + " games of " +
                       std::to_string(order.game.nodes) + " nodes, seed " +
                       std::to_string(order.game.seed) + ", program " + order.program + ", table " +
                       std::to_string(table_sum(order));
    if (!order.game.openings.empty())
        text += ", " + std::to_string(order.game.openings.size()) + " openings " +
                std::to_string(openings_sum(order));
    text += ", parameters";
    if (order.parameters.size() == search_parameters.size()) return text + " all";
    for (const SearchParameter* parameter : order.parameters)
        text += ' ' + std::string(parameter->name);
    return text;
}

/// Says now and then how far a tuning is.
class TuningProgress {
public:
    TuningProgress(const TuningOrder& order, std::uint64_t found, TuningMonitor& monitor)
        : order_(order), found_(found), played_(found), monitor_(monitor) {}

    /// From any thread.
    void add_game() {
        constexpr double seconds_between = 10;
        const std::lock_guard lock(mutex_);
        ++played_;
        const double now = stopwatch_.seconds();
        if (now < next_note_ || played_ >= order_.games) return;
        next_note_ = now + seconds_between;
        const double left = static_cast<double>(order_.games - played_) * now /
                            static_cast<double>(played_ - found_);
        monitor_.note("games " + std::to_string(played_) + " of " + std::to_string(order_.games) +
                      ", " + fixed(left, 0) + " s left" + values_);
    }

    /// Between iterations.
    void set_values(const std::vector<double>& values) {
        values_ = ":";
        for (std::size_t i = 0; i < values.size(); ++i)
            values_ += ' ' + std::string(order_.parameters[i]->name) + ' ' + fixed(values[i], 2);
    }

private:
    const TuningOrder& order_;
    const std::uint64_t found_;
    std::mutex mutex_;
    std::uint64_t played_;
    std::string values_;
    TuningMonitor& monitor_;
    Stopwatch stopwatch_;
    double next_note_ = 2;
};

/// The pairs of games of the next iteration.
std::vector<TuningPair> next_pairs(const TuningOrder& order, const Spsa& spsa) {
    const std::uint64_t before = spsa.iteration() * games_of_tuning_step;
    const std::uint64_t games = std::min(games_of_tuning_step, order.games - before);
    std::vector<TuningPair> pairs;
    for (std::size_t i = 0; i < games / 2; ++i) {
        const SpsaTrial trial = spsa.trial(i);
        pairs.push_back({before / 2 + i, rounded_parameters(order, trial.plus),
                         rounded_parameters(order, trial.minus)});
    }
    return pairs;
}

/// Goes on from the state in the file, or leaves the first one there: better known now than after
/// the first iteration that it cannot be written.
std::optional<Error> begin_tuning(const TuningOrder& order, const std::string& settings, Spsa& spsa,
                                  TuningMonitor& monitor) {
    if (!file_exists(order.file))
        return write_state(order.file, tuning_state, settings, spsa.state());
    const Result<std::string> state = read_state(order.file, tuning_state, settings);
    if (!state) return Error{state.error()};
    if (!spsa.restore(*state)) return file_error(order.file, "is damaged");
    monitor.note("going on after " +
                 std::to_string(std::min(spsa.iteration() * games_of_tuning_step, order.games)) +
                 " games");
    return std::nullopt;
}

void print_tuned(const TuningOrder& order, const std::vector<double>& values,
                 TuningMonitor& monitor) {
    const SearchParameters tuned = rounded_parameters(order, values);
    std::string player = "player self";
    for (std::size_t i = 0; i < values.size(); ++i) {
        const SearchParameter& parameter = *order.parameters[i];
        const std::string number = std::to_string(tuned.*parameter.member);
        monitor.print(std::string(parameter.name) + " default " +
                      std::to_string(default_of(parameter)) + " tuned " + number + " (" +
                      fixed(values[i], 2) + ')');
        player += ";param=" + std::string(parameter.name) + '=' + number;
    }
    monitor.print(player);
}

}  // namespace

Result<bool> run_tuning(const TuningOrder& order, const EndgameSettings& databases,
                        TuningMonitor& monitor) {
    DEFIANCE_ASSERT(order.games >= 2 && order.games % 2 == 0 && !order.parameters.empty());
    const std::string settings = order_text(order);
    Spsa spsa(spsa_settings(order));
    if (auto error = begin_tuning(order, settings, spsa, monitor)) return *std::move(error);
    if (!spsa.is_done()) {
        const int threads =
            std::min(order.threads, static_cast<int>(std::min(games_of_tuning_step, order.games)));
        auto made = TuningGames::make(order.game, databases, threads,
                                      [&monitor] { return monitor.is_stopped(); });
        if (!made) return Error{made.error()};
        TuningGames& games = **made;
        TuningProgress progress(order, spsa.iteration() * games_of_tuning_step, monitor);
        while (!spsa.is_done()) {
            progress.set_values(spsa.values());
            const auto leads = games.play(next_pairs(order, spsa), [&] { progress.add_game(); });
            if (!leads) {
                monitor.note("stopped; the same command goes on after " +
                             std::to_string(spsa.iteration() * games_of_tuning_step) + " games");
                return false;
            }
            spsa.advance(*leads);
            if (auto error = write_state(order.file, tuning_state, settings, spsa.state()))
                return *std::move(error);
        }
    }
    print_tuned(order, spsa.values(), monitor);
    return true;
}

}  // namespace defiance
