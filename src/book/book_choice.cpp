#include <defiance/book/book_choice.hpp>

#include <algorithm>
#include <vector>

#include <defiance/base/assert.hpp>

namespace defiance {

std::optional<BookMove> choose_book_move(std::span<const BookMove> moves, BookUse use,
                                         Random& random) {
    if (moves.empty() || use == BookUse::none) return std::nullopt;
    const auto best =
        std::max_element(moves.begin(), moves.end(),
                         [](const BookMove& a, const BookMove& b) { return a.score < b.score; });
    if (use == BookUse::best) {
        // The first of equals: the deepest.
        return best->support >= min_support ? std::optional(*best) : std::nullopt;
    }
    const bool is_any = use == BookUse::any_sound;
    const BookScore least = best->score - (is_any ? sound_margin : good_margin);
    std::vector<BookMove> candidates;
    for (const BookMove& m : moves)
        if (m.score >= least && (is_any || m.support >= min_support)) candidates.push_back(m);
    if (candidates.empty()) return std::nullopt;
    DEFIANCE_ASSERT(candidates.size() <= moves.size());
    return candidates[random.below(candidates.size())];
}

}  // namespace defiance
