#include "cake_index.hpp"

#include <limits>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/egdb/combinations.hpp>

namespace defiance::cake {
namespace {

/// The number of ways to place men of whom the foremost stands on this row.
std::uint64_t ways(int men, int foremost_row) {
    DEFIANCE_ASSERT(foremost_row >= 0 && foremost_row < rows);
    if (men == 0) return 1;
    return binomial(4 * foremost_row + 4, men) - binomial(4 * foremost_row, men);
}

/// No block can stand for more positions: each byte would be the longest run.
constexpr std::uint32_t max_in_block = block_bytes * 10000;

}  // namespace

std::uint64_t SliceName::size() const {
    const int men = material.men();
    const std::uint64_t black_kings = binomial(32 - men, material.own_kings);
    const std::uint64_t white_kings = binomial(32 - men - material.own_kings, material.their_kings);
    return ways(material.own_men, black_row) * ways(material.their_men, white_row) * black_kings *
           white_kings;
}

Slice& Index::make(const SliceName& name) {
    std::int16_t& group = groups_[group_of(name.material)];
    if (group < 0) {
        group = static_cast<std::int16_t>(slices_.size() / group_size);
        slices_.resize(slices_.size() + group_size);
    }
    return slices_[static_cast<std::size_t>(group) * group_size + place_of(name)];
}

/// Reads a text such as
///     BASE2,0,1,0,6,5,b:0/387    first block and byte of the slice, then the start of each
///     3315                       further block
///     BASE1,0,1,0,6,5,b:=        all positions drawn; + won, - lost
class Index::Reader {
public:
    Reader(Index& index, std::string_view text, std::uint32_t first_block)
        : index_(index), text_(text), first_block_(first_block) {}

    [[nodiscard]] std::optional<Error> read(const Expected& is_expected) {
        skip_spaces();
        if (text_.empty()) return Error{"is empty"};
        while (!text_.empty()) {
            const std::size_t rest = text_.size();
            if (const auto problem = read_slice(is_expected))
                return Error{problem->text + " (" + std::to_string(rest) +
                             " bytes before its end)"};
        }
        if (last_) index_.slices_[*last_].end_byte = block_bytes;
        if (std::uint64_t{first_block_} + end_block_ > std::numeric_limits<std::uint32_t>::max())
            return Error{"is too large"};
        index_.number_of_blocks_ = end_block_;
        return std::nullopt;
    }

private:
    [[nodiscard]] std::optional<Error> read_slice(const Expected& is_expected) {
        const std::optional<SliceName> name = read_name();
        if (!name || text_.empty()) return Error{"is no table of a Cake database"};
        if (!is_expected(name->material)) return Error{"tells of other pieces than its name"};
        const std::uint64_t size = name->size();
        if (size == 0 || size > std::numeric_limits<std::uint32_t>::max() - max_over_the_end)
            return Error{"tells of positions that cannot be"};
        Slice& slice = index_.make(*name);
        if (slice.is_present) return Error{"tells of positions twice"};
        slice = {};
        slice.is_present = true;
        slice.size = static_cast<std::uint32_t>(size);
        const char value = text_.front();
        if (!is_digit(value)) {
            text_.remove_prefix(1);
            slice.value = value == '+' ? Wld::win : value == '-' ? Wld::loss : Wld::draw;
            skip_spaces();
            if (value != '+' && value != '-' && value != '=') return Error{"has an unknown value"};
            return std::nullopt;
        }
        return read_blocks(slice);
    }

