#include <defiance/book/book_choice.hpp>

#include <algorithm>
#include <vector>

#include <defiance/base/assert.hpp>

namespace defiance {

std::vector<BookMove> playable_book_moves(std::span<const BookMove> moves, BookUse use) {
    if (moves.empty() || use == BookUse::none) return {};
    const auto is_supported = [](const BookMove& m) { return m.support >= min_support; };
    // Of equals one with support, as there would be none to play otherwise; of those the first, the
    // deepest.
    const auto best =
        std::max_element(moves.begin(), moves.end(), [&](const BookMove& a, const BookMove& b) {
            return a.score != b.score ? a.score < b.score : !is_supported(a) && is_supported(b);
        });
    if (use == BookUse::best)
        return is_supported(*best) ? std::vector<BookMove>{*best} : std::vector<BookMove>{};
    const bool is_any = use == BookUse::any_sound;
    const BookScore least = best->score - (is_any ? sound_margin : good_margin);
    std::vector<BookMove> playable;
    for (const BookMove& m : moves)
        if (m.score >= least && (is_any || is_supported(m))) playable.push_back(m);
    return playable;
}

BookUse most_careful_use(std::span<const BookMove> moves, const BookMove& move) {
    for (const BookUse use : {BookUse::best, BookUse::good, BookUse::any_sound}) {
        const std::vector<BookMove> playable = playable_book_moves(moves, use);
        if (std::find(playable.begin(), playable.end(), move) != playable.end()) return use;
    }
    return BookUse::none;
}

std::optional<BookMove> choose_book_move(std::span<const BookMove> moves, BookUse use,
                                         Random& random, const MovePermission& may_play) {
    std::vector<BookMove> playable = playable_book_moves(moves, use);
    if (playable.empty()) return std::nullopt;
    const auto keep_permitted = [&] {
        std::erase_if(playable, [&](const BookMove& m) { return may_play && !may_play(m.move); });
    };
    keep_permitted();
    if (playable.empty() && use == BookUse::best) {
        playable = playable_book_moves(moves, BookUse::good);
        keep_permitted();
    }
    if (playable.empty()) return std::nullopt;
    if (use != BookUse::best) return playable[random.below(playable.size())];
    return *std::max_element(
        playable.begin(), playable.end(),
        [](const BookMove& a, const BookMove& b) { return a.score < b.score; });
}

}  // namespace defiance
