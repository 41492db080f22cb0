#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include <defiance/base/socket.hpp>

namespace defiance {

/// The network that counts as one sender: an IPv4 address, or the 64 bits that the owner of an IPv6
/// network shares with nobody. They never coincide.
[[nodiscard]] std::uint64_t network_of(const IpAddress& address);

/// Allows each address so many requests a second on average (a token bucket for each). The
/// addresses of one IPv6 network of 64 bits count as one, because its owner can use them all. May
/// be used from several threads.
class RateLimiter {
public:
    using Clock = std::chrono::steady_clock;

    /// `rate` requests a second, `burst` at once after a pause. A rate of 0 allows everything.
    RateLimiter(double rate, double burst) : rate_(rate), burst_(burst) {}

    /// Counts a request, or what costs as much as `cost` of them, but never more than a burst. 0:
    /// it is allowed. Otherwise it is not, and the number of seconds after which it will be.
    [[nodiscard]] double take(const IpAddress& address, Clock::time_point now = Clock::now(),
                              double cost = 1);

    /// Addresses that are remembered, at most max_addresses: those that have asked lately.
    [[nodiscard]] std::size_t size() const;

    static constexpr std::size_t max_addresses = 65536;

private:
    struct Bucket {
        double tokens = 0;
        Clock::time_point filled_at;
    };

    [[nodiscard]] double tokens_at(const Bucket& bucket, Clock::time_point now) const;
    void forget_full_buckets(Clock::time_point now);

    double rate_;
    double burst_;
    mutable std::mutex mutex_;
    std::unordered_map<std::uint64_t, Bucket> buckets_;
};

}  // namespace defiance
