#include <tools/match/ending.hpp>

#include <array>
#include <cstddef>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

struct EndingText {
    Ending ending;
    std::string_view code;
    std::string_view words;
};
constexpr std::array endings = {
    EndingText{Ending::no_move, "L1", "no move left"},
    EndingText{Ending::illegal_move, "L2", "no legal move"},
    EndingText{Ending::gone, "L3", "the player has gone"},
    EndingText{Ending::too_late, "L4", "out of time"},
    EndingText{Ending::unasked_output, "L5", "unasked output"},
    EndingText{Ending::too_large, "L6", "out of memory"},
    EndingText{Ending::repetition, "D1", "repetition"},
    EndingText{Ending::no_progress, "D2", "no progress"},
    EndingText{Ending::too_long, "D3", "too long"},
    EndingText{Ending::law, "D4", "law of the game"},
    EndingText{Ending::adjudicated, "D5", "adjudicated"},
    EndingText{Ending::aborted, "abort", "aborted"},
};

const EndingText& text_of(Ending ending) {
    const EndingText& text = endings[static_cast<std::size_t>(ending)];
    DEFIANCE_ASSERT(text.ending == ending);
    return text;
}

}  // namespace

std::string_view code_of(Ending ending) {
    return text_of(ending).code;
}

std::string_view describe(Ending ending) {
    return text_of(ending).words;
}

bool is_fault(Ending ending) {
    switch (ending) {
        case Ending::illegal_move:
        case Ending::gone:
        case Ending::too_late:
        case Ending::unasked_output:
        case Ending::too_large:
            return true;
        default:
            return false;
    }
}

std::optional<Ending> parse_ending(std::string_view code) {
    for (const EndingText& text : endings)
        if (text.code == code) return text.ending;
    return std::nullopt;
}

}  // namespace defiance
