#include <tools/book/game_counts.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

/// The advantage in hundredths of a man that makes one expect so many points of each game.
BookScore score_of_results(std::uint32_t games, std::uint64_t half_points) {
    // Two drawn games are added, so that a few results say little.
    constexpr double added_games = 2;
    constexpr double scale = 100;
    const double expected = (static_cast<double>(half_points) / 2 + added_games / 2) /
                            (static_cast<double>(games) + added_games);
    DEFIANCE_ASSERT(expected > 0 && expected < 1);
    return static_cast<BookScore>(std::lround(scale * std::log(expected / (1 - expected))));
}

/// The result of a game; empty when there is none. Files may end each game with `*`, which then
/// only parts it from the next one, and tell the result in the tag.
std::string_view result_of(const PdnGame& game) {
    if (!game.result.empty() && game.result != "*") return game.result;
    return game.tag("Result").value_or(std::string_view{});
}

/// Where a game begins; nothing when no book can hold that position.
std::optional<Position> start_of(const GameRules& rules, const PdnGame& game) {
    const auto fen = game.tag("FEN");
    if (!fen) return rules.start_position();
    const Result<Position> start = read_position(rules, *fen);
    if (!start || find_fault(*start)) return std::nullopt;
    return *start;
}

}  // namespace

void GameCounts::add_move(const Position& position, const Move& move, int half_points) {
    const bool is_white = position.side == Side::white;
    const Position seen = with_black_to_move(position);
    const auto found = counts_.find(seen);
    if (found == counts_.end() && counts_.size() >= most_positions_) {
        ++moves_left_out_;
        return;
    }
    auto& counts = found == counts_.end() ? counts_[seen] : found->second;
    const Move as_black = is_white ? turned(move) : move;
    auto count = std::find_if(counts.begin(), counts.end(),
                              [&](const Count& c) { return c.move == as_black; });
    if (count == counts.end()) count = counts.insert(counts.end(), {as_black, 0, 0});
    ++count->games;
    count->half_points += static_cast<std::uint64_t>(half_points);
}

void GameCounts::add_games(std::string_view pdn, const std::function<void(double)>& note_part) {
    PdnReader reader(pdn);
    while (const auto game = reader.next()) {
        ++games_;
        if (note_part && !game->moves.empty())
            note_part(static_cast<double>(game->moves.back().text.data() - pdn.data()) /
                      static_cast<double>(pdn.size()));
        const auto type = game->tag("GameType");
        if (type && !names_game(*type, rules_)) {
            if (of_other_games_++ == 0) other_game_type_ = *type;
        } else if (!add_game(*game))
            ++faults_;
    }
}

bool GameCounts::add_game(const PdnGame& game) {
    const auto start = start_of(rules_, game);
    if (!start) return false;
    const std::string_view result = result_of(game);
    const std::optional<int> half_points = half_points_of_first(result);
    if (!half_points && !result.empty() && result != "*" && result != "?") ++unknown_results_;
    const int of_first = half_points.value_or(1);
    Position position = *start;
    std::size_t ply = 0;
    for (const PdnMove& text : game.moves) {
        if (ply++ == plies_) break;
        const Result<Move> move = parse_move(rules_, position, text.text);
        if (!move) return false;
        const bool is_first = position.side == rules_.first_side;
        add_move(position, *move, is_first ? of_first : 2 - of_first);
        position = rules_.after(position, *move);
    }
    return true;
}

std::vector<BookPosition> GameCounts::positions(std::uint32_t least_games) const {
    std::vector<BookPosition> all;
    for (const auto& [position, counts] : counts_) {
        BookPosition entry{position, {}};
        for (const Count& c : counts) {
            if (c.games < least_games) continue;
            // What the score rests on, and how many games went on with the move.
            const auto games =
                static_cast<std::uint8_t>(std::min(c.games, std::uint32_t{BookMove::max_support}));
            entry.moves.push_back({c.move, score_of_results(c.games, c.half_points), games, games});
        }
        if (!entry.moves.empty()) all.push_back(std::move(entry));
    }
    return all;
}

}  // namespace defiance
