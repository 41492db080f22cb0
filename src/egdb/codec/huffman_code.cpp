#include "huffman_code.hpp"

#include <algorithm>

namespace defiance {

std::optional<HuffmanCode::Opened> HuffmanCode::open(std::span<const std::uint8_t> bytes) {
    if (bytes.empty() || bytes[0] > max_symbols || bytes.size() - 1 < bytes[0]) return std::nullopt;
    const auto lengths = bytes.subspan(1, bytes[0]);
    HuffmanCode code;
    std::size_t with_word = 0;
    std::uint32_t taken = 0;  // of all words of the greatest length
    for (std::size_t length = 1; length <= max_length; ++length)
        for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
            if (lengths[symbol] != length) continue;
            code.symbols_[with_word++] = static_cast<std::uint8_t>(symbol);
            ++code.words_of_[length];
            taken += 1U << (max_length - length);
        }
    const auto is_possible = [](std::uint8_t length) { return length <= max_length; };
    if (!std::ranges::all_of(lengths, is_possible)) return std::nullopt;
    code.is_trivial_ = with_word <= 1;
    if (!code.is_trivial_ && taken != 1U << max_length) return std::nullopt;
    return Opened{code, 1 + lengths.size()};
}

HuffmanCode::Word HuffmanCode::word_of(std::uint8_t symbol) const {
    if (is_trivial_) return {};
    Word word;
    std::size_t at = 0;
    for (std::size_t length = 1; length <= max_length; ++length) {
        word.bits <<= 1;
        for (std::size_t i = 0; i < words_of_[length]; ++i, ++at, ++word.bits)
            if (symbols_[at] == symbol) return {word.bits, static_cast<int>(length)};
    }
    DEFIANCE_ASSERT(!"every symbol that was counted has a word");
    return {};
}

}  // namespace defiance
