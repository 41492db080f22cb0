#include <tools/match/player.hpp>

#include <utility>

namespace defiance {

Turn faulty_turn(Ending fault, std::string detail) {
    Turn turn;
    turn.fault = fault;
    turn.detail = std::move(detail);
    return turn;
}

}  // namespace defiance
