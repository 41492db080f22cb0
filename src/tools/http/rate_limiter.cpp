#include <tools/http/rate_limiter.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

/// The 32 bits of an IPv4 address, or the network of an IPv6 address; they never coincide, as no
/// network begins with 32 zero bits and FFFF.
std::uint64_t network_of(const IpAddress& address) {
    const bool is_v4 = address.is_v4();
    std::uint64_t network = is_v4 ? 0xFFFF : 0;
    for (std::size_t i = is_v4 ? 12 : 0; i < (is_v4 ? 16U : 8U); ++i)
        network = network << 8 | address.bytes[i];
    return network;
}

}  // namespace

double RateLimiter::tokens_at(const Bucket& bucket, Clock::time_point now) const {
    const double seconds = std::chrono::duration<double>(now - bucket.filled_at).count();
    return std::min(burst_, bucket.tokens + std::max(0.0, seconds) * rate_);
}

void RateLimiter::forget_full_buckets(Clock::time_point now) {
    std::erase_if(buckets_,
                  [&](const auto& entry) { return tokens_at(entry.second, now) >= burst_; });
    // Better that a crowd of addresses begins anew than that nobody else is let in.
    if (buckets_.size() >= max_addresses) buckets_.clear();
}

double RateLimiter::take(const IpAddress& address, Clock::time_point now) {
    if (rate_ <= 0) return 0;
    const std::lock_guard lock(mutex_);
    const std::uint64_t network = network_of(address);
    if (buckets_.size() >= max_addresses && !buckets_.contains(network)) forget_full_buckets(now);
    const auto [place, is_new] = buckets_.try_emplace(network, Bucket{burst_, now});
    Bucket& bucket = place->second;
    bucket = {tokens_at(bucket, now), now};
    DEFIANCE_ASSERT(buckets_.size() <= max_addresses);
    if (bucket.tokens < 1) return (1 - bucket.tokens) / rate_;
    bucket.tokens -= 1;
    return 0;
}

std::size_t RateLimiter::size() const {
    const std::lock_guard lock(mutex_);
    return buckets_.size();
}

}  // namespace defiance
