#include <tools/match/scoreboard.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/match/cross_table.hpp>

namespace defiance {
namespace {

std::string percent(double part, double whole) {
    DEFIANCE_ASSERT(part >= 0 && part <= whole);
    return fixed(whole == 0 ? 0 : part / whole * 100, 1) + " %";
}

std::string mean_text(double sum, std::int64_t count, int decimals) {
    DEFIANCE_ASSERT(count >= 0);
    return count == 0 ? "unknown" : fixed(sum / static_cast<double>(count), decimals);
}

std::string_view word_of(TestVerdict verdict) {
    switch (verdict) {
        case TestVerdict::h0:
            return "H0";
        case TestVerdict::h1:
            return "H1";
        default:
            return "open";
    }
}

std::string ratio_text(const MatchScore& score, const SequentialTest& test) {
    return "LLR " + fixed(log_likelihood_ratio(score.pairs(), test), 2) + " (" +
           fixed(test.lower_bound(), 2) + " to " + fixed(test.upper_bound(), 2) + ")";
}

}  // namespace

/// A hash of the moves and results of the games of a pair; 0 when one of them is not known.
std::uint64_t Scoreboard::hash_of_pair(const Leg& even, const Leg& odd) {
    if (even.moves_hash == 0 || odd.moves_hash == 0) return 0;
    const auto results = static_cast<std::uint64_t>(even.halves * 3 + odd.halves);
    return (even.moves_hash * 0x9E3779B97F4A7C15U + odd.moves_hash) * 0xD6E8FEB86659FD93U + results;
}

void Scoreboard::add_pairing(const Pairing& pairing) {
    DEFIANCE_ASSERT(pairing.first < names_.size() && pairing.second < names_.size());
    DEFIANCE_ASSERT(pairing.first != pairing.second);
    results_.push_back({pairing, 0, 0});
    meetings_.emplace_back();
}

void Scoreboard::add(const ScheduledGame& game, const GameRecord& record) {
    DEFIANCE_ASSERT(game.pairing < results_.size() && game.first != game.second);
    DEFIANCE_ASSERT(record.first_halves >= 0 && record.first_halves <= 2);
    const std::size_t first_of_pairing = results_[game.pairing].pairing.first;
    const int halves =
        game.first == first_of_pairing ? record.first_halves : 2 - record.first_halves;
    results_[game.pairing].first_halves += halves;
    results_[game.pairing].second_halves += 2 - halves;
    Meeting& meeting = meetings_[game.pairing];
    meeting.score.add_game(halves);
    meeting.legs[game.leg] = {halves, record.moves_hash};
    if (const auto other = meeting.legs.find(game.leg ^ 1U); other != meeting.legs.end())
        meeting.score.close_pair(halves, other->second.halves,
                                 hash_of_pair(meeting.legs.at(game.leg & ~std::size_t{1}),
                                              meeting.legs.at(game.leg | 1U)));
    figures_[game.first].add(record.first);
    figures_[game.second].add(record.second);
    ++endings_[record.ending];
    const std::size_t loser = record.first_halves == 0 ? game.first : game.second;
    if (is_fault(record.ending)) ++faults_[loser][record.ending];
    ++games_;
}

const MatchScore& Scoreboard::match_score() const {
    static const MatchScore nothing;
    return meetings_.empty() ? nothing : meetings_.front().score;
}

TestVerdict Scoreboard::verdict() const {
    if (!settings_.test) return TestVerdict::open;
    return verdict_of(log_likelihood_ratio(match_score().pairs(), *settings_.test),
                      *settings_.test);
}

std::string Scoreboard::progress() const {
    if (!is_match()) {
        const auto points = half_points(settings_.schedule, results_);
        const auto best = std::max_element(points.begin(), points.end());
        return "most points: " + names_[static_cast<std::size_t>(best - points.begin())] +
               " with " + fixed(static_cast<double>(*best) / 2, 1);
    }
    const MatchScore& score = match_score();
    std::string text = names_[0] + ' ' + score.tally() + ' ' + names_[1] + "  Elo " +
                       score.elo_with_error() + "  LOS " +
                       fixed(likelihood_of_superiority(score.share()) * 100, 1) + " %";
    if (settings_.test) text += "  " + ratio_text(score, *settings_.test);
    return text;
}

void Scoreboard::report(const std::optional<std::vector<std::size_t>>& places) const {
    report_players();
    report_endings();
    if (is_match())
        report_match();
    else
        report_table(places);
}

void Scoreboard::report_match() const {
    const MatchScore& score = match_score();
    DEFIANCE_ASSERT(score.games() == static_cast<std::int64_t>(games_));
    const GameOutcomes& games = score.outcomes();
    const PairOutcomes& pairs = score.pairs();
    print_line(names_[0] + " against " + names_[1] + ": " + score.summary());
    std::string counts;
    for (const std::int64_t count : pairs)
        counts += (counts.empty() ? "" : ", ") + std::to_string(count);
    print_line("pairs of games with 0, 1/2, 1, 1 1/2 and 2 points: " + counts + "; draws " +
               percent(static_cast<double>(games[1]), static_cast<double>(score.games())));
    if (score.copies() != 0)
        print_line(
            "pairs that repeat earlier games, counted as games but not for points and Elo: " +
            std::to_string(score.copies()));
    if (settings_.test)
        print_line("SPRT of " + fixed(settings_.test->elo0, 2) + " against " +
                   fixed(settings_.test->elo1, 2) + " Elo: " + ratio_text(score, *settings_.test));
    print_line("MATCH games " + std::to_string(score.games()) + " w " + std::to_string(games[2]) +
               " d " + std::to_string(games[1]) + " l " + std::to_string(games[0]) + " elo " +
               score.elo_with_error() + " sprt " + std::string(word_of(verdict())));
}

void Scoreboard::report_table(const std::optional<std::vector<std::size_t>>& places) const {
    std::vector<GameOutcomes> outcomes(names_.size(), GameOutcomes{});
    for (std::size_t i = 0; i < results_.size(); ++i)
        for (std::size_t halves = 0; halves < 3; ++halves) {
            const std::int64_t count = meetings_[i].score.outcomes()[halves];
            outcomes[results_[i].pairing.first][halves] += count;
            outcomes[results_[i].pairing.second][2 - halves] += count;
        }
    const std::vector<std::int64_t> points = half_points(settings_.schedule, results_);
    const std::vector<std::size_t> order =
        !places || places->empty() ? order_by_points(results_, points) : *places;
    DEFIANCE_ASSERT(order.size() == names_.size());
    for (const std::string& line : cross_table(order, names_, results_, points, outcomes))
        print_line(line);
    std::string winner = places ? names_[order.front()] : "-";
    std::replace(winner.begin(), winner.end(), ' ', '_');
    print_line("TOURNAMENT players " + std::to_string(names_.size()) + " games " +
               std::to_string(games_) + " winner " + winner);
}

void Scoreboard::report_players() const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const PlayerFigures& f = figures_[i];
        std::string text = names_[i] + ": moves " + std::to_string(f.moves) + ", mean time " +
                           mean_text(f.seconds, f.moves, 4) + " s, longest " + fixed(f.longest, 4) +
                           " s, worst overrun " + fixed(f.overrun, 4) + " s, mean depth " +
                           mean_text(f.sum_of_depths, f.moves_with_depth, 1) + ", mean speed " +
                           mean_text(f.sum_of_speeds / 1000, f.moves_with_speed, 0) + " kN/s";
        if (f.measured_moves != 0)
            text +=
                ", on the way " + mean_text(f.overhead * 1000, f.measured_moves, 3) + " ms a move";
        if (const auto faults = faults_.find(i); faults != faults_.end())
            for (const auto& [ending, count] : faults->second)
                text += "; lost by " + std::string(code_of(ending)) + " (" +
                        std::string(describe(ending)) + ") " + std::to_string(count);
        print_line(text);
    }
}

void Scoreboard::report_endings() const {
    std::string text;
    for (const auto& [ending, count] : endings_)
        text += (text.empty() ? "games ended by " : ", ") + std::string(code_of(ending)) + ' ' +
                std::string(describe(ending)) + ' ' + std::to_string(count);
    if (!text.empty()) print_line(text);
}

}  // namespace defiance
