#include <tools/match/schedule.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

/// What each player got in the games it has played.
std::vector<std::int64_t> played_halves(std::size_t players,
                                        const std::vector<PairingResult>& results) {
    std::vector<std::int64_t> halves(players, 0);
    for (const PairingResult& result : results) {
        DEFIANCE_ASSERT(result.pairing.first < players && result.pairing.second < players);
        halves[result.pairing.first] += result.first_halves;
        halves[result.pairing.second] += result.second_halves;
    }
    return halves;
}

/// The list of pairings is known beforehand.
class FixedSchedule : public Schedule {
public:
    explicit FixedSchedule(const ScheduleSettings& settings) {
        const std::size_t firsts = settings.format == Format::gauntlet ? 1 : settings.players;
        for (std::size_t first = 0; first < firsts; ++first)
            for (std::size_t second = first + 1; second < settings.players; ++second)
                pairings_.push_back({first, second, settings.games, 0});
    }

    std::vector<Pairing> next_round(const std::vector<PairingResult>& results) override {
        return results.empty() ? pairings_ : std::vector<Pairing>{};
    }

private:
    std::vector<Pairing> pairings_;
};

/// Pairs of games that a tied pairing of a knockout gets.
constexpr std::size_t max_replays = 5;

class KnockoutSchedule : public Schedule {
public:
    explicit KnockoutSchedule(const ScheduleSettings& settings)
        : games_(settings.games), byes_(settings.players) {
        survivors_.resize(settings.players);
        std::iota(survivors_.begin(), survivors_.end(), std::size_t{0});
    }

    std::vector<Pairing> next_round(const std::vector<PairingResult>& results) override {
        if (!duels_.empty()) {
            settle(results);
            std::vector<Pairing> again = replays();
            if (!again.empty()) return again;
            advance();
        }
        return first_games();
    }

    std::vector<std::size_t> places() const override {
        std::vector<std::size_t> order = survivors_;
        order.insert(order.end(), beaten_.rbegin(), beaten_.rend());
        return order;
    }

private:
    struct Duel {
        std::size_t first;
        std::size_t second;
        std::int64_t lead = 0;  // of the first, in half points
        std::size_t replays = 0;
    };

    /// Reads the results that have come since the last call.
    void settle(const std::vector<PairingResult>& results) {
        DEFIANCE_ASSERT(seen_ <= results.size());
        for (; seen_ < results.size(); ++seen_)
            for (Duel& duel : duels_)
                if (duel.first == results[seen_].pairing.first)
                    duel.lead += results[seen_].first_halves - results[seen_].second_halves;
    }

    std::vector<Pairing> replays() {
        std::vector<Pairing> again;
        for (Duel& duel : duels_) {
            if (duel.lead != 0 || duel.replays == max_replays) continue;
            again.push_back({duel.first, duel.second, 2, (games_ + 1) / 2 + duel.replays});
            ++duel.replays;
        }
        return again;
    }

    void advance() {
        for (const Duel& duel : duels_) {
            beaten_.push_back(duel.lead < 0 ? duel.first : duel.second);
            std::erase(survivors_, beaten_.back());
        }
        duels_.clear();
    }

    std::vector<Pairing> first_games() {
        DEFIANCE_ASSERT(!survivors_.empty() && duels_.empty());
        std::vector<std::size_t> playing = survivors_;
        if (playing.size() % 2 == 1) std::erase(playing, give_bye());
        std::vector<Pairing> pairings;
        // The first in the order given meets the last.
        for (std::size_t i = 0; i < playing.size() / 2; ++i) {
            const std::size_t other = playing[playing.size() - 1 - i];
            duels_.push_back({playing[i], other});
            pairings.push_back({playing[i], other, games_, 0});
        }
        return pairings;
    }

    /// Gives a bye to the middle one of the survivors with the fewest byes so far, or to the later
    /// of two in the middle, and returns it.
    [[nodiscard]] std::size_t give_bye() {
        std::vector<std::size_t> candidates;
        for (const std::size_t player : survivors_) {
            const bool is_new_fewest =
                !candidates.empty() && byes_[player] < byes_[candidates.front()];
            if (is_new_fewest) candidates.clear();
            if (candidates.empty() || byes_[player] == byes_[candidates.front()])
                candidates.push_back(player);
        }
        DEFIANCE_ASSERT(!candidates.empty());
        const std::size_t chosen = candidates[candidates.size() / 2];
        ++byes_[chosen];
        return chosen;
    }

    std::size_t games_;
    std::vector<std::size_t> survivors_;
    std::vector<std::size_t> beaten_;  // in the order in which they went
    std::vector<std::size_t> byes_;    // of each player
    std::vector<Duel> duels_;
    std::size_t seen_ = 0;
};

std::size_t rounds_of(const ScheduleSettings& settings) {
    DEFIANCE_ASSERT(settings.players >= 2);
    if (settings.rounds != 0) return settings.rounds;
    std::size_t rounds = 1;
    for (std::size_t players = 1; players < settings.players; players *= 2)
        ++rounds;
    return std::min(rounds, settings.players - 1 + settings.players % 2);
}

