#include <tools/book/book_experience.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <defiance/base/assert.hpp>
#include <defiance/book/book_choice.hpp>
#include <defiance/rules/game.hpp>

namespace defiance {
namespace {

/// How far apart lines with the same move end, in hundredths of a man: the larger, the more is
/// tried that does not look best.
constexpr double spread = 10;

/// So many searches of the opponent's moves in a position stand for what he does there.
constexpr int enough_replies = 6;

/// A move found beyond the book is doubted when its lines went by so much worse than its search
/// promised, in hundredths of a man.
constexpr double doubt = 5;
/// More moves than this are not looked for in a position beyond the book.
constexpr std::size_t max_found = 4;

/// A move found beyond the book gets into it when so many lines went on with it.
constexpr std::int32_t min_lines = 2;

/// A move with fewer lines than this part of those of another does not rise above it: the best of
/// many means of few lines is mostly luck.
constexpr std::int32_t enough_part = 3;

/// About the standard normal distribution: a sum of twelve even ones.
double draw_normal(Random& random) {
    constexpr std::uint64_t steps = 1U << 20;
    double sum = -6;
    for (int i = 0; i < 12; ++i)
        sum += static_cast<double>(random.below(steps)) / static_cast<double>(steps);
    return sum;
}

/// The same move where black is to move.
Move seen_by_mover(const Position& position, const Move& move) {
    return position.side == Side::white ? turned(move) : move;
}

std::uint8_t support_of(std::int32_t lines) {
    return static_cast<std::uint8_t>(
        std::clamp<std::int32_t>(lines, min_support, BookMove::max_support));
}

}  // namespace

void BookExperience::add(const PracticeLine& line) {
    DEFIANCE_ASSERT(std::abs(line.value) <= practice_limit);
    Position position = line.root;
    for (const PracticeMove& played : line.moves) {
        DEFIANCE_ASSERT(is_legal(book_.rules(), position, played.move));
        const Position seen = with_black_to_move(position);
        PracticeMove mine = played;
        mine.move = seen_by_mover(position, played.move);
        // Where there is no choice nothing is learned.
        MoveList legal;
        book_.rules().generate_moves(position, legal);
        if (legal.size() > 1 && position.side == line.learner) add_trial(seen, mine, line.value);
        if (legal.size() > 1 && position.side != line.learner) add_reply(seen, mine.move);
        position = book_.rules().after(position, played.move);
    }
}

void BookExperience::add_trial(const Position& seen, const PracticeMove& played, int value) {
    std::vector<Trial>& trials = trials_[seen];
    auto trial = std::find_if(trials.begin(), trials.end(),
                              [&](const Trial& t) { return t.move == played.move; });
    if (trial == trials.end()) {
        Trial first;
        first.move = played.move;
        first.is_found = true;
        first.prior = played.score.value_or(0);
        first.depth = played.depth;
        if (!played.score)
            for (const BookMove& m : book_.find(seen))
                if (m.move == played.move) {
                    first.is_found = false;
                    first.prior = std::clamp(m.score, -practice_limit, practice_limit);
                }
        trial = trials.insert(trials.end(), first);
    }
    ++trial->lines;
    trial->sum += value;
}

void BookExperience::add_reply(const Position& seen, const Move& move) {
    std::vector<Reply>& replies = replies_[seen];
    const auto same = std::find_if(replies.begin(), replies.end(),
                                   [&](const Reply& r) { return r.move == move; });
    if (same == replies.end())
        replies.push_back({move, 1});
    else
        ++same->times;
}

/// The moves to try in a position: those that were tried, and all of the book that have enough
/// support, as those that look good may turn out badly.
std::vector<BookExperience::Trial> BookExperience::trials_in(const Position& seen) const {
    std::vector<Trial> trials;
    if (const auto known = trials_.find(seen); known != trials_.end()) trials = known->second;
    for (const BookMove& m : book_.find(seen)) {
        if (m.support < min_support || std::abs(m.score) > practice_limit) continue;
        const bool is_tried = std::any_of(trials.begin(), trials.end(),
                                          [&](const Trial& t) { return t.move == m.move; });
        if (is_tried) continue;
        Trial trial;
        trial.move = m.move;
        trial.depth = m.depth;
        trial.prior = m.score;
        trials.push_back(trial);
    }
    return trials;
}

std::optional<Move> BookExperience::draw_move(const Position& position, Random& random) const {
    const std::vector<Trial> trials = trials_in(with_black_to_move(position));
    if (trials.empty()) return std::nullopt;
    const bool all_found =
        std::all_of(trials.begin(), trials.end(), [](const Trial& t) { return t.is_found; });
    const bool all_doubted = std::all_of(trials.begin(), trials.end(), [&](const Trial& t) {
        return t.mean() < trials.front().prior - doubt;
    });
    MoveList legal;
    book_.rules().generate_moves(position, legal);
    if (all_found && all_doubted && trials.size() < std::min(max_found, legal.size()))
        return std::nullopt;
    const Trial* drawn = nullptr;
    double highest = 0;
    for (const Trial& trial : trials) {
        const double worth =
            trial.mean() + draw_normal(random) * spread / std::sqrt(trial.weight());
        if (drawn != nullptr && worth <= highest) continue;
        drawn = &trial;
        highest = worth;
    }
    return seen_by_mover(position, drawn->move);
}

std::vector<Move> BookExperience::moves_found(const Position& position) const {
    std::vector<Move> moves;
    if (const auto known = trials_.find(with_black_to_move(position)); known != trials_.end())
        for (const Trial& trial : known->second)
            moves.push_back(seen_by_mover(position, trial.move));
    return moves;
}

std::optional<Move> BookExperience::draw_reply(const Position& position, Random& random) const {
    const auto known = replies_.find(with_black_to_move(position));
    if (known == replies_.end()) return std::nullopt;
    int times = 0;
    for (const Reply& reply : known->second)
        times += reply.times;
    if (times < enough_replies) return std::nullopt;
    int left = random.below(times);
    const auto drawn = std::find_if(known->second.begin(), known->second.end(),
                                    [&](const Reply& reply) { return (left -= reply.times) < 0; });
    DEFIANCE_ASSERT(drawn != known->second.end());
    return seen_by_mover(position, drawn->move);
}

/// No move that was tried little is better than the best of those that were tried often. Moves that
/// were not tried keep the scores of their searches.
void BookExperience::keep_below_well_tried(BookPosition& entry, const std::vector<Trial>& trials) {
    std::int32_t most = 0;
    for (const Trial& trial : trials)
        most = std::max(most, trial.lines);
    if (most < enough_part) return;
    const auto is_well_tried = [&](const Trial& t) { return t.lines * enough_part >= most; };
    BookScore best = -practice_limit;
    for (const Trial& trial : trials)
        if (is_well_tried(trial)) best = std::max(best, trial.score());
    for (const Trial& trial : trials) {
        if (is_well_tried(trial)) continue;
        for (BookMove& m : entry.moves)
            if (m.move == trial.move) m.score = std::min(m.score, best - 1);
    }
}

/// The entry with what was learned in its position.
BookPosition BookExperience::improved(const Position& seen, BookPosition entry) const {
    const auto known = trials_.find(seen);
    if (known == trials_.end()) return entry;
    for (const Trial& trial : known->second) {
        const BookScore score = trial.score();
        const auto same = std::find_if(entry.moves.begin(), entry.moves.end(),
                                       [&](const BookMove& m) { return m.move == trial.move; });
        if (!trial.is_found) {
            DEFIANCE_ASSERT(same != entry.moves.end());
            same->score = score;
        } else if (trial.lines >= min_lines) {
            // The search that found it, longer than those of the book, preferred it to the others.
            for (BookMove& m : entry.moves)
                m.score = std::min(m.score, static_cast<BookScore>(trial.prior));
            const BookMove learned{trial.move, score, trial.depth, support_of(trial.lines)};
            if (same != entry.moves.end())
                *same = learned;
            else
                entry.moves.push_back(learned);
        }
    }
    keep_below_well_tried(entry, known->second);
    return entry;
}

Result<std::vector<BookPosition>> BookExperience::positions() const {
    std::vector<BookPosition> positions;
    std::unordered_set<Position, PositionHash> in_book;
    const auto error = book_.for_each([&](const BookPosition& entry) {
        in_book.insert(entry.position);
        positions.push_back(improved(entry.position, entry));
        return true;
    });
    if (error) return *error;
    for (const auto& known : trials_) {
        const Position& seen = known.first;
        if (in_book.contains(seen)) continue;
        BookPosition entry = improved(seen, {seen, {}});
        if (!entry.moves.empty()) positions.push_back(std::move(entry));
    }
    return positions;
}

}  // namespace defiance
