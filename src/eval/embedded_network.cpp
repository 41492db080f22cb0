#include <defiance/eval/embedded_network.hpp>

#include <defiance/base/assert.hpp>
#include <defiance/base/include_bytes.hpp>

#include DEFIANCE_GAME_HEADER

#ifdef DEFIANCE_INCLUDE_BYTES

// The data of a game is named after it: several games may be in one program.
#define DEFIANCE_NETWORK_TEXT_OF(x) #x
#define DEFIANCE_NETWORK_TEXT(x) DEFIANCE_NETWORK_TEXT_OF(x)
#define DEFIANCE_NETWORK_NAME "defiance_network_" DEFIANCE_NETWORK_TEXT(DEFIANCE_GAME)

DEFIANCE_INCLUDE_BYTES(DEFIANCE_NETWORK_NAME, DEFIANCE_NETWORK);

extern "C" {
extern const std::uint8_t defiance_network_begin[] __asm__(DEFIANCE_NETWORK_NAME);
extern const std::uint8_t defiance_network_end[] __asm__(DEFIANCE_NETWORK_NAME "_end");
}

#else

static constexpr std::uint8_t defiance_network_begin[] = {
#include "network.inc"
};
static constexpr const std::uint8_t* defiance_network_end =
    defiance_network_begin + sizeof(defiance_network_begin);

#endif

namespace defiance {

template <class Rules>
const Network& embedded_network() {
    static const Network network = [] {
        // Of any game: a new one begins with the network of another, until it has its own.
        Result<NetworkParameters> parameters =
            parse_network({defiance_network_begin, defiance_network_end});
        DEFIANCE_ASSERT(parameters);
        return Network(*std::move(parameters));
    }();
    return network;
}

template const Network& embedded_network<DEFIANCE_GAME>();

}  // namespace defiance
