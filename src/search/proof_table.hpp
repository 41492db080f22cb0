#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <defiance/base/assert.hpp>
#include <defiance/base/memory.hpp>

namespace defiance {

/// What a proof-number search knows of a position, as the side to move sees it (Nagai 2002): phi is
/// the least number of unknown positions that must be settled in its favour to reach its goal,
/// delta that to see that it cannot. The attacker's goal is to win, the defender's not to lose.
struct ProofNumbers {
    static constexpr std::uint32_t infinite = 100'000'000;
    static constexpr std::uint16_t unknown_plies = 0xFFFF;

    std::uint32_t phi = 1;
    std::uint32_t delta = 1;
    /// Of a proven win of the attacker: no line to it is longer. unknown_plies where a database
    /// does not tell.
    std::uint16_t plies = 0;
    /// Of a proven win: no line to it begins with more plies of king moves without a capture. 0
    /// where it rests on a database's win with men, or on one whose distance is not known.
    std::uint16_t reversible = 0;

    /// The side to move reaches its goal.
    static constexpr ProofNumbers reached() { return {0, infinite, 0, 0}; }
    /// It does not.
    static constexpr ProofNumbers missed() { return {infinite, 0, 0, 0}; }

    [[nodiscard]] bool is_reached() const { return phi == 0; }
    [[nodiscard]] bool is_missed() const { return delta == 0; }
};

/// The results of a proof-number search by position. What cost the fewest nodes is replaced first.
class ProofTable {
public:
    /// Without memory for `bytes` it is empty and keeps nothing.
    explicit ProofTable(std::uint64_t bytes)
        : buckets_(bytes / bucket_bytes), memory_(buckets_ * bucket_bytes) {}

    [[nodiscard]] bool empty() const { return !memory_; }

    /// Null when nothing is known.
    [[nodiscard]] const ProofNumbers* find(std::uint64_t key) const {
        for (const Entry& entry : bucket(key).entries)
            if (entry.key == key && entry.work != 0) return &entry.numbers;
        return nullptr;
    }

    /// `work` is what the result cost, in nodes.
    void store(std::uint64_t key, const ProofNumbers& numbers, std::uint64_t work) {
        Entry* place = nullptr;
        for (Entry& entry : bucket(key).entries) {
            if (entry.key == key && entry.work != 0) {
                place = &entry;
                break;
            }
            if (place == nullptr || entry.work < place->work) place = &entry;
        }
        // All visits of a position count.
        const std::uint64_t before = place->key == key ? place->work : 0;
        const std::uint64_t all = std::clamp<std::uint64_t>(before + work, 1, UINT32_MAX);
        *place = {key, numbers, static_cast<std::uint32_t>(all)};
    }

private:
    struct Entry {
        std::uint64_t key;
        ProofNumbers numbers;
        std::uint32_t work;  // 0: free
    };
    struct Bucket {
        std::array<Entry, 4> entries;
    };
    static constexpr std::uint64_t bucket_bytes = sizeof(Bucket);

    [[nodiscard]] Bucket& bucket(std::uint64_t key) const {
        DEFIANCE_ASSERT(!empty());
        // The high part of the product spreads the keys over any number of buckets.
        const std::uint64_t index = ((key >> 32) * buckets_) >> 32;
        return static_cast<Bucket*>(memory_.data())[static_cast<std::size_t>(index)];
    }

    std::uint64_t buckets_;
    ZeroedMemory memory_;
};

}  // namespace defiance
