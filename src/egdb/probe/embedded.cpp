#include <defiance/base/include_bytes.hpp>
#include <defiance/egdb/endgames.hpp>

#include DEFIANCE_GAME_HEADER

#if defined(DEFIANCE_ENDGAME_VALUES) && defined(DEFIANCE_INCLUDE_BYTES)

// The data of a game is named after it: several games may be in one program.
#define DEFIANCE_TEXT_OF(x) #x
#define DEFIANCE_TEXT(x) DEFIANCE_TEXT_OF(x)
#define DEFIANCE_NAME(what) "defiance_endgame_" what "_" DEFIANCE_TEXT(DEFIANCE_GAME)

DEFIANCE_INCLUDE_BYTES(DEFIANCE_NAME("values"), DEFIANCE_ENDGAME_VALUES);
DEFIANCE_INCLUDE_BYTES(DEFIANCE_NAME("plies"), DEFIANCE_ENDGAME_PLIES);

namespace defiance {
namespace {

extern "C" {
extern const std::uint8_t values_begin[] __asm__(DEFIANCE_NAME("values"));
extern const std::uint8_t values_end[] __asm__(DEFIANCE_NAME("values") "_end");
extern const std::uint8_t plies_begin[] __asm__(DEFIANCE_NAME("plies"));
extern const std::uint8_t plies_end[] __asm__(DEFIANCE_NAME("plies") "_end");
}

}  // namespace

template <class Rules>
std::vector<std::span<const std::uint8_t>> embedded_databases() {
    return {{values_begin, static_cast<std::size_t>(values_end - values_begin)},
            {plies_begin, static_cast<std::size_t>(plies_end - plies_begin)}};
}

#elif defined(DEFIANCE_ENDGAME_VALUES)

namespace defiance {
namespace {

const std::uint8_t values[] = {
#include "endgame_values.inc"
};
const std::uint8_t plies[] = {
#include "endgame_plies.inc"
};

}  // namespace

template <class Rules>
std::vector<std::span<const std::uint8_t>> embedded_databases() {
    return {values, plies};
}

#else

namespace defiance {

template <class Rules>
std::vector<std::span<const std::uint8_t>> embedded_databases() {
    return {};
}

#endif

template std::vector<std::span<const std::uint8_t>> embedded_databases<DEFIANCE_GAME>();

}  // namespace defiance
