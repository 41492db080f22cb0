#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <defiance/base/random.hpp>

namespace defiance {

/// The text with a few bytes changed, left out, put in or repeated.
inline std::string mutated(std::string text, Random& random) {
    for (std::uint64_t changes = random.below(6U); changes > 0 && !text.empty(); --changes) {
        const std::size_t at = random.below(text.size());
        const std::size_t count = 1 + random.below(std::size_t{20});
        switch (random.below(6)) {
            case 0:
                text[at] = static_cast<char>(random.below(256));
                break;
            case 1:
                text[at] = "\r\n:,;% 019afDR-+*$"[random.below(18)];
                break;
            case 2:
                text.erase(at, count);
                break;
            case 3:
                text.insert(at, text.substr(random.below(text.size()), count));
                break;
            case 4:
                text[at] = static_cast<char>(text[at] ^ 1 << random.below(8));
                break;
            default:
                text.resize(at);
                break;
        }
    }
    return text;
}

}  // namespace defiance
