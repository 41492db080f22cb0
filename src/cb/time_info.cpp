#include <defiance/cb/time_info.hpp>

#include <array>
#include <cstdint>

namespace defiance {

TimeControl read_time(double maxtime, int info, int moreinfo) {
    constexpr int exact_bit = 2;
    constexpr double endless_seconds = 1e6;
    constexpr std::array<double, 4> units = {0, 0.001, 0.01, 0.1};
    const double unit = units[static_cast<std::uint32_t>(info) >> 2 & 3U];
    if (unit > 0) {
        const auto more = static_cast<std::uint32_t>(moreinfo);
        return {Pace::increment, maxtime, (more >> 16) * unit, (more & 0xFFFFU) * unit};
    }
    if (maxtime >= endless_seconds) return {Pace::endless, maxtime, 0, 0};
    if (!(maxtime > 0)) return {Pace::at_once, 0, 0, 0};
    return {(info & exact_bit) != 0 ? Pace::exact : Pace::average, maxtime, 0, 0};
}

}  // namespace defiance
