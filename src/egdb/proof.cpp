#include <defiance/egdb/proof.hpp>

#include <mutex>

#include <defiance/egdb/share_out.hpp>
#include <defiance/rules/generator.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// What a position is worth by its successors alone.
struct Outlook {
    Value value = Value::loss;
    int plies = 0;  ///< of a win or loss

    /// Takes a move into account that leaves the other side with this.
    void consider(Value theirs, int their_plies) {
        if (theirs == Value::loss) {
            plies = value == Value::win ? std::min(plies, their_plies + 1) : their_plies + 1;
            value = Value::win;
        } else if (theirs == Value::draw) {
            if (value == Value::loss) value = Value::draw;
        } else if (value == Value::loss) {
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
            outlook.consider(Value::loss, 0);
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
                              (!slice.has_plies() || outlook.value == Value::draw ||
                               outlook.plies == slice.plies(number));
        if (is_right) return;
        const std::lock_guard lock(mutex);
        if (!unproven) unproven = p;
    };
    constexpr std::uint64_t piece = 1 << 14;
    share_out(slice.index().size(), piece, threads,
              [&](std::uint64_t begin, std::uint64_t end, int) {
                  slice.index().for_each(begin, end, check);
              });
    return unproven;
}

template std::optional<Position> find_unproven<DEFIANCE_GAME>(const SolvedSlices&, const Material&,
                                                              int);

}  // namespace defiance
