#include <defiance/base/assert.hpp>
#include <defiance/egdb/build.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <utility>

#include <defiance/base/parallel_for.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/steps.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// State of a position while its slice is solved: one of these, or the number of moves that are not
/// known to lose. `won` and `lost` follow from moves out of the slice, `won_later` and `lost_later`
/// from moves inside it.
enum State : std::uint8_t { won = 255, lost = 254, drawn = 253, won_later = 252, lost_later = 251 };

constexpr bool is_final(std::uint8_t state) {
    return state >= lost_later;
}
constexpr bool is_win(std::uint8_t state) {
    return state == won || state == won_later;
}
constexpr bool is_loss(std::uint8_t state) {
    return state == lost || state == lost_later;
}

template <class Rules>
class SliceSolver {
public:
    SliceSolver(const Material& material, SolvedSlices& slices, const SolverSettings& settings)
        : slices_(slices),
          settings_(settings),
          first_(material),
          second_(material.swapped()),
          is_symmetric_(material == material.swapped()),
          size_(first_.size() + (is_symmetric_ ? 0 : second_.size())),
          states_(size_),
          dtw_(settings.with_dtw ? size_ : 0),
          found_(static_cast<std::size_t>(settings.threads)) {
        DEFIANCE_ASSERT(!settings.with_dtw || size_ <= UINT32_MAX);
    }

    void solve() {
        parallel_for(size_, chunk_of_positions, settings_.threads,
                     [this](std::uint64_t begin, std::uint64_t end, int thread) {
                         for_each(begin, end, [&](std::uint64_t number, const Position& p) {
                             begin_position(number, p, thread);
                         });
                         report(end - begin);
                     });
        if (settings_.with_dtw)
            take_back_by_ply();
        else
            take_back_all();
        store(first_, 0);
        if (!is_symmetric_) store(second_, first_.size());
    }

private:
    using Number = std::uint32_t;

    /// Positions that become known at a later ply, by ply, as found by one thread.
    struct ByPly {
        std::vector<std::vector<Number>> lists;
        void add(int ply, std::uint64_t number) {
            DEFIANCE_ASSERT(number <= UINT32_MAX);
            const auto i = static_cast<std::size_t>(ply);
            if (lists.size() <= i) lists.resize(i + 1);
            lists[i].push_back(static_cast<Number>(number));
        }
        /// Removes and returns the list of a ply; nothing when no later ply has one either.
        std::optional<std::vector<Number>> take(int ply) {
            const auto i = static_cast<std::size_t>(ply);
            if (lists.size() <= i) return std::nullopt;
            return std::exchange(lists[i], {});
        }
    };
    struct Found {
        ByPly known;    ///< have their value
        ByPly pending;  ///< win at this ply if they have not won before
    };

    /// The values of the moves that lead to slices solved before.
    struct Known {
        int best_loss = -1;    ///< fewest plies in which the other side loses; -1: it never does
        int longest_win = -1;  ///< most plies in which it wins
        bool has_draw = false;
    };

    static constexpr std::uint64_t chunk_of_positions = 1 << 14;

    /// Positions of both materials, by their numbers one after the other.
    template <class Visit>
    void for_each(std::uint64_t begin, std::uint64_t end, Visit visit) const {
        const std::uint64_t second_begin = first_.size();
        if (begin < second_begin) first_.for_each(begin, std::min(end, second_begin), visit);
        if (end > second_begin)
            second_.for_each(
                std::max(begin, second_begin) - second_begin, end - second_begin,
                [&](std::uint64_t number, const Position& p) { visit(second_begin + number, p); });
    }

    void report(std::uint64_t positions) const {
        if (settings_.progress != nullptr)
            settings_.progress->fetch_add(positions, std::memory_order_relaxed);
    }

    void begin_position(std::uint64_t number, const Position& p, int thread) {
        Known known;
        const bool captures = can_capture<Rules>(p);
        const Bitboard near_crowning = p.black & ~p.kings & row(6);
        int inside = 0;
        if (!captures) inside = static_cast<int>(count_moves<Rules>(p));
        if (captures || near_crowning != 0) {
            MoveList moves;
            generate_moves<Rules>(p, moves);
            for (const Move& move : moves) {
                if (!captures && (near_crowning & bit(move.from)) == 0) continue;
                if (!captures) --inside;
                judge(after<Rules>(p, move), known);
            }
        }
        DEFIANCE_ASSERT(inside >= 0 && inside + 1 < lost_later);
        if (known.best_loss >= 0) {
            // A move inside the slice may win sooner than a promotion.
            if (captures || !settings_.with_dtw)
                become(number, won, known.best_loss + 1, thread);
            else {
                states_[number] = static_cast<std::uint8_t>(1 + inside);
                found_[index_of_thread(thread)].pending.add(known.best_loss + 1, number);
            }
            return;
        }
        if (known.has_draw) {
            states_[number] =
                inside == 0 ? std::uint8_t{drawn} : static_cast<std::uint8_t>(1 + inside);
            return;
        }
        if (inside == 0) {
            become(number, lost, known.longest_win + 1, thread);
            return;
        }
        states_[number] = static_cast<std::uint8_t>(inside);
        if (settings_.with_dtw) dtw_[number] = static_cast<std::uint16_t>(known.longest_win + 1);
    }

