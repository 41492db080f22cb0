#include <defiance/eval/evaluate.hpp>

#include <algorithm>
#include <array>

#include <defiance/base/assert.hpp>
#include <defiance/eval/pattern_weights_english.hpp>
#include <defiance/eval/terms.hpp>
#include <defiance/eval/weights.hpp>
#include <defiance/eval/weights_by_hand.hpp>
#include <defiance/eval/weights_english.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// The opening value in the lower 16 bits and the ending value in the upper ones. Both stay within
/// 16 bits, so adding pairs adds both values at once.
using WeightPair = std::int32_t;

constexpr WeightPair pair_of(Weight w) {
    return static_cast<WeightPair>(static_cast<std::uint32_t>(w.ending) * 65536U +
                                   static_cast<std::uint32_t>(w.opening));
}
constexpr int opening_of(WeightPair pair) {
    return static_cast<std::int16_t>(static_cast<std::uint32_t>(pair) & 0xFFFFU);
}
constexpr int ending_of(WeightPair pair) {
    return static_cast<std::int16_t>((static_cast<std::uint32_t>(pair) + 0x8000U) >> 16);
}

constexpr int full_board = 24;

/// The margin of lazy evaluation: the sum of the other terms rarely exceeds it. In searches of
/// random middle games material and margin decided four of five evaluations, one in a thousand
/// wrongly.
constexpr Score structure_margin = 120;

/// Interpolates between opening and ending by the number of pieces.
constexpr Score taper(WeightPair pair, int pieces) {
    DEFIANCE_ASSERT(pieces >= 0 && pieces <= full_board);
    return (opening_of(pair) * pieces + ending_of(pair) * (full_board - pieces)) / full_board;
}

template <class Rules>
constexpr std::array<WeightPair, slot_count> pairs = [] {
    std::array<WeightPair, slot_count> table{};
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = pair_of(weights_of<Rules>[i]);
    return table;
}();

/// The weights of the patterns, decoded from text: [region * patterns_per_region + pattern].
template <class Rules>
constexpr auto pattern_pairs = [] {
    std::array<WeightPair, pattern_regions * patterns_per_region> table{};
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = pair_of(pattern_weight<Rules>(i));
    return table;
}();

/// Sums of a square term over all sets of squares in a byte of the board: [byte number][byte].
using ByteTables = std::array<std::array<WeightPair, 256>, 4>;

template <class Rules>
constexpr ByteTables make_byte_tables(Term term) {
    ByteTables tables{};
    for (unsigned chunk = 0; chunk < 4; ++chunk)
        for (unsigned byte = 0; byte < 256; ++byte) {
            std::uint32_t sum = 0;
            for (unsigned i = 0; i < 8; ++i)
                if ((byte >> i & 1U) != 0)
                    sum += static_cast<std::uint32_t>(
                        pairs<Rules>[static_cast<unsigned>(first_slot(term)) + chunk * 8 + i]);
            tables[chunk][byte] = static_cast<WeightPair>(sum);
        }
    return tables;
}

template <class Rules, Term T>
constexpr ByteTables byte_tables = make_byte_tables<Rules>(T);

template <class Rules, Term T>
WeightPair sum_over(Bitboard set) {
    const ByteTables& t = byte_tables<Rules, T>;
    return t[0][set & 255U] + t[1][set >> 8 & 255U] + t[2][set >> 16 & 255U] + t[3][set >> 24];
}

/// True when the game has weights for the patterns of the men.
template <class Rules>
constexpr bool has_patterns = !pattern_texts<Rules>[0].empty();

/// Sink that adds everything up.
template <class Rules>
class Sum {
public:
    static constexpr bool counts(Term term) { return has_weights<Rules>(term); }
    static constexpr bool counts_patterns = has_patterns<Rules>;

    void add(Term term, int slot, int times) {
        DEFIANCE_ASSERT(slot >= 0 && slot < slots_of_term[static_cast<std::size_t>(term)]);
        total += pairs<Rules>[static_cast<unsigned>(first_slot(term) + slot)] * times;
    }
    void add_squares(Term term, Bitboard set) {
        total +=
            term == Term::man ? sum_over<Rules, Term::man>(set) : sum_over<Rules, Term::king>(set);
    }
    void add_pattern(std::size_t region, std::size_t pattern) {
        DEFIANCE_ASSERT(region < pattern_regions && pattern < patterns_per_region);
        total += pattern_pairs<Rules>[region * patterns_per_region + pattern];
    }
    WeightPair total = 0;
};

