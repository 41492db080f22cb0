#include <tools/check/positions.hpp>

#include <algorithm>
#include <array>

#include <defiance/base/assert.hpp>
#include <defiance/base/random.hpp>
#include <defiance/cb/api.hpp>

namespace defiance {
namespace {

constexpr std::size_t longest_walk = 100;

std::ptrdiff_t kings_on(const CbBoard& board) {
    std::ptrdiff_t kings = 0;
    for (const auto& column : board.squares)
        kings += std::count_if(std::begin(column), std::end(column),
                               [](int code) { return (code & cb_king) != 0; });
    return kings;
}

/// What makes a position worth a check of its own.
struct Features {
    bool capture = false;
    bool long_capture = false;
    bool promotion = false;
    bool king = false;
};

Features features_of(const CbGame& game) {
    const std::vector<LegalMove> moves = game.legal_moves();
    const Position& position = game.position();
    Features features;
    features.king = (position.own() & position.kings) != 0;
    for (const LegalMove& move : moves) {
        features.capture |= move.jumps > 0;
        features.long_capture |= move.jumps > 1;
        features.promotion |= kings_on(move.board) > kings_on(to_cb_board(position));
    }
    return features;
}

/// Plays random games and calls `visit` after each move until that returns false.
template <class Visit>
void visit_random_games(const GameRules& rules, Visit visit) {
    std::uint64_t seed = 1;
    for (;;) {
        CbGame game(rules);
        while (game.has_move() && game.plies() < longest_walk) {
            play_random_move(game, seed);
            if (game.has_move() && !visit(game)) return;
        }
    }
}

}  // namespace

bool has_capture(const CbGame& game) {
    const std::vector<LegalMove> moves = game.legal_moves();
    return !moves.empty() && moves[0].jumps > 0;
}

void play_random_move(CbGame& game, std::uint64_t& seed) {
    const std::vector<LegalMove> moves = game.legal_moves();
    DEFIANCE_ASSERT(!moves.empty());
    seed = Random(seed).next();
    game.play_board(moves[static_cast<std::size_t>(seed % moves.size())].board);
}

std::vector<Position> random_positions(const GameRules& rules, std::size_t count) {
    DEFIANCE_ASSERT(count != 0);
    std::vector<Position> positions;
    visit_random_games(rules, [&](const CbGame& game) {
        // Successive positions of a game are too similar.
        if (game.plies() % 3 == 0) positions.push_back(game.position());
        return positions.size() < count;
    });
    return positions;
}

std::vector<Position> varied_positions(const GameRules& rules) {
    constexpr int of_each = 2;
    constexpr int max_positions = 5000;
    std::vector<Position> positions = {rules.start_position()};
    std::array<int, 4> missing = {of_each, of_each, of_each, of_each};
    int left = max_positions;
    visit_random_games(rules, [&](const CbGame& game) {
        const Features f = features_of(game);
        DEFIANCE_ASSERT(f.capture || !f.long_capture);
        const std::array has = {f.capture, f.long_capture, f.promotion, f.king};
        for (std::size_t i = 0; i < has.size(); ++i) {
            if (!has[i] || missing[i] == 0) continue;
            --missing[i];
            positions.push_back(game.position());
            break;
        }
        return missing != std::array<int, 4>{} && --left > 0;
    });
    return positions;
}

Position unforced_position(const GameRules& rules) {
    constexpr std::size_t early = 6;
    constexpr std::size_t choice = 6;
    Position found = rules.start_position();
    visit_random_games(rules, [&](const CbGame& game) {
        const bool fits =
            game.plies() == early && game.legal_moves().size() >= choice && !has_capture(game);
        if (fits) found = game.position();
        return !fits;
    });
    return found;
}

}  // namespace defiance
