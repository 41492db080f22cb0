#include "ribbon_maker.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/little_endian.hpp>
#include <defiance/base/parallel_for.hpp>

namespace defiance {
namespace {

/// Keys of a shard on average. In larger ones the room that chance asks for grows, in smaller ones
/// the share of the last 64 bits.
constexpr std::uint64_t keys_of_shard = 4096;

/// The linear equations of a shard, as far as they are solved: one for each bit, which begins with
/// that bit.
class Shard {
public:
    explicit Shard(std::size_t bytes) : rows_(8 * bytes) {}

    [[nodiscard]] std::uint32_t starts() const {
        return static_cast<std::uint32_t>(rows_.size()) - Ribbon::width + 1;
    }

    /// Gaussian elimination of one more equation. False when the others contradict it.
    [[nodiscard]] bool add(const RibbonBit& wanted) {
        const RibbonEquation equation(wanted.key);
        std::size_t at = equation.start(starts());
        Row row = {equation.coefficients(), wanted.bit};
        for (;;) {
            DEFIANCE_ASSERT((row.coefficients & 1) != 0 && at < rows_.size());
            Row& taken = rows_[at];
            if (taken.coefficients == 0) {
                taken = row;
                return true;
            }
            row.coefficients ^= taken.coefficients;
            row.bit ^= taken.bit;
            if (row.coefficients == 0) return !row.bit;
            const int shift = std::countr_zero(row.coefficients);
            row.coefficients >>= shift;
            at += static_cast<std::size_t>(shift);
        }
    }

    /// The bits that fulfil all equations; those that no equation decides are 0.
    [[nodiscard]] std::vector<std::uint8_t> solution() const {
        std::vector<std::uint8_t> bytes(rows_.size() / 8);
        std::uint64_t after = 0;  // the solution from the bit behind this one on
        for (std::size_t at = rows_.size(); at-- > 0;) {
            const Row& row = rows_[at];
            const bool parity = (std::popcount(row.coefficients >> 1 & after) & 1) != 0;
            const bool bit = row.coefficients != 0 && parity != row.bit;
            after = after << 1 | (bit ? 1 : 0);
            if (bit) bytes[at / 8] = static_cast<std::uint8_t>(bytes[at / 8] | 1 << at % 8);
        }
        return bytes;
    }

private:
    struct Row {
        std::uint64_t coefficients = 0;
        bool bit = false;
    };
    std::vector<Row> rows_;
};

/// Solves a shard in as few bytes as can be found. Nothing when that fails with much room too.
std::optional<std::vector<std::uint8_t>> solve(std::span<const RibbonBit> bits) {
    const std::size_t least = bits.size() / 8 + Ribbon::width / 8;
    const std::size_t most = 2 * least + 64;
    for (std::size_t bytes = least + bits.size() / 512; bytes < most; bytes += 1 + bytes / 128) {
        Shard shard(bytes);
        if (std::ranges::all_of(bits, [&](const RibbonBit& bit) { return shard.add(bit); }))
            return shard.solution();
    }
    return std::nullopt;
}

/// The bits by shard, those of a shard in the order of their keys.
std::vector<std::vector<RibbonBit>> divided(std::span<const RibbonBit> bits, std::uint32_t shards) {
    std::vector<std::vector<RibbonBit>> all(shards);
    for (auto& shard : all)
        shard.reserve(bits.size() / shards + bits.size() / shards / 16);
    for (const RibbonBit& bit : bits)
        all[RibbonEquation(bit.key).shard(shards)].push_back(bit);
    return all;
}

}  // namespace

std::optional<std::vector<std::uint8_t>> make_ribbon(std::span<const RibbonBit> bits, int threads) {
    const auto shards =
        static_cast<std::uint32_t>((bits.size() + keys_of_shard - 1) / keys_of_shard);
    auto equations = divided(bits, shards);
    std::vector<std::optional<std::vector<std::uint8_t>>> solved(shards);
    parallel_for(shards, 1, threads, [&](std::uint64_t number, std::uint64_t, int) {
        auto& of_shard = equations[static_cast<std::size_t>(number)];
        std::ranges::sort(of_shard, {}, &RibbonBit::key);
        solved[static_cast<std::size_t>(number)] = solve(of_shard);
        of_shard = {};
    });
    std::vector<std::uint8_t> bytes;
    append_little_endian(bytes, shards);
    std::uint64_t end = 0;
    for (const auto& shard : solved) {
        if (!shard) return std::nullopt;
        end += shard->size();
        DEFIANCE_ASSERT(end <= UINT32_MAX);
        append_little_endian(bytes, static_cast<std::uint32_t>(end));
    }
    for (const auto& shard : solved)
        bytes.insert(bytes.end(), shard->begin(), shard->end());
    return bytes;
}

}  // namespace defiance
