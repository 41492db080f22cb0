#pragma once

// What differs between BSD sockets and Winsock, under one set of names. Only for sources of
// sockets.

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
// After winsock2.h, which must come first.
#include <windows.h>
#else
#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#endif

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "system_reason.hpp"

namespace defiance::socket_calls {

/// A file descriptor or a SOCKET; both are -1 for none.
using Handle = std::intptr_t;
inline constexpr Handle none = -1;

/// A point in time after which nothing is waited for.
class Deadline {
public:
    explicit Deadline(double seconds)
        : end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(std::clamp(seconds, 0.0, 1e6)))) {}

    /// Milliseconds left, rounded up; 0 when it is over.
    [[nodiscard]] int milliseconds() const {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now());
        return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000'000));
    }
    [[nodiscard]] double seconds() const { return milliseconds() / 1000.0; }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point end_;
};

enum class Wish { to_read, to_write, to_connect };

#ifdef _WIN32

inline SOCKET native(Handle handle) {
    return static_cast<SOCKET>(handle);
}

/// Starts Winsock, once for the process. False when there is none.
inline bool start_sockets() {
    static const bool started = [] {
        WSADATA about;
        return WSAStartup(MAKEWORD(2, 2), &about) == 0;
    }();
    return started;
}

inline bool would_block() {
    return WSAGetLastError() == WSAEWOULDBLOCK;
}
inline bool was_interrupted() {
    return false;
}
inline bool is_connecting() {
    return WSAGetLastError() == WSAEWOULDBLOCK;
}
inline bool is_given_up() {
    return WSAGetLastError() == WSAECONNRESET;
}
inline int last_problem() {
    return WSAGetLastError();
}
inline std::string reason_of_problem(int code) {
    return reason_of_windows(static_cast<DWORD>(code));
}
inline constexpr int refused = WSAECONNREFUSED;
inline constexpr int timed_out = WSAETIMEDOUT;

/// Why nobody can listen here, after a call has failed.
inline std::string reason_not_to_listen() {
    switch (const int code = WSAGetLastError(); code) {
        case WSAEADDRINUSE:
            return "the port is in use";
        case WSAEACCES:
            return "the port is in use, or Windows keeps it for itself";
        case WSAEADDRNOTAVAIL:
            return "this machine has no such address";
        default:
            return reason_of_problem(code);
    }
}

inline Handle open_socket(int family) {
    return static_cast<Handle>(::socket(family, SOCK_STREAM, IPPROTO_TCP));
}
inline Handle accept_socket(Handle handle, sockaddr* from, socklen_t* length) {
    return static_cast<Handle>(::accept(native(handle), from, length));
}
inline void close_socket(Handle handle) {
    closesocket(native(handle));
}

/// Not inherited by child processes, and calls on it return at once.
inline bool prepare(Handle handle) {
    SetHandleInformation(reinterpret_cast<HANDLE>(handle), HANDLE_FLAG_INHERIT, 0);
    u_long yes = 1;
    return ioctlsocket(native(handle), FIONBIO, &yes) == 0;
}

inline long receive(Handle handle, char* into, std::size_t size) {
    return ::recv(native(handle), into, static_cast<int>(size), 0);
}
inline long peek(Handle handle, char* into) {
    return ::recv(native(handle), into, 1, MSG_PEEK);
}
inline long send_some(Handle handle, const char* bytes, std::size_t size) {
    return ::send(native(handle), bytes, static_cast<int>(std::min<std::size_t>(size, 1 << 30)), 0);
}

