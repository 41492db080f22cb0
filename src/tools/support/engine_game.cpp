#include <tools/support/engine_game.hpp>

namespace defiance {

int game_type_of(const EngineDll& engine) {
    const EngineReply reply = engine.command("get gametype");
    const auto number = reply.code != 0 ? parse_integer(reply.text, 0, 1000) : std::nullopt;
    return number ? static_cast<int>(*number) : English::game_type;
}

}  // namespace defiance
