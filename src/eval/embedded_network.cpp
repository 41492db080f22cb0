#include <defiance/eval/embedded_network.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

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

static const std::uint8_t defiance_network_begin[] = {
#include "network.inc"
};
static constexpr const std::uint8_t* defiance_network_end =
    defiance_network_begin + sizeof(defiance_network_begin);

#endif

namespace defiance {
namespace {

/// Ends the program: a build with a network that it cannot read is of no use, and whoever calls the
/// engine can do nothing about it.
[[noreturn]] void give_up(std::string_view game, const std::string& problem) {
    const std::string message = "defiance: the built-in network of " + std::string(game) +
                                " cannot be read: " + problem + '\n';
    std::fputs(message.c_str(), stderr);
    std::abort();
}

}  // namespace

template <class Rules>
const Network& embedded_network() {
    static const Network network = [] {
        // Of any game: a new one begins with the network of another, until it has its own.
        Result<NetworkParameters> parameters =
            parse_network({defiance_network_begin, defiance_network_end});
        if (!parameters) give_up(Rules::name, parameters.error());
        return Network(*std::move(parameters));
    }();
    return network;
}

template const Network& embedded_network<DEFIANCE_GAME>();

}  // namespace defiance
