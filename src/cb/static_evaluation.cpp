#include <cstddef>
#include <string>
#include <vector>

#include <defiance/base/text.hpp>
#include <defiance/cb/checkerboard_engine.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>

#include "reply.hpp"

namespace defiance {

/// The value of a position, and for each piece the value without it.
Reply CheckerBoardEngine::static_evaluation(std::string_view fen) {
    const Result<Position> position = parse_fen(rules_, fen);
    if (!position) return refused("staticevaluation: " + position.error());
    // CheckerBoard shows the answer to the user only when the command succeeds.
    if (const auto fault = find_fault(*position))
        return done("staticevaluation: " + std::string(describe(*fault)));
    std::vector<Position> positions = {*position};
    std::vector<std::string> lacks;  // what each of the others lacks
    for (const Side side : {Side::black, Side::white})
        for (int number = 1; number <= 32; ++number) {
            const Bitboard piece = bit(rules_.index(number));
            if ((position->pieces(side) & piece) == 0) continue;
            const Position without = {position->black & ~piece, position->white & ~piece,
                                      position->kings & ~piece, position->side};
            if (without.pieces(side) == 0) continue;
            positions.push_back(without);
            lacks.push_back(std::string(side == Side::black ? "black" : "white") +
                            ((position->kings & piece) != 0 ? " king " : " man ") +
                            std::to_string(number));
        }
    const std::vector<Score> values = engine_.evaluate(positions);
    std::string text = "value=" + with_sign(in_centimen(values[0])) + " for " +
                       (position->side == Side::black ? "black" : "white") +
                       ", who is to move (1/100 man)\n\nthe value without";
    for (std::size_t i = 0; i < lacks.size(); ++i)
        text += '\n' + lacks[i] + ": " + with_sign(in_centimen(values[i + 1]));
    return done(text);
}

}  // namespace defiance
