#include <array>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/egdb/build.hpp>

#include "egdb/codec/dtw_codec.hpp"
#include "huffman_maker.hpp"
#include "ribbon_maker.hpp"
#include "slice_packer.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// Calls visit(position, code, half the plies) for the quiet positions that are not drawn; the code
/// of wins is 0, that of losses 1.
template <class Rules, class Visit>
void for_each_dtw(const SolvedSlice& slice, Visit visit) {
    slice.index().for_each(0, slice.index().size(), [&](std::uint64_t number, const Position& p) {
        const Wld value = slice.value(number);
        if (value == Wld::draw || !is_quiet<Rules>(p)) return;
        const int plies = slice.dtw(number);
        DEFIANCE_ASSERT((plies % 2 == 1) == (value == Wld::win));
        visit(p, value == Wld::win ? std::size_t{0} : std::size_t{1},
              static_cast<std::size_t>(plies / 2));
    });
}

/// How often the wins and the losses have each half of the plies; nothing when some are too many.
using HalfCounts = std::array<std::array<std::uint64_t, HuffmanCode::max_symbols>, 2>;

template <class Rules>
std::optional<HalfCounts> count_halves(const SolvedSlice& slice) {
    HalfCounts counts{};
    bool fits = true;
    for_each_dtw<Rules>(slice, [&](const Position&, std::size_t code, std::size_t half) {
        if (half < HuffmanCode::max_symbols)
            ++counts[code][half];
        else
            fits = false;
    });
    return fits ? std::optional(counts) : std::nullopt;
}

/// The ribbon of the words; nothing when some keys are the same under this seed.
template <class Rules>
std::optional<std::vector<std::uint8_t>> pack_words(const SolvedSlice& slice,
                                                    const std::array<HuffmanCode, 2>& codes,
                                                    std::uint8_t seed, int threads) {
    std::vector<RibbonBit> bits;
    for_each_dtw<Rules>(slice, [&](const Position& p, std::size_t code, std::size_t half) {
        const auto word = codes[code].word_of(static_cast<std::uint8_t>(half));
        const std::uint64_t key = ribbon_key(p, seed);
        for (int i = 0; i < word.length; ++i)
            bits.push_back({ribbon_key(key, static_cast<unsigned>(i)),
                            (word.bits >> (word.length - 1 - i) & 1) != 0});
    });
    return make_ribbon(bits, threads);
}

}  // namespace

template <class Rules>
std::vector<std::uint8_t> pack_dtw(const SolvedSlice& slice, int threads) {
    DEFIANCE_ASSERT(slice.has_dtw() && threads > 0);
    const auto counts = count_halves<Rules>(slice);
    if (!counts) return {};
    std::vector<std::uint8_t> head;
    std::array<HuffmanCode, 2> codes;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const std::vector<std::uint8_t> code = make_huffman_code((*counts)[i]);
        codes[i] = HuffmanCode::open(code)->code;
        head.insert(head.end(), code.begin(), code.end());
    }
    for (int seed = 0; seed < 256; ++seed) {
        const auto words =
            pack_words<Rules>(slice, codes, static_cast<std::uint8_t>(seed), threads);
        if (!words) continue;
        std::vector<std::uint8_t> bytes = {static_cast<std::uint8_t>(seed)};
        bytes.insert(bytes.end(), head.begin(), head.end());
        bytes.insert(bytes.end(), words->begin(), words->end());
        return bytes;
    }
    DEFIANCE_ASSERT(!"keys of 64 bits are different under one of 256 seeds");
    return {};
}

template <class Rules>
std::optional<std::uint64_t> bits_of_dtw(const SolvedSlice& slice) {
    const auto counts = count_halves<Rules>(slice);
    if (!counts) return std::nullopt;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < counts->size(); ++i) {
        const auto& of_code = (*counts)[i];
        const HuffmanCode code = HuffmanCode::open(make_huffman_code(of_code))->code;
        for (std::size_t half = 0; half < of_code.size(); ++half)
            if (of_code[half] != 0)
                bits += of_code[half] * static_cast<std::uint64_t>(
                                            code.word_of(static_cast<std::uint8_t>(half)).length);
    }
    return bits;
}

template std::optional<std::uint64_t> bits_of_dtw<DEFIANCE_GAME>(const SolvedSlice&);
template std::vector<std::uint8_t> pack_dtw<DEFIANCE_GAME>(const SolvedSlice&, int);

}  // namespace defiance