    static std::size_t index_of_thread(int thread) { return static_cast<std::size_t>(thread); }

    /// Gives a position its value from this ply on; its state may be set already.
    void become(std::uint64_t number, State state, int ply, int thread) {
        DEFIANCE_ASSERT(number < size_ && is_final(state) && ply >= 0);
        states_[number] = state;
        if (settings_.with_dtw) know_from(ply, number, thread);
    }

    void know_from(int ply, std::uint64_t number, int thread) {
        DEFIANCE_ASSERT(number < size_ && ply >= 0 && ply <= UINT16_MAX);
        dtw_[number] = static_cast<std::uint16_t>(ply);
        found_[index_of_thread(thread)].known.add(ply, number);
    }

    void judge(const Position& next, Known& known) const {
        const Position seen = with_black_to_move(next);
        if (seen.black == 0) {
            known.best_loss = 0;
            return;
        }
        DEFIANCE_ASSERT(slices_.find(material_of(seen)) != nullptr);
        const SolvedSlice& slice = *slices_.find(material_of(seen));
        const std::uint64_t number = slice.index().rank(seen);
        const int plies = settings_.with_dtw ? slice.dtw(number) : 0;
        switch (slice.value(number)) {
            case Wld::draw:
                known.has_draw = true;
                break;
            case Wld::loss:
                known.best_loss = known.best_loss < 0 ? plies : std::min(known.best_loss, plies);
                break;
            case Wld::win:
                known.longest_win = std::max(known.longest_win, plies);
                break;
        }
    }

    /// Takes moves back from all decided positions, in any order: without plies it does not matter.
    void take_back_all() {
        parallel_for(size_, chunk_of_positions, settings_.threads,
                     [this](std::uint64_t begin, std::uint64_t end, int) {
                         std::vector<Step> found;
                         for_each(begin, end, [&](std::uint64_t number, const Position& p) {
                             const std::uint8_t state =
                                 std::atomic_ref(states_[number]).load(std::memory_order_relaxed);
                             if (state != won && state != lost) return;
                             take_back({p, number < first_.size(), state == lost}, found);
                             while (!found.empty()) {
                                 const Step step = found.back();
                                 found.pop_back();
                                 take_back(step, found);
                             }
                         });
                         report(end - begin);
                     });
    }

    /// A position whose value has become known.
    struct Step {
        Position position;
        bool in_first;
        bool is_loss;
    };

    void take_back(const Step& from, std::vector<Step>& found) {
        const Place parents = parents_of(from.in_first);
        for_each_parent(
            *parents.index, from.position, [&](const Position& parent, std::uint64_t rank) {
                const std::uint64_t number = parents.offset + rank;
                const std::uint8_t state = from.is_loss ? mark_won(number) : count_down(number);
                if (is_final(state)) found.push_back({parent, parents.is_first, is_loss(state)});
            });
    }

    /// The new state of a position with a winning move; 0 if its value was known before.
    std::uint8_t mark_won(std::uint64_t number) {
        std::atomic_ref<std::uint8_t> state(states_[number]);
        std::uint8_t seen = state.load(std::memory_order_relaxed);
        while (!is_final(seen))
            if (state.compare_exchange_weak(seen, won_later, std::memory_order_relaxed))
                return won_later;
        return 0;
    }

    /// The new state of a position of which one more move is known to lose; 0 if its value was
    /// known before.
    std::uint8_t count_down(std::uint64_t number) {
        std::atomic_ref<std::uint8_t> state(states_[number]);
        std::uint8_t seen = state.load(std::memory_order_relaxed);
        while (!is_final(seen)) {
            DEFIANCE_ASSERT(seen != 0);
            const std::uint8_t next =
                seen == 1 ? std::uint8_t{lost_later} : static_cast<std::uint8_t>(seen - 1);
            if (state.compare_exchange_weak(seen, next, std::memory_order_relaxed)) return next;
        }
        return 0;
    }

    /// The half of the numbers in which the parents of a position are.
    struct Place {
        const SliceIndex* index;
        std::uint64_t offset;
        bool is_first;
    };
    [[nodiscard]] Place parents_of(bool in_first) const {
        if (is_symmetric_ || !in_first) return {&first_, 0, true};
        return {&second_, first_.size(), false};
    }

    /// Takes moves back ply by ply.
    void take_back_by_ply() {
        for (int ply = 0; gather(ply); ++ply)
            parallel_for(frontier_.size(), 1 << 10, settings_.threads,
                         [this, ply](std::uint64_t begin, std::uint64_t end, int thread) {
                             for (std::uint64_t i = begin; i < end; ++i)
                                 take_back_at(frontier_[static_cast<std::size_t>(i)], ply, thread);
                         });
    }

