#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/large_array.hpp>
#include <defiance/egdb/probe.hpp>
#include <defiance/egdb/slice_index.hpp>

namespace defiance {

/// The values of all positions of one material, and the plies to the end of the game where they
/// are kept.
class SolvedSlice {
public:
    explicit SolvedSlice(const Material& material)
        : index_(material), packed_((index_.size() + 3) / 4) {}

    /// The numbers of its positions.
    [[nodiscard]] const SliceIndex& index() const { return index_; }

    /// What the position with this number is worth to the side to move.
    [[nodiscard]] Wld value(std::uint64_t number) const {
        DEFIANCE_ASSERT(number < index_.size());
        const int bits = packed_[number / 4] >> (number % 4 * 2) & 3;
        DEFIANCE_ASSERT(bits <= 2);
        return static_cast<Wld>(bits);
    }
    /// Once for each position that is not drawn. Four positions lie in a byte: threads must not set
    /// those of one byte at the same time.
    void set_value(std::uint64_t number, Wld value) {
        DEFIANCE_ASSERT(number < index_.size() &&
                        (packed_[number / 4] >> (number % 4 * 2) & 3) == 0);
        packed_[number / 4] = static_cast<std::uint8_t>(
            packed_[number / 4] | static_cast<int>(value) << (number % 4 * 2));
    }

    /// Bytes with four values each, the first lowest.
    [[nodiscard]] std::span<const std::uint8_t> packed() const { return packed_.all(); }
    /// The same to be filled; each value is 0, 1 or 2 as Wld has them.
    [[nodiscard]] std::span<std::uint8_t> packed() { return packed_.all(); }

    /// True when the plies to the end of the game are known.
    [[nodiscard]] bool has_dtw() const { return !dtw_.empty(); }
    /// Plies to the end of the game with best play, the winner hurrying and the loser resisting; 0
    /// for a side that cannot move, meaningless for a draw.
    [[nodiscard]] int dtw(std::uint64_t number) const {
        DEFIANCE_ASSERT(has_dtw() && number < index_.size());
        return dtw_[number];
    }
    /// One number for each position.
    void set_dtw(LargeArray<std::uint16_t> dtw) {
        DEFIANCE_ASSERT(dtw.all().size() == index_.size());
        dtw_ = std::move(dtw);
    }

private:
    SliceIndex index_;
    LargeArray<std::uint8_t> packed_;
    LargeArray<std::uint16_t> dtw_;
};

/// Slices by their material. Any threads may read while none changes it.
class SolvedSlices {
public:
    SolvedSlices() : table_(material_places) {}

    /// Null when it is not there.
    [[nodiscard]] const SolvedSlice* find(const Material& material) const {
        return table_[place_of(material)];
    }
    /// Takes the place of one of the same material.
    void add(std::unique_ptr<SolvedSlice> slice) {
        const Material material = slice->index().material();
        std::unique_ptr<SolvedSlice>& place = slices_[material];
        place = std::move(slice);
        table_[place_of(material)] = place.get();
    }
    /// Drops the slices of all materials but those for which is_wanted(material).
    template <class Predicate>
    void keep(Predicate is_wanted) {
        std::erase_if(slices_, [&](const auto& entry) {
            if (is_wanted(entry.first)) return false;
            table_[place_of(entry.first)] = nullptr;
            return true;
        });
    }
    /// None of them is null.
    [[nodiscard]] const std::map<Material, std::unique_ptr<SolvedSlice>>& all() const {
        return slices_;
    }

private:
    std::map<Material, std::unique_ptr<SolvedSlice>> slices_;
    // Of the same slices: one is asked for by each move that a solver judges.
    std::vector<const SolvedSlice*> table_;
};

}  // namespace defiance
