#include <cstdint>
#include <string>

#include <defiance/base/encoding.hpp>
#include <defiance/base/text.hpp>
#include <defiance/cb/checkerboard_engine.hpp>

namespace defiance {

Reply CheckerBoardEngine::set_book(std::string_view text) {
    const auto use = parse_integer(text, 0, max_book_use);
    if (!use)
        return refused(
            "book takes 0 (none), 1 (any sound move), 2 (good moves) or 3 (the best move)");
    engine_.set_book(static_cast<BookUse>(*use));
    return done("book " + std::to_string(*use));
}

Reply CheckerBoardEngine::set_book_file(std::string_view text) {
    if (ansi_from_utf8(text).size() > max_option_path)
        return refused("bookfile takes a path of at most " + std::to_string(max_option_path) +
                       " characters");
    // CheckerBoard sends back the ANSI text it was given, which may have lost characters; the
    // option is then unchanged.
    const std::string shown = ansi_from_utf8(path_shown(engine_.book_file()));
    if (!text.empty() && text == utf8_from_ansi(shown))
        return done("bookfile " + std::string(text));
    const Result<std::string> taken = engine_.set_book_file(std::string(text));
    if (!taken) return refused("bookfile: " + taken.error());
    return done("bookfile " + std::string(text));
}

Reply CheckerBoardEngine::set_book_seed(std::string_view text) {
    const auto seed = parse_integer(text, 0, INT64_MAX);
    if (!seed) return refused("bookseed takes a whole number");
    engine_.set_book_seed(static_cast<std::uint64_t>(*seed));
    return done("bookseed " + std::to_string(*seed));
}

}  // namespace defiance
