#include "socket_calls.hpp"
// After socket_calls.hpp, which includes winsock2.h.
#include <algorithm>
#include <cstring>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/socket.hpp>

namespace defiance {
namespace {

namespace calls = socket_calls;

constexpr std::array<std::uint8_t, 12> v4_mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

IpAddress address_of(const sockaddr_storage& storage) {
    IpAddress address;
    if (storage.ss_family == AF_INET6) {
        sockaddr_in6 v6{};
        std::memcpy(&v6, &storage, sizeof v6);
        std::memcpy(address.bytes.data(), &v6.sin6_addr, 16);
    } else if (storage.ss_family == AF_INET) {
        sockaddr_in v4{};
        std::memcpy(&v4, &storage, sizeof v4);
        std::copy(v4_mapped.begin(), v4_mapped.end(), address.bytes.begin());
        std::memcpy(address.bytes.data() + v4_mapped.size(), &v4.sin_addr, 4);
    }
    return address;
}

}  // namespace

bool IpAddress::is_v4() const {
    return std::equal(v4_mapped.begin(), v4_mapped.end(), bytes.begin());
}

bool IpAddress::is_loopback() const {
    if (is_v4()) return bytes[12] == 127;
    IpAddress one;
    one.bytes[15] = 1;
    return *this == one;
}

std::string IpAddress::text() const {
    char buffer[64] = {};
    const bool v4 = is_v4();
    const std::uint8_t* const begin = bytes.data() + (v4 ? v4_mapped.size() : 0);
    return ::inet_ntop(v4 ? AF_INET : AF_INET6, begin, buffer, sizeof buffer) != nullptr
               ? std::string(buffer)
               : std::string();
}

Socket::Socket(Socket&& other) noexcept
    : handle_(std::exchange(other.handle_, none)),
      peer_(other.peer_),
      is_interrupted_(other.is_interrupted_.load()) {}

Socket& Socket::operator=(Socket&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(peer_, other.peer_);
    is_interrupted_ = other.is_interrupted_.exchange(is_interrupted_);
    return *this;
}

Socket::~Socket() {
    if (handle_ != none) calls::close_socket(handle_);
}

Socket::Read Socket::read(std::string& text, double seconds) {
    char buffer[16384];
    const calls::Deadline deadline(seconds);
    while (handle_ != none && !is_interrupted_) {
        const int left = std::min(deadline.milliseconds(), calls::longest_wait);
        if (!calls::wait_for(handle_, calls::Wish::to_read, left)) {
            if (left == 0 || deadline.milliseconds() == 0) return Read::too_late;
            continue;
        }
        const long count = calls::receive(handle_, buffer, sizeof buffer);
        if (count > 0) {
            DEFIANCE_ASSERT(static_cast<std::size_t>(count) <= sizeof buffer);
            text.append(buffer, static_cast<std::size_t>(count));
            return Read::data;
        }
        if (count == 0 || (!calls::would_block() && !calls::was_interrupted())) break;
        // Whatever wait_for() has seen, the time goes on.
        if (deadline.milliseconds() == 0) return Read::too_late;
    }
    return Read::closed;
}

bool Socket::write(std::string_view text, double seconds) {
    const calls::Deadline deadline(seconds);
    while (!text.empty()) {
        if (handle_ == none || is_interrupted_) return false;
        const long count = calls::send_some(handle_, text.data(), text.size());
        if (count >= 0) {
            DEFIANCE_ASSERT(static_cast<std::size_t>(count) <= text.size());
            text.remove_prefix(static_cast<std::size_t>(count));
            continue;
        }
        if (calls::was_interrupted()) continue;
        if (!calls::would_block()) return false;
        const int left = std::min(deadline.milliseconds(), calls::longest_wait);
        if (left == 0) return false;
        static_cast<void>(calls::wait_for(handle_, calls::Wish::to_write, left));
    }
    return true;
}

bool Socket::is_quiet() const {
    if (handle_ == none) return false;
    char byte;
    return calls::peek(handle_, &byte) < 0 && calls::would_block();
}

void Socket::end_sending() {
    if (handle_ != none) ::shutdown(calls::native(handle_), calls::end_sends);
}

void Socket::interrupt() {
    is_interrupted_ = true;
    if (handle_ != none) ::shutdown(calls::native(handle_), calls::end_both);
}

Listener::Listener(Listener&& other) noexcept
    : handle_(std::exchange(other.handle_, Socket::none)), port_(other.port_) {}

Listener& Listener::operator=(Listener&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(port_, other.port_);
    return *this;
}

Listener::~Listener() {
    if (handle_ != Socket::none) calls::close_socket(handle_);
}

Result<Listener> Listener::open(const std::string& address, std::uint16_t port) {
    const auto failure = [&] {
        const std::string reason = calls::reason_not_to_listen();
        return Error{"cannot listen at " + address + " port " + std::to_string(port) + ": " +
                     reason};
    };
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (!calls::start_sockets() || address.empty() ||
        ::getaddrinfo(address.c_str(), nullptr, &hints, &found) != 0)
        return Error{"'" + address + "' is no numeric address to listen at"};
    sockaddr_storage place{};
    const socklen_t size = static_cast<socklen_t>(found->ai_addrlen);
    std::memcpy(&place, found->ai_addr, found->ai_addrlen);
    ::freeaddrinfo(found);

    const bool is_v6 = place.ss_family == AF_INET6;
    // The port lies at the same place in both kinds of address.
    const std::uint16_t ordered = htons(port);
    std::memcpy(reinterpret_cast<char*>(&place) + offsetof(sockaddr_in, sin_port), &ordered, 2);
    Listener listener(calls::open_socket(place.ss_family), port);
    if (listener.handle_ == Socket::none || !calls::prepare(listener.handle_)) return failure();
    const auto native = calls::native(listener.handle_);
    if (!calls::set_option(listener.handle_, SOL_SOCKET, calls::own_port, 1)) return failure();
    if (is_v6 && !calls::set_option(listener.handle_, IPPROTO_IPV6, IPV6_V6ONLY, 1))
        return failure();
    if (::bind(native, reinterpret_cast<const sockaddr*>(&place), size) != 0 ||
        ::listen(native, 256) != 0)
        return failure();

    socklen_t length = sizeof place;
    if (::getsockname(native, reinterpret_cast<sockaddr*>(&place), &length) != 0) return failure();
    std::uint16_t chosen = 0;
    std::memcpy(&chosen, reinterpret_cast<const char*>(&place) + offsetof(sockaddr_in, sin_port),
                2);
    listener.port_ = ntohs(chosen);
    DEFIANCE_ASSERT(port == 0 || listener.port_ == port);
    return listener;
}

Listener::Accept Listener::accept(Socket& socket, double seconds) {
    DEFIANCE_ASSERT(handle_ != Socket::none);
    if (!calls::wait_for(handle_, calls::Wish::to_read, calls::Deadline(seconds).milliseconds()))
        return Accept::too_late;
    sockaddr_storage from{};
    socklen_t length = sizeof from;
    const Socket::Handle handle =
        calls::accept_socket(handle_, reinterpret_cast<sockaddr*>(&from), &length);
    if (handle == Socket::none)
        return calls::is_given_up() || calls::would_block() ? Accept::too_late : Accept::failed;
    Socket accepted(handle, address_of(from));
    if (!calls::prepare(handle)) return Accept::failed;
    // A reply is one piece that should leave at once.
    (void)calls::set_option(handle, IPPROTO_TCP, TCP_NODELAY, 1);
    socket = std::move(accepted);
    return Accept::accepted;
}

}  // namespace defiance