    [[nodiscard]] std::optional<SliceName> read_name() {
        if (!skip("BASE")) return std::nullopt;
        std::array<std::uint8_t, 6> numbers{};
        for (std::uint8_t& number : numbers) {
            const std::optional<std::uint32_t> read = read_number();
            if (!read || *read > 7 || !skip(",")) return std::nullopt;
            number = static_cast<std::uint8_t>(*read);
        }
        SliceName name{{numbers[0], numbers[1], numbers[2], numbers[3]}, numbers[4], numbers[5]};
        name.side = skip("b:") ? Side::black : Side::white;
        if (name.side == Side::white && !skip("w:")) return std::nullopt;
        const Material& m = name.material;
        const bool is_possible = m.total() <= 8 && m.own() > 0 && m.theirs() > 0 &&
                                 name.black_row < rows && name.white_row < rows &&
                                 (m.own_men > 0 || name.black_row == 0) &&
                                 (m.their_men > 0 || name.white_row == 0);
        return is_possible ? std::optional(name) : std::nullopt;
    }

    /// Each slice begins where the one before ends: in the same block, or in the next one.
    [[nodiscard]] std::optional<Error> read_blocks(Slice& slice) {
        const std::optional<std::uint32_t> block = read_number();
        if (!block || !skip("/")) return Error{"is no table of a Cake database"};
        const std::optional<std::uint32_t> byte = read_number();
        if (!byte || *byte >= block_bytes) return Error{"has an impossible place"};
        skip_spaces();
        const bool follows_in_block = end_block_ > 0 && *block == end_block_ - 1;
        const bool follows_in_next = *block == end_block_ && *byte == 0;
        if (!follows_in_next && (!follows_in_block || *byte < min_byte_))
            return Error{"has its blocks out of order"};
        if (last_)
            index_.slices_[*last_].end_byte =
                static_cast<std::uint16_t>(follows_in_block ? *byte : block_bytes);
        slice.first_block = first_block_ + *block;
        slice.first_byte = static_cast<std::uint16_t>(*byte);
        slice.first_start = static_cast<std::uint32_t>(index_.starts_.size());
        std::optional<Error> problem = read_starts(slice);
        DEFIANCE_ASSERT(slice.blocks > 0);
        end_block_ = *block + slice.blocks;
        min_byte_ = slice.blocks == 1 ? *byte : 0;
        last_ = static_cast<std::size_t>(&slice - index_.slices_.data());
        return problem;
    }

    [[nodiscard]] std::optional<Error> read_starts(Slice& slice) {
        std::uint32_t start = 0;
        for (;;) {
            index_.starts_.push_back(start);
            ++slice.blocks;
            const bool is_last = text_.empty() || !is_digit(text_.front());
            const std::optional<std::uint32_t> next = is_last ? slice.size : read_number();
            if (is_last && *next <= start) return std::nullopt;
            if (!next || *next <= start || *next - start > max_in_block ||
                *next > slice.size + max_over_the_end)
                return Error{"has a position out of order"};
            if (is_last) return std::nullopt;
            skip_spaces();
            start = *next;
        }
    }

    [[nodiscard]] std::optional<std::uint32_t> read_number() {
        std::uint64_t number = 0;
        std::size_t digits = 0;
        for (; digits < text_.size() && is_digit(text_[digits]); ++digits) {
            number = number * 10 + static_cast<std::uint64_t>(text_[digits] - '0');
            if (number > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
        }
        text_.remove_prefix(digits);
        return digits == 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(number));
    }

    bool skip(std::string_view word) {
        if (text_.substr(0, word.size()) != word) return false;
        text_.remove_prefix(word.size());
        return true;
    }

    void skip_spaces() {
        while (!text_.empty() && is_space(text_.front()))
            text_.remove_prefix(1);
    }

    Index& index_;
    std::string_view text_;
    std::uint32_t first_block_;
    std::uint32_t end_block_ = 0;      // one past the last block read so far
    std::uint32_t min_byte_ = 0;       // first byte of the last slice in the block before that one
    std::optional<std::size_t> last_;  // the last slice with blocks
};

std::optional<Error> Index::add(std::string_view text, std::uint32_t first_block,
                                const Expected& is_expected) {
    return Reader(*this, text, first_block).read(is_expected);
}

}  // namespace defiance::cake