    /// Collects the positions decided at this ply; false when no later ply has any either.
    bool gather(int ply) {
        frontier_.clear();
        bool is_more = false;
        for (Found& found : found_) {
            if (const auto known = found.known.take(ply)) {
                is_more = true;
                frontier_.insert(frontier_.end(), known->begin(), known->end());
            }
            if (const auto pending = found.pending.take(ply)) {
                is_more = true;
                for (const Number number : *pending) {
                    if (is_final(states_[number])) continue;
                    states_[number] = won;
                    dtw_[number] = static_cast<std::uint16_t>(ply);
                    frontier_.push_back(number);
                }
            }
        }
        return is_more;
    }

    void take_back_at(Number number, int ply, int thread) {
        DEFIANCE_ASSERT(number < size_ && is_final(states_[number]));
        const bool in_first = number < first_.size();
        const Position p = in_first ? first_.at(number) : second_.at(number - first_.size());
        const Place parents = parents_of(in_first);
        const bool child_lost = is_loss(states_[number]);
        for_each_parent(*parents.index, p, [&](const Position&, std::uint64_t rank) {
            note_parent(parents.offset + rank, child_lost, ply, thread);
        });
    }

    /// The positions, with black to move and their numbers, from which a move without capture or
    /// promotion leads here.
    template <class Reach>
    static void for_each_parent(const SliceIndex& index, const Position& p, Reach reach) {
        // The side that moved last becomes black, which takes its move back.
        Position q = flipped(p);
        q.side = Side::black;
        take_back_men(index, q, reach);
        take_back_kings(index, q, reach);
    }

    template <class Reach>
    static void take_back_men(const SliceIndex& index, const Position& q, Reach reach) {
        DEFIANCE_ASSERT(q.side == Side::black && (q.black & q.white) == 0);
        const Bitboard men = q.black & ~q.kings;
        for (const int to : Squares(men))
            for (const Direction back : {Direction::down_left, Direction::down_right}) {
                const Bitboard from = step(back, bit(to)) & q.empty();
                if (from == 0) continue;
                const Position parent = {(q.black & ~bit(to)) | from, q.white, q.kings,
                                         Side::black};
                reach(parent, index.rank(parent));
            }
    }

    template <class Reach>
    static void take_back_kings(const SliceIndex& index, const Position& q, Reach reach) {
        const Bitboard kings = q.black & q.kings;
        if (kings == 0) return;
        const SliceIndex::Page page = index.page_of(q);
        for (const int to : Squares(kings))
            for (const Direction direction : all_directions) {
                Bitboard from = step(direction, bit(to)) & q.empty();
                while (from != 0) {
                    const Position parent = {(q.black & ~bit(to)) | from, q.white,
                                             (q.kings & ~bit(to)) | from, Side::black};
                    reach(parent, index.rank(parent, page));
                    if (!Rules::flying_kings) break;
                    from = step(direction, from) & q.empty();
                }
            }
    }

    void note_parent(std::uint64_t number, bool child_lost, int ply, int thread) {
        const std::uint8_t state = child_lost ? mark_won(number) : count_down(number);
        if (!is_final(state)) return;
        // A promotion may lose later than the moves inside the slice.
        const int longest = child_lost ? 0 : dtw_[number];
        know_from(std::max(ply + 1, longest), number, thread);
    }

    void store(const SliceIndex& index, std::uint64_t offset) {
        auto slice = std::make_unique<SolvedSlice>(index.material());
        parallel_for(index.size(), 1 << 16, settings_.threads,
                     [&](std::uint64_t begin, std::uint64_t end, int) {
                         for (std::uint64_t i = begin; i < end; ++i) {
                             const std::uint8_t state = states_[offset + i];
                             if (is_win(state)) slice->set_value(i, Wld::win);
                             if (is_loss(state)) slice->set_value(i, Wld::loss);
                         }
                     });
        if (settings_.with_dtw) slice->set_dtw(dtw_.part(offset, index.size()));
        slices_.add(std::move(slice));
    }

    SolvedSlices& slices_;
    SolverSettings settings_;
    SliceIndex first_;
    SliceIndex second_;
    bool is_symmetric_;
    std::uint64_t size_;
    LargeArray<std::uint8_t> states_;
    LargeArray<std::uint16_t> dtw_;
    std::vector<Found> found_;
    std::vector<Number> frontier_;
};

}  // namespace

template <class Rules>
void solve_slices(const Material& material, SolvedSlices& slices, const SolverSettings& settings) {
    SliceSolver<Rules>(material, slices, settings).solve();
}

template void solve_slices<DEFIANCE_GAME>(const Material&, SolvedSlices&, const SolverSettings&);

}  // namespace defiance
