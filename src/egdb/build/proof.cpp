#include <defiance/egdb/build.hpp>

#include <mutex>

#include <defiance/base/parallel_for.hpp>
#include <defiance/rules/generator.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// What a position is worth by its successors alone.
struct Outlook {
    Wld value = Wld::loss;
    int plies = 0;  ///< of a win or loss

    /// Takes a move into account that leaves the other side with this.
    void consider(Wld theirs, int their_plies) {
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
Outlook outlook_of(const Position& p, const SolvedSlices& slices, bool with_plies) {
    MoveList moves;
    generate_moves<Rules>(p, moves);
    Outlook outlook;
    for (const Move& move : moves) {
        const Position next = seen_by_mover(after<Rules>(p, move));
        if (next.black == 0) {
            outlook.consider(Wld::loss, 0);
            continue;
        }
        const SolvedSlice& slice = *slices.find(material_of(next));
        const std::uint64_t number = slice.index().rank(next);
        outlook.consider(slice.value(number), with_plies ? slice.plies(number) : 0);
    }
    return outlook;
}

}  // namespace

template <class Rules>
std::optional<Position> find_unproven(const SolvedSlices& slices, const Material& material,
                                      int threads) {
    const SolvedSlice& slice = *slices.find(material);
    std::optional<Position> unproven;
    std::mutex mutex;
    const auto check = [&](std::uint64_t number, const Position& p) {
        const Outlook outlook = outlook_of<Rules>(p, slices, slice.has_plies());
        const bool is_right = outlook.value == slice.value(number) &&
                              (!slice.has_plies() || outlook.value == Wld::draw ||
                               outlook.plies == slice.plies(number));
        if (is_right) return;
        const std::lock_guard lock(mutex);
        if (!unproven) unproven = p;
    };
    constexpr std::uint64_t piece = 1 << 14;
    parallel_for(slice.index().size(), piece, threads,
                 [&](std::uint64_t begin, std::uint64_t end, int) {
                     slice.index().for_each(begin, end, check);
                 });
    return unproven;
}

template std::optional<Position> find_unproven<DEFIANCE_GAME>(const SolvedSlices&, const Material&,
                                                              int);

}  // namespace defiance
