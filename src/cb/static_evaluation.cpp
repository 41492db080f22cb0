#include <string>

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
    const Score value = engine_.evaluate(*position);
    std::string text = "value=" + with_sign(in_centimen(value)) + " for " +
                       (position->side == Side::black ? "black" : "white") +
                       ", who is to move (1/100 man)\n\nthe value without";
    for (const Side side : {Side::black, Side::white})
        for (int number = 1; number <= 32; ++number) {
            const Bitboard piece = bit(rules_.index(number));
            if ((position->pieces(side) & piece) == 0) continue;
            const Position without = {position->black & ~piece, position->white & ~piece,
                                      position->kings & ~piece, position->side};
            if (without.pieces(side) == 0) continue;
            text += std::string("\n") + (side == Side::black ? "black" : "white") +
                    ((position->kings & piece) != 0 ? " king " : " man ") + std::to_string(number) +
                    ": " + with_sign(in_centimen(engine_.evaluate(without)));
        }
    return done(text);
}

}  // namespace defiance
