#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <defiance/base/assert.hpp>

namespace defiance {

/// A canonical Huffman code of the symbols 0 to max_symbols - 1: of two words of the same length
/// that of the lower symbol is lower, and a shorter word is lower than the beginning of a longer.
///
/// Layout: for how many symbols lengths follow (8 bits), the lengths of their words (8 bits each);
/// 0 for a symbol without a word. If one symbol only has a word its length is 1, and no bits are
/// written for it.
class HuffmanCode {
public:
    static constexpr std::size_t max_symbols = 128;
    static constexpr std::size_t max_length = 24;

    HuffmanCode() = default;

    struct Opened;
    /// The code at the beginning of the bytes. Nothing when there is none in which every sequence
    /// of bits has a meaning.
    [[nodiscard]] static std::optional<Opened> open(std::span<const std::uint8_t> bytes);

    /// The symbol whose word is read by next_bit(number of the bit from 0 on). Of a code without
    /// words it is 0.
    template <class NextBit>
    [[nodiscard]] std::uint8_t decode(NextBit next_bit) const {
        if (is_trivial_) return symbols_[0];
        std::uint32_t word = 0;
        std::uint32_t first = 0;  // word of this length
        std::size_t shorter = 0;  // symbols with shorter words
        for (std::size_t length = 1; length <= max_length; ++length) {
            word = word << 1 | (next_bit(static_cast<unsigned>(length - 1)) ? 1U : 0U);
            first <<= 1;
            const std::uint32_t words = words_of_[length];
            if (word - first < words) return symbols_[shorter + word - first];
            first += words;
            shorter += words;
        }
        DEFIANCE_ASSERT(!"a complete code has found its word");
        return symbols_[0];
    }

    /// A word of the code, the bit that is read first highest.
    struct Word {
        std::uint32_t bits = 0;
        int length = 0;
    };
    /// The word of a symbol that has one.
    [[nodiscard]] Word word_of(std::uint8_t symbol) const;

private:
    bool is_trivial_ = true;                               // at most one symbol
    std::array<std::uint8_t, max_length + 1> words_of_{};  // by length
    std::array<std::uint8_t, max_symbols> symbols_{};      // in the order of their words
};

struct HuffmanCode::Opened {
    HuffmanCode code;
    std::size_t bytes;  ///< how many it takes
};

}  // namespace defiance
