#include "socket_calls.hpp"
// After socket_calls.hpp, which includes winsock2.h.
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/background.hpp>
#include <defiance/base/socket.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

namespace calls = socket_calls;

/// An address to connect to.
struct Place {
    sockaddr_storage address{};
    socklen_t size = 0;
};

std::vector<Place> find_places(const std::string& host, std::uint16_t port, int flags) {
    addrinfo hints{};
    hints.ai_flags = flags;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    std::vector<Place> places;
    if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found) != 0)
        return places;
    constexpr std::size_t max_places = 8;
    for (const addrinfo* a = found; a != nullptr && places.size() < max_places; a = a->ai_next) {
        if (a->ai_family != AF_INET && a->ai_family != AF_INET6) continue;
        Place& place = places.emplace_back();
        std::memcpy(&place.address, a->ai_addr, a->ai_addrlen);
        place.size = static_cast<socklen_t>(a->ai_addrlen);
    }
    ::freeaddrinfo(found);
    return places;
}

/// What a thread that looks a name up shares with the one that waits for it.
struct Lookup {
    std::mutex mutex;
    std::condition_variable is_over;
    bool done = false;
    std::vector<Place> places;
};

/// The same within a time. The system may take as long as it likes for a name, so another thread
/// asks it and is left alone when the time is over.
std::vector<Place> find_in_time(const std::string& host, std::uint16_t port,
                                const calls::Deadline& deadline) {
    if (host == "localhost") {
        std::vector<Place> places = find_places("127.0.0.1", port, AI_NUMERICHOST);
        for (const Place& place : find_places("::1", port, AI_NUMERICHOST))
            places.push_back(place);
        return places;
    }
    std::vector<Place> numeric = find_places(host, port, AI_NUMERICHOST);
    if (!numeric.empty()) return numeric;
    const auto lookup = std::make_shared<Lookup>();
    const bool runs = run_in_background([lookup, host, port] {
        std::vector<Place> places = find_places(host, port, 0);
        const std::lock_guard lock(lookup->mutex);
        lookup->places = std::move(places);
        lookup->done = true;
        lookup->is_over.notify_one();
    });
    if (!runs) return {};
    std::unique_lock lock(lookup->mutex);
    lookup->is_over.wait_for(lock, std::chrono::milliseconds(deadline.milliseconds()),
                             [&] { return lookup->done; });
    return lookup->places;
}

/// Connects the socket within a time. 0, or the system's code of what went wrong.
int connect_in_time(calls::Handle handle, const Place& place, int milliseconds) {
    if (handle == calls::none || !calls::prepare(handle)) return calls::last_problem();
    if (::connect(calls::native(handle), reinterpret_cast<const sockaddr*>(&place.address),
                  place.size) == 0)
        return 0;
    if (!calls::is_connecting()) return calls::last_problem();
    const calls::Deadline deadline(milliseconds / 1000.0);
    // Also after a signal, which says nothing about the other side.
    while (!calls::wait_for(handle, calls::Wish::to_connect, deadline.milliseconds()))
        if (deadline.milliseconds() == 0) return calls::timed_out;
    int problem = 0;
    socklen_t size = sizeof problem;
    return ::getsockopt(calls::native(handle), SOL_SOCKET, SO_ERROR,
                        reinterpret_cast<char*>(&problem), &size) == 0
               ? problem
               : calls::last_problem();
}

/// Of two addresses of a machine that could not be connected to, the problem that tells more: one
/// that refuses or does not answer was reached, or may be.
int more_telling(int before, int problem) {
    for (const int code : {calls::refused, calls::timed_out})
        if (before == code || problem == code) return code;
    return problem;
}

Error connect_error(const std::string& target, int problem) {
    if (problem == calls::refused) return Error{target + " refuses the connection"};
    if (problem == calls::timed_out) return Error{target + " did not answer in time"};
    return Error{target + " cannot be reached: " + calls::reason_of_problem(problem)};
}

IpAddress ip_of(const Place& place) {
    IpAddress address;
    if (place.address.ss_family == AF_INET6) {
        std::memcpy(
            address.bytes.data(),
            reinterpret_cast<const char*>(&place.address) + offsetof(sockaddr_in6, sin6_addr), 16);
    } else {
        address.bytes[10] = address.bytes[11] = 0xFF;
        std::memcpy(address.bytes.data() + 12,
                    reinterpret_cast<const char*>(&place.address) + offsetof(sockaddr_in, sin_addr),
                    4);
    }
    return address;
}

}  // namespace

Result<Socket> Socket::connect(const std::string& host, std::uint16_t port, double seconds) {
    const calls::Deadline deadline(seconds);
    const std::string target = shown(host, 100) + " port " + std::to_string(port);
    if (!calls::start_sockets()) return Error{"there is no network to reach " + target};
    if (host.empty() || host.find('\0') != std::string::npos)
        return Error{"'" + shown(host, 100) + "' is no name of a machine"};
    const std::vector<Place> places = find_in_time(host, port, deadline);
    if (places.empty())
        return Error{deadline.milliseconds() == 0
                         ? "the address of " + target + " was not found in time"
                         : "there is no machine " + target};
    std::size_t left = places.size();
    int problem = 0;
    for (const Place& place : places) {
        const int share = deadline.milliseconds() / static_cast<int>(left--);
        Socket socket(calls::open_socket(place.address.ss_family), ip_of(place));
        if (const int code = connect_in_time(socket.handle_, place, share); code != 0) {
            problem = more_telling(problem, code);
            continue;
        }
        (void)calls::set_option(socket.handle_, IPPROTO_TCP, TCP_NODELAY, 1);
        return socket;
    }
    return connect_error(target, deadline.milliseconds() == 0 ? calls::timed_out : problem);
}

}  // namespace defiance
