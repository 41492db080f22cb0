#include <defiance/tools/games.hpp>

#include <defiance/base/text.hpp>

namespace defiance {

std::string_view game_word(const Arguments& arguments) {
    return arguments.text("game").value_or(English::file_word);
}

std::string describe_missing_game(std::string_view word) {
    std::string text = "--game: '" + shown(word) + "' is not built into this program; it knows";
    for_each_game(BuiltGames{},
                  [&]<class Rules>() { text += ' ' + std::string(Rules::file_word); });
    return text;
}

std::string find_problem(const Position& position) {
    const auto fault = find_fault(position);
    if (!fault || *fault == PositionFault::no_black || *fault == PositionFault::no_white) return {};
    return "the position has " + std::string(describe(*fault));
}

}  // namespace defiance
