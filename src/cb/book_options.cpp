#include <cstdint>
#include <string>

#include <defiance/base/text.hpp>
#include <defiance/cb/checkerboard_engine.hpp>

#include "reply.hpp"

namespace defiance {

Reply CheckerBoardEngine::set_book(std::string_view text) {
    const auto use = parse_integer(text, 0, max_book_use);
    if (!use)
        return refused(
            "book takes 0 (none), 1 (any sound move), 2 (good moves) or 3 (the best move)");
    engine_.set_book(static_cast<BookUse>(*use));
    return done("book " + std::to_string(*use));
}

Reply CheckerBoardEngine::set_book_seed(std::string_view text) {
    const auto seed = parse_integer(text, 0, INT64_MAX);
    if (!seed) return refused("bookseed takes a whole number");
    engine_.set_book_seed(static_cast<std::uint64_t>(*seed));
    return done("bookseed " + std::to_string(*seed));
}

}  // namespace defiance
