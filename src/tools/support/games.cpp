#include <tools/support/games.hpp>

#include <defiance/base/text.hpp>

namespace defiance {

std::string_view game_word(const Arguments& arguments) {
    return arguments.text("game").value_or(English::file_word);
}

std::string describe_missing_game(std::string_view word, std::string_view known) {
    return "--game: '" + shown(word) + "' is not built into this program; it knows" +
           std::string(known);
}

std::string find_problem(const Position& position) {
    const auto fault = find_fault(position);
    if (!fault || *fault == PositionFault::no_black || *fault == PositionFault::no_white) return {};
    return "the position has " + std::string(describe(*fault));
}

}  // namespace defiance
