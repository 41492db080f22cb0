#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/result.hpp>
#include <defiance/egdb/material.hpp>
#include <defiance/egdb/solved_slice.hpp>

namespace defiance::cake {

/// The .cpr files are cut into blocks of this many bytes.
inline constexpr std::size_t block_bytes = 1024;

/// The last byte of a slice may stand for so many more values than the slice has.
inline constexpr std::uint32_t max_over_the_end = 3;

/// The rows on which the foremost man of a side can stand, counted from its own home row.
inline constexpr int rows = 7;

/// All positions of one material with the same foremost rows and side to move: the unit of the
/// databases. Black is the stronger side.
struct SliceName {
    Material material;  ///< own: black, their: white
    int black_row = 0;  ///< of the foremost man; 0 when there is none
    int white_row = 0;
    Side side = Side::black;

    /// How many numbers it has; there are fewer positions, as some numbers stand for none.
    [[nodiscard]] std::uint64_t size() const;
};

/// Where the values of a slice are.
struct Slice {
    bool is_present = false;
    Wld value = Wld::draw;          ///< of all positions, when there are no blocks
    std::uint32_t size = 0;         ///< numbers of positions
    std::uint32_t blocks = 0;       ///< blocks that hold a part of it
    std::uint32_t first_block = 0;  ///< counted over all files
    std::uint16_t first_byte = 0;   ///< in its first block
    std::uint16_t end_byte = 0;     ///< in its last block, one past the last
    std::uint32_t first_start = 0;  ///< where its starts begin among those of all slices
};

/// The content of the .idx files: for every slice its blocks, and for every block the number of the
/// first position in it. Built by one thread, then read by any number.
class Index {
public:
    /// Which materials a file may hold.
    using Expected = std::function<bool(const Material&)>;

    /// Adds the text of an .idx file whose blocks are counted from `first_block` on. Error, in
    /// words that continue the file's name: what is wrong with it. Without one number_of_blocks()
    /// is what the .cpr file must hold.
    [[nodiscard]] std::optional<Error> add(std::string_view text, std::uint32_t first_block,
                                           const Expected& is_expected);
    [[nodiscard]] std::uint32_t number_of_blocks() const { return number_of_blocks_; }

    /// The slice, or null when there is none. The rows may be anything.
    [[nodiscard]] const Slice* find(const SliceName& name) const {
        const std::int16_t group = groups_[group_of(name.material)];
        if (group < 0 || name.black_row >= rows || name.white_row >= rows) return nullptr;
        const Slice& slice = slices_[static_cast<std::size_t>(group) * group_size + place_of(name)];
        return slice.is_present ? &slice : nullptr;
    }

    /// The numbers of the first positions in the blocks of a slice, ascending from 0.
    [[nodiscard]] std::span<const std::uint32_t> starts(const Slice& slice) const {
        DEFIANCE_ASSERT(slice.first_start + slice.blocks <= starts_.size());
        return std::span(starts_).subspan(slice.first_start, slice.blocks);
    }

    /// Calls visit(slice) for the slices of more than one value.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const Slice& slice : slices_)
            if (slice.is_present && slice.blocks != 0) visit(slice);
    }

private:
    class Reader;

    static constexpr std::size_t group_size = rows * rows * 2;
    static constexpr std::size_t groups = 8 * 8 * 8 * 8;

    static std::size_t group_of(const Material& m) {
        DEFIANCE_ASSERT(m.total() <= 8 && m.own() < 8 && m.theirs() < 8);
        return static_cast<std::size_t>(((m.own_men * 8 + m.own_kings) * 8 + m.their_men) * 8 +
                                        m.their_kings);
    }
    static std::size_t place_of(const SliceName& name) {
        return static_cast<std::size_t>((name.black_row * rows + name.white_row) * 2 +
                                        (name.side == Side::white ? 1 : 0));
    }
    Slice& make(const SliceName& name);

    std::vector<std::int16_t> groups_ = std::vector<std::int16_t>(groups, -1);
    std::vector<Slice> slices_;
    std::vector<std::uint32_t> starts_;
    std::uint32_t number_of_blocks_ = 0;
};

}  // namespace defiance::cake