/// Sink that keeps the terms apart, for display.
template <class Rules>
class EvaluationTrace {
public:
    static constexpr bool counts(Term) { return true; }
    static constexpr bool counts_patterns = has_patterns<Rules>;

    void add(Term term, int slot, int times) {
        totals[static_cast<std::size_t>(term)] +=
            pairs<Rules>[static_cast<unsigned>(first_slot(term) + slot)] * times;
    }
    void add_squares(Term term, Bitboard set) {
        for (int square : Squares(set))
            add(term, square, 1);
    }
    void add_pattern(std::size_t region, std::size_t pattern) {
        pattern_sum += pattern_pairs<Rules>[region * patterns_per_region + pattern];
    }
    std::array<WeightPair, term_count> totals{};
    WeightPair pattern_sum = 0;
};

constexpr std::array<std::string_view, term_count> term_names = {"men",
                                                                 "kings",
                                                                 "back rank",
                                                                 "back rank against kings",
                                                                 "runaway men",
                                                                 "safe moves of men",
                                                                 "safe moves of kings",
                                                                 "trapped kings",
                                                                 "supported men",
                                                                 "open men",
                                                                 "chains",
                                                                 "men face to face",
                                                                 "lead",
                                                                 "pursuit of kings",
                                                                 "main road",
                                                                 "to move",
                                                                 "opposition"};

/// The evaluation, or a bound on it when `lazy` and the material alone puts it well outside the
/// window.
template <class Rules, bool lazy>
Score evaluate_in_window(const Position& p, Score alpha, Score beta) {
    DEFIANCE_ASSERT(p.is_consistent());
    DEFIANCE_ASSERT(!lazy || alpha < beta);
    const View black = black_view(p);
    const View white = flipped(black);
    const bool black_moves = p.side == Side::black;
    const int pieces = count(p.occupied());
    Sum<Rules> of_black;
    Sum<Rules> of_white;
    const auto score_of_mover = [&] {
        const Score score = taper(of_black.total - of_white.total, pieces);
        return black_moves ? score : -score;
    };
    collect_material(black, of_black);
    collect_material(white, of_white);
    if constexpr (lazy) {
        const Score rough = score_of_mover();
        if (rough - structure_margin >= beta) return rough - structure_margin;
        if (rough + structure_margin <= alpha) return rough + structure_margin;
    }
    collect_structure(black, of_black);
    collect_structure(white, of_white);
    collect_turn(black_moves ? black : white, black_moves ? of_black : of_white);
    const Score score = score_of_mover();
    return std::clamp(score, -evaluation_limit, evaluation_limit);
}

}  // namespace

template <class Rules>
Score evaluate(const Position& p) {
    return evaluate_in_window<Rules, false>(p, 0, 0);
}

template <class Rules>
Score lazy_evaluate(const Position& p, Score alpha, Score beta) {
    return evaluate_in_window<Rules, true>(p, alpha, beta);
}

template <class Rules>
std::vector<EvaluationTerm> explain_evaluation(const Position& p) {
    DEFIANCE_ASSERT(p.is_consistent());
    const View black = black_view(p);
    const View white = flipped(black);
    EvaluationTrace<Rules> of_black;
    EvaluationTrace<Rules> of_white;
    collect_material(black, of_black);
    collect_material(white, of_white);
    collect_structure(black, of_black);
    collect_structure(white, of_white);
    if (p.side == Side::black)
        collect_turn(black, of_black);
    else
        collect_turn(white, of_white);
    const int pieces = count(p.occupied());
    std::vector<EvaluationTerm> terms;
    for (std::size_t i = 0; i < term_count; ++i)
        terms.push_back(
            {term_names[i], taper(of_black.totals[i], pieces), taper(of_white.totals[i], pieces)});
    terms.push_back({"patterns of men", taper(of_black.pattern_sum, pieces),
                     taper(of_white.pattern_sum, pieces)});
    return terms;
}

template Score evaluate<DEFIANCE_GAME>(const Position&);
template Score lazy_evaluate<DEFIANCE_GAME>(const Position&, Score, Score);
template std::vector<EvaluationTerm> explain_evaluation<DEFIANCE_GAME>(const Position&);

}  // namespace defiance
