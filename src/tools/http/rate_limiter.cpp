#include <tools/http/rate_limiter.hpp>

#include <algorithm>

#include <defiance/base/assert.hpp>

namespace defiance {

std::uint64_t network_of(const IpAddress& address) {
    const bool is_v4 = address.is_v4();
    // No address of IPv6 begins with 16 zero bits and FFFF.
    std::uint64_t network = is_v4 ? 0xFFFF : 0;
    for (std::size_t i = is_v4 ? 12 : 0; i < (is_v4 ? 16U : 8U); ++i)
        network = network << 8 | address.bytes[i];
    return network;
}

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

double RateLimiter::take(const IpAddress& address, Clock::time_point now, double cost) {
    DEFIANCE_ASSERT(cost >= 1);
    if (rate_ <= 0) return 0;
    // A full bucket pays for anything.
    const double tokens = std::max(1.0, std::min(cost, burst_));
    const std::lock_guard lock(mutex_);
    const std::uint64_t network = network_of(address);
    if (buckets_.size() >= max_addresses && !buckets_.contains(network)) forget_full_buckets(now);
    const auto [place, is_new] = buckets_.try_emplace(network, Bucket{burst_, now});
    Bucket& bucket = place->second;
    bucket = {tokens_at(bucket, now), now};
    DEFIANCE_ASSERT(buckets_.size() <= max_addresses);
    if (bucket.tokens < tokens) return (tokens - bucket.tokens) / rate_;
    bucket.tokens -= tokens;
    return 0;
}

std::size_t RateLimiter::size() const {
    const std::lock_guard lock(mutex_);
    return buckets_.size();
}

}  // namespace defiance
