#include <catch2/catch.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

#include <defiance/base/socket.hpp>
#include <tools/http/rate_limiter.hpp>

using namespace defiance;

TEST_CASE("a rate is kept for each address", "[http]") {
    RateLimiter limiter(5, 20);
    const RateLimiter::Clock::time_point start{};
    const auto at = [&](double seconds) {
        return start + std::chrono::duration_cast<RateLimiter::Clock::duration>(
                           std::chrono::duration<double>(seconds));
    };
    IpAddress one;
    one.bytes = {0x20, 1, 0xD, 0xB8};
    IpAddress neighbour = one;  // of the same network
    neighbour.bytes[15] = 7;
    IpAddress other = one;
    other.bytes[7] = 1;
    for (int i = 0; i < 20; ++i)
        CHECK(limiter.take(i % 2 == 0 ? one : neighbour, at(100)) == 0);
    CHECK(limiter.take(one, at(100)) == Approx(0.2));
    CHECK(limiter.take(neighbour, at(100.1)) == Approx(0.1));
    CHECK(limiter.take(other, at(100.1)) == 0);
    CHECK(limiter.take(one, at(100.2001)) == 0);
    CHECK(limiter.take(one, at(100.2001)) > 0);
    CHECK(limiter.take(one, at(99)) > 0);  // a clock that is set back gives nothing
    int allowed = 0;
    for (int i = 0; i < 1000; ++i)
        allowed += limiter.take(one, at(200 + i * 0.01)) == 0 ? 1 : 0;
    CHECK(allowed >= 68);
    CHECK(allowed <= 71);
    RateLimiter unlimited(0, 0);
    CHECK(unlimited.take(one, at(1)) == 0);
    CHECK(unlimited.size() == 0);
}

TEST_CASE("what costs more takes more of a rate", "[http]") {
    RateLimiter limiter(5, 20);
    const RateLimiter::Clock::time_point start{};
    const IpAddress address;
    CHECK(limiter.take(address, start, 15) == 0);
    CHECK(limiter.take(address, start, 15) == Approx(2));
    CHECK(limiter.take(address, start, 5) == 0);
    CHECK(limiter.take(address, start) == Approx(0.2));
    // A full bucket pays for anything, and is empty then.
    const RateLimiter::Clock::time_point later = start + std::chrono::hours(1);
    CHECK(limiter.take(address, later, 256) == 0);
    CHECK(limiter.take(address, later, 256) == Approx(4));
    CHECK(limiter.take(address, later) == Approx(0.2));
}

TEST_CASE("the addresses of one network count as one", "[http]") {
    IpAddress six;
    six.bytes = {0x20, 1, 0xD, 0xB8, 0, 0, 0, 1, 1};
    IpAddress neighbour = six;
    neighbour.bytes[15] = 9;
    IpAddress other = six;
    other.bytes[7] = 2;
    CHECK(network_of(six) == network_of(neighbour));
    CHECK(network_of(six) != network_of(other));
    IpAddress four;
    four.bytes = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 0, 0, 1};
    IpAddress next = four;
    next.bytes[15] = 2;
    CHECK(network_of(four) != network_of(next));
    CHECK(network_of(four) != network_of(IpAddress{}));
}

TEST_CASE("a rate limiter remembers a bounded number of addresses", "[http]") {
    RateLimiter limiter(5, 2);
    const RateLimiter::Clock::time_point now{};
    IpAddress address;
    for (std::uint32_t i = 0; i < RateLimiter::max_addresses + 10; ++i) {
        for (std::size_t k = 0; k < 4; ++k)
            address.bytes[k] = static_cast<std::uint8_t>(i >> (8 * k));
        REQUIRE(limiter.take(address, now) == 0);
        REQUIRE(limiter.size() <= RateLimiter::max_addresses);
    }
}
