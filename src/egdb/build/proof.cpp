#include <defiance/egdb/build.hpp>

#include <mutex>

#include <defiance/base/assert.hpp>
#include <defiance/base/parallel_for.hpp>
#include <defiance/rules/generator.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// The minimax value of a position, from those of its successors.
struct Minimax {
    Wld value = Wld::loss;
    int plies = 0;  ///< of a win or loss

    /// Backs up the value that the other side has after a move.
    void back_up(Wld theirs, int their_plies) {
        if (theirs == Wld::loss) {
            plies = value == Wld::win ? std::min(plies, their_plies + 1) : their_plies + 1;
            value = Wld::win;
        } else if (theirs == Wld::draw) {
            if (value == Wld::loss) value = Wld::draw;
        } else if (value == Wld::loss) {
            plies = std::max(plies, their_plies + 1);
        }
    }
};

template <class Rules>
Minimax minimax_of(const Position& p, const SolvedSlices& slices, bool with_dtw) {
    MoveList moves;
    generate_moves<Rules>(p, moves);
    Minimax minimax;
    for (const Move& move : moves) {
        const Position next = with_black_to_move(after<Rules>(p, move));
        if (next.black == 0) {
            minimax.back_up(Wld::loss, 0);
            continue;
        }
        DEFIANCE_ASSERT(slices.find(material_of(next)) != nullptr);
        const SolvedSlice& slice = *slices.find(material_of(next));
        const std::uint64_t number = slice.index().rank(next);
        minimax.back_up(slice.value(number), with_dtw ? slice.dtw(number) : 0);
    }
    return minimax;
}

}  // namespace

template <class Rules>
std::optional<Position> find_unproven(const SolvedSlices& slices, const Material& material,
                                      int threads) {
    DEFIANCE_ASSERT(slices.find(material) != nullptr && threads > 0);
    const SolvedSlice& slice = *slices.find(material);
    std::optional<Position> unproven;
    std::mutex mutex;
    const auto check = [&](std::uint64_t number, const Position& p) {
        const Minimax minimax = minimax_of<Rules>(p, slices, slice.has_dtw());
        const bool is_right =
            minimax.value == slice.value(number) &&
            (!slice.has_dtw() || minimax.value == Wld::draw || minimax.plies == slice.dtw(number));
        if (is_right) return;
        const std::lock_guard lock(mutex);
        if (!unproven) unproven = p;
    };
    constexpr std::uint64_t chunk = 1 << 14;
    parallel_for(slice.index().size(), chunk, threads,
                 [&](std::uint64_t begin, std::uint64_t end, int) {
                     slice.index().for_each(begin, end, check);
                 });
    return unproven;
}

template std::optional<Position> find_unproven<DEFIANCE_GAME>(const SolvedSlices&, const Material&,
                                                              int);

}  // namespace defiance
