#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <defiance/base/random.hpp>
#include <defiance/book/opening_book.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// A move of a practice line.
struct PracticeMove {
    Move move;
    /// What a search thought of it, for a move of the learner that is not in the book: hundredths
    /// of a man for the learner, within +-practice_limit.
    std::optional<std::int16_t> score;
    std::uint8_t depth = 0;  ///< of that search
};

/// The beginning of a game, in which one side learns which moves of the book to play.
struct PracticeLine {
    Position root;
    Side learner = Side::black;
    std::vector<PracticeMove> moves;
    /// What its last position is worth for the learner, in hundredths of a man, within
    /// +-practice_limit.
    int value = 0;
};

/// A man more is as good as won: lines do not score more than that.
inline constexpr int practice_limit = 100;

/// How lines of play went on from the positions of a book: what is learned from them.
///
/// What a move is worth is taken as known from searches with the weight of two lines; each line
/// through it counts as one more. Moves to try are drawn by what they may be worth (Thompson
/// sampling: Thompson, On the Likelihood that One Unknown Probability Exceeds Another, 1933).
///
/// Constant members may be called by several threads at once.
class BookExperience {
public:
    /// `book` must outlive this.
    explicit BookExperience(const OpeningBook& book) : book_(book) {}

    /// Counts a line, whose moves are legal.
    void add(const PracticeLine& line);

    /// The move for the learner to try next; nothing where a search has to find one.
    [[nodiscard]] std::optional<Move> draw_move(const Position& position, Random& random) const;

    /// The moves that searches found before in a position beyond the book: one to find now must be
    /// another.
    [[nodiscard]] std::vector<Move> moves_found(const Position& position) const;

    /// One of the replies that the opponent of the learner gave in this position; nothing while
    /// these are too few to stand for what he does.
    [[nodiscard]] std::optional<Move> draw_reply(const Position& position, Random& random) const;

    /// The positions of the book with what was learned: the scores of moves that were tried and
    /// moves found beyond the book that were tried again. Error: the book is damaged.
    [[nodiscard]] Result<std::vector<BookPosition>> positions() const;

private:
    /// A move of the learner, and how its lines went.
    struct Trial {
        Move move;
        std::uint8_t depth = 0;
        bool is_found = false;  // by a search, not in the book
        std::int32_t prior = 0;
        std::int32_t lines = 0;
        std::int32_t sum = 0;

        [[nodiscard]] std::int32_t weight() const { return prior_weight + lines; }
        [[nodiscard]] double mean() const {
            return static_cast<double>(prior * prior_weight + sum) / weight();
        }
        [[nodiscard]] BookScore score() const {
            return static_cast<BookScore>(std::lround(mean()));
        }
    };
    struct Reply {
        Move move;
        int times = 0;
    };

    static constexpr std::int32_t prior_weight = 2;

    // Positions have black to move.
    using Trials = std::unordered_map<Position, std::vector<Trial>, PositionHash>;
    using Replies = std::unordered_map<Position, std::vector<Reply>, PositionHash>;

    void add_trial(const Position& seen, const PracticeMove& played, int value);
    void add_reply(const Position& seen, const Move& move);
    [[nodiscard]] std::vector<Trial> trials_in(const Position& seen) const;
    static void keep_below_well_tried(BookPosition& entry, const std::vector<Trial>& trials);
    [[nodiscard]] BookPosition improved(const Position& seen, BookPosition entry) const;

    const OpeningBook& book_;
    Trials trials_;
    Replies replies_;
};

}  // namespace defiance