class SwissSchedule : public Schedule {
public:
    explicit SwissSchedule(const ScheduleSettings& settings) : settings_(settings) {}

    std::vector<Pairing> next_round(const std::vector<PairingResult>& results) override {
        if (round_ == rounds_of(settings_)) return {};
        std::vector<std::size_t> order(settings_.players);
        std::iota(order.begin(), order.end(), std::size_t{0});
        const std::vector<std::int64_t> points = half_points(settings_, results);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return points[a] > points[b]; });
        if (settings_.players % 2 == 1) leave_one_out(order, results);
        std::vector<Pairing> pairings;
        if (!pair_new(order, results, pairings)) pair_anyhow(order, pairings);
        ++round_;
        DEFIANCE_ASSERT(pairings.size() == settings_.players / 2);
        return pairings;
    }

private:
    [[nodiscard]] static bool have_met(std::size_t a, std::size_t b,
                                       const std::vector<PairingResult>& results) {
        return std::any_of(results.begin(), results.end(), [&](const PairingResult& result) {
            const Pairing& p = result.pairing;
            return (p.first == a && p.second == b) || (p.first == b && p.second == a);
        });
    }

    /// Gives a bye to the lowest of the players with the fewest byes so far.
    void leave_one_out(std::vector<std::size_t>& order,
                       const std::vector<PairingResult>& results) const {
        const auto meetings = [&](std::size_t player) {
            return std::count_if(results.begin(), results.end(), [&](const PairingResult& result) {
                return result.pairing.first == player || result.pairing.second == player;
            });
        };
        // The player with the most pairings has had the fewest byes.
        const auto most = std::max_element(
            order.rbegin(), order.rend(),
            [&](std::size_t a, std::size_t b) { return meetings(a) < meetings(b); });
        DEFIANCE_ASSERT(most != order.rend());
        order.erase(std::next(most).base());
    }

    /// Pairs the first player with the next one it has not met, and so on, with backtracking.
    [[nodiscard]] bool pair_new(const std::vector<std::size_t>& order,
                                const std::vector<PairingResult>& results,
                                std::vector<Pairing>& pairings) {
        if (order.empty()) return true;
        DEFIANCE_ASSERT(order.size() % 2 == 0);
        for (std::size_t i = 1; i < order.size(); ++i) {
            if (have_met(order[0], order[i], results) || --tries_left_ < 0) continue;
            std::vector<std::size_t> rest = order;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            rest.erase(rest.begin());
            pairings.push_back(pairing(order[0], order[i]));
            if (pair_new(rest, results, pairings)) return true;
            pairings.pop_back();
        }
        return false;
    }

    void pair_anyhow(const std::vector<std::size_t>& order, std::vector<Pairing>& pairings) const {
        DEFIANCE_ASSERT(order.size() % 2 == 0);
        pairings.clear();
        for (std::size_t i = 0; i + 1 < order.size(); i += 2)
            pairings.push_back(pairing(order[i], order[i + 1]));
    }

    [[nodiscard]] Pairing pairing(std::size_t a, std::size_t b) const {
        return {a, b, settings_.games, round_ * ((settings_.games + 1) / 2)};
    }

    ScheduleSettings settings_;
    std::size_t round_ = 0;
    int tries_left_ = 1'000'000;
};

}  // namespace

std::unique_ptr<Schedule> make_schedule(const ScheduleSettings& settings) {
    DEFIANCE_ASSERT(settings.players >= 2 && settings.games >= 1);
    switch (settings.format) {
        case Format::knockout:
            return std::make_unique<KnockoutSchedule>(settings);
        case Format::swiss:
            return std::make_unique<SwissSchedule>(settings);
        default:
            return std::make_unique<FixedSchedule>(settings);
    }
}

bool is_single_pairing(const ScheduleSettings& settings) {
    return settings.players == 2 &&
           (settings.format == Format::round_robin || settings.format == Format::gauntlet);
}

std::size_t openings_in_row(const ScheduleSettings& settings) {
    const std::size_t of_pairing = (settings.games + 1) / 2;
    switch (settings.format) {
        case Format::swiss:
            return of_pairing * rounds_of(settings);
        case Format::knockout:
            return of_pairing + max_replays;
        default:
            return of_pairing;
    }
}

std::vector<std::int64_t> half_points(const ScheduleSettings& settings,
                                      const std::vector<PairingResult>& results) {
    std::vector<std::int64_t> halves = played_halves(settings.players, results);
    if (settings.format != Format::swiss || settings.players % 2 == 0) return halves;
    // In a round of an odd number of players one has no pairing.
    const std::size_t pairings = settings.players / 2;
    for (std::size_t begin = 0; begin + pairings <= results.size(); begin += pairings) {
        std::vector<bool> has_played(settings.players, false);
        for (std::size_t i = begin; i < begin + pairings; ++i)
            has_played[results[i].pairing.first] = has_played[results[i].pairing.second] = true;
        for (std::size_t player = 0; player < settings.players; ++player)
            if (!has_played[player])
                halves[player] += 2 * static_cast<std::int64_t>(settings.games);
    }
    return halves;
}

}  // namespace defiance
