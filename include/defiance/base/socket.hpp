#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <defiance/base/result.hpp>

namespace defiance {

/// A numeric IPv4 or IPv6 address. IPv4 is kept as an IPv4-mapped IPv6 address (::ffff:1.2.3.4).
struct IpAddress {
    std::array<std::uint8_t, 16> bytes{};

    [[nodiscard]] bool is_v4() const;
    /// True for 127.0.0.0/8 and ::1.
    [[nodiscard]] bool is_loopback() const;
    /// The address without its port, such as "127.0.0.1" or "::1".
    [[nodiscard]] std::string text() const;

    friend bool operator==(const IpAddress&, const IpAddress&) = default;
};

/// One end of a TCP connection. No child process inherits it. Movable.
///
/// For one thread at a time; only interrupt() may be called on another thread meanwhile. No call
/// raises a signal.
class Socket {
public:
    enum class Read {
        data,     ///< something was appended
        closed,   ///< the other side has closed the connection, or it is broken
        too_late  ///< nothing came in time
    };

    /// Connects to a host name or a numeric address (IPv6 without brackets) within `seconds`,
    /// finding the address of the name included. The addresses of a name are tried in turn. Error:
    /// one line that names host and port.
    static Result<Socket> connect(const std::string& host, std::uint16_t port, double seconds);

    Socket(Socket&& other) noexcept;
    Socket& operator=(Socket&& other) noexcept;
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    ~Socket();

    /// Appends what has arrived, at most 16 KiB; waits up to `seconds` for the first byte.
    [[nodiscard]] Read read(std::string& text, double seconds);

    /// Sends the text. False when the connection is broken, or when the other side has not taken
    /// all of the text within `seconds`; part of it may then have been sent.
    [[nodiscard]] bool write(std::string_view text, double seconds);

    /// True when nothing has arrived and the other side has not closed the connection, as between
    /// the requests of a connection that is kept open.
    [[nodiscard]] bool is_quiet() const;

    /// Tells the other side that nothing more will be sent; what it sends can still be read.
    void end_sending();

    /// Ends the connection. A call that waits on another thread returns within a fifth of a second,
    /// and all further ones at once.
    void interrupt();

    /// The address of the other side.
    [[nodiscard]] const IpAddress& peer() const { return peer_; }

private:
    friend class Listener;

    /// A file descriptor or a SOCKET; both are -1 for none.
    using Handle = std::intptr_t;
    static constexpr Handle none = -1;

    Socket(Handle handle, const IpAddress& peer) : handle_(handle), peer_(peer) {}

    Handle handle_ = none;
    IpAddress peer_;
    std::atomic<bool> is_interrupted_ = false;
};

/// Waits for connections at an address and port of this machine. Movable. For one thread at a time.
class Listener {
public:
    /// Listens at a numeric address of this machine, such as "127.0.0.1", "::1" or "0.0.0.0". Port
    /// 0 is a free one that the system chooses. Error: one line that names address and port and
    /// says why.
    static Result<Listener> open(const std::string& address, std::uint16_t port);

    enum class Accept {
        accepted,  ///< there is a connection
        too_late,  ///< none came in time
        failed     ///< none can be had at this time, such as for want of file descriptors
    };

    Listener(Listener&& other) noexcept;
    Listener& operator=(Listener&& other) noexcept;
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    ~Listener();

    /// Waits up to `seconds` for a connection and puts it in the place of `socket`. Requests that
    /// their sender has given up before are passed over as too_late.
    [[nodiscard]] Accept accept(Socket& socket, double seconds);

    /// The port it listens at.
    [[nodiscard]] std::uint16_t port() const { return port_; }

    /// A socket without connection, to be replaced by accept().
    static Socket no_connection() { return {Socket::none, {}}; }

private:
    Listener(Socket::Handle handle, std::uint16_t port) : handle_(handle), port_(port) {}

    Socket::Handle handle_ = Socket::none;
    std::uint16_t port_ = 0;
};

}  // namespace defiance
