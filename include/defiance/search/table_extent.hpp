#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include <defiance/base/assert.hpp>

namespace defiance {

/// The part of a hash table that is in use: so many buckets from the first on. It grows by linear
/// hashing (Litwin 1980), bucket by bucket: each new bucket takes its keys from one old bucket, and
/// all others keep theirs.
///
/// Any thread may read it while one thread grows it. One that reads in between may get the bucket
/// of before, and never one that is not in use: grow_to() passes no power of two without ending
/// there.
class TableExtent {
public:
    TableExtent() = default;
    explicit TableExtent(std::uint32_t buckets)
        : buckets_(buckets), mask_(buckets == 0 ? 0 : std::bit_ceil(buckets) - 1) {}
    TableExtent(TableExtent&& other) noexcept : TableExtent(other.buckets()) {}
    TableExtent& operator=(TableExtent&& other) noexcept {
        set(other.buckets(), other.mask_.load(std::memory_order_relaxed));
        return *this;
    }

    /// Who sees a bucket in use sees what has been written there before.
    [[nodiscard]] std::uint32_t buckets() const { return buckets_.load(std::memory_order_acquire); }

    /// The bucket of a key, by the upper half of it.
    [[nodiscard]] std::uint32_t bucket_of(std::uint64_t key) const {
        const std::uint32_t mask = mask_.load(std::memory_order_relaxed);
        const std::uint32_t number = static_cast<std::uint32_t>(key >> 32) & mask;
        return number < buckets() ? number : number & (mask >> 1);
    }

    /// The bucket with keys for the next new one.
    [[nodiscard]] std::uint32_t next_to_split() const {
        return buckets() & (std::bit_floor(buckets()) - 1);
    }
    /// Whether the next new bucket takes this key from next_to_split().
    [[nodiscard]] bool goes_to_new_bucket(std::uint64_t key) const {
        const std::uint32_t next_mask = std::bit_floor(buckets()) * 2 - 1;
        return (static_cast<std::uint32_t>(key >> 32) & next_mask) == buckets();
    }

    /// Asks to be the one that takes buckets into use; end_growth() lets others. False: another is.
    [[nodiscard]] bool begin_growth() {
        return !is_growing_.exchange(true, std::memory_order_acquire);
    }
    void end_growth() { is_growing_.store(false, std::memory_order_release); }
    /// Takes as many buckets into use as another extent has, at least as many as this one; between
    /// begin_growth() and end_growth().
    void grow_to(const TableExtent& other) {
        DEFIANCE_ASSERT(other.buckets() >= buckets());
        DEFIANCE_ASSERT(other.buckets() <= 2 * std::bit_floor(buckets()));
        set(other.buckets(), other.mask_.load(std::memory_order_relaxed));
    }

    /// Takes one more bucket into use. For an extent that no other thread reads.
    void add_bucket() {
        DEFIANCE_ASSERT(buckets() >= 1 && buckets() < 1U << 31);
        set(buckets() + 1, std::bit_floor(buckets()) * 2 - 1);
    }

private:
    void set(std::uint32_t buckets, std::uint32_t mask) {
        mask_.store(mask, std::memory_order_relaxed);
        buckets_.store(buckets, std::memory_order_release);
    }

    std::atomic<std::uint32_t> buckets_ = 0;
    std::atomic<std::uint32_t> mask_ = 0;  // std::bit_ceil(buckets_) - 1
    std::atomic<bool> is_growing_ = false;
};

}  // namespace defiance