/// True when the wish can be fulfilled or has failed; select() because WSAPoll() does not report a
/// refused connection. Only that is looked for among the exceptions: a single urgent byte, which
/// nobody reads here, is one too and stays one.
inline bool wait_for(Handle handle, Wish wish, int milliseconds) {
    fd_set wanted;
    fd_set failed;
    FD_ZERO(&wanted);
    FD_ZERO(&failed);
    FD_SET(native(handle), &wanted);
    FD_SET(native(handle), &failed);
    timeval time{milliseconds / 1000, milliseconds % 1000 * 1000};
    fd_set* const reads = wish == Wish::to_read ? &wanted : nullptr;
    fd_set* const writes = wish == Wish::to_read ? nullptr : &wanted;
    fd_set* const failures = wish == Wish::to_connect ? &failed : nullptr;
    return ::select(0, reads, writes, failures, &time) != 0;
}

/// Milliseconds for one wait_for(): shutdown() ends none on another thread.
inline constexpr int longest_wait = 150;
inline constexpr int end_both = SD_BOTH;
inline constexpr int end_sends = SD_SEND;
/// Two programs never listen at the same port.
inline constexpr int own_port = SO_EXCLUSIVEADDRUSE;

#else

inline int native(Handle handle) {
    return static_cast<int>(handle);
}

inline bool start_sockets() {
    return true;
}

inline bool would_block() {
    return errno == EAGAIN || errno == EWOULDBLOCK;
}
inline bool was_interrupted() {
    return errno == EINTR;
}
inline bool is_connecting() {
    return errno == EINPROGRESS;
}
inline bool is_given_up() {
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == ECONNABORTED || errno == EINTR ||
           errno == EPROTO;
}
inline int last_problem() {
    return errno;
}
inline std::string reason_of_problem(int code) {
    return reason_of_errno(code);
}
inline constexpr int refused = ECONNREFUSED;
inline constexpr int timed_out = ETIMEDOUT;

inline std::string reason_not_to_listen() {
    switch (errno) {
        case EADDRINUSE:
            return "the port is in use";
        case EACCES:
            return "the port needs more rights";
        case EADDRNOTAVAIL:
            return "this machine has no such address";
        default:
            return reason_of_problem(errno);
    }
}

inline Handle open_socket(int family) {
    return ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
}
inline Handle accept_socket(Handle handle, sockaddr* from, socklen_t* length) {
    return ::accept4(native(handle), from, length, SOCK_CLOEXEC);
}
inline void close_socket(Handle handle) {
    ::close(native(handle));
}

/// From here on calls on it return at once.
inline bool prepare(Handle handle) {
    const int flags = ::fcntl(native(handle), F_GETFL);
    return flags >= 0 && ::fcntl(native(handle), F_SETFL, flags | O_NONBLOCK) == 0;
}

inline long receive(Handle handle, char* into, std::size_t size) {
    return static_cast<long>(::recv(native(handle), into, size, 0));
}
inline long peek(Handle handle, char* into) {
    return static_cast<long>(::recv(native(handle), into, 1, MSG_PEEK));
}
inline long send_some(Handle handle, const char* bytes, std::size_t size) {
    return static_cast<long>(::send(native(handle), bytes, size, MSG_NOSIGNAL));
}

/// True when the wish can be fulfilled or has failed. A signal ends the wait early.
inline bool wait_for(Handle handle, Wish wish, int milliseconds) {
    pollfd entry{native(handle), static_cast<short>(wish == Wish::to_read ? POLLIN : POLLOUT), 0};
    return ::poll(&entry, 1, milliseconds) > 0;
}

/// Milliseconds for one wait_for(), which shutdown() on another thread ends.
inline constexpr int longest_wait = 1'000'000'000;
inline constexpr int end_both = SHUT_RDWR;
inline constexpr int end_sends = SHUT_WR;
/// A port is free again as soon as its program has ended.
inline constexpr int own_port = SO_REUSEADDR;

#endif

/// Sets an option of a socket that is a number.
inline bool set_option(Handle handle, int level, int option, int value) {
    return ::setsockopt(native(handle), level, option, reinterpret_cast<const char*>(&value),
                        sizeof value) == 0;
}

}  // namespace defiance::socket_calls
