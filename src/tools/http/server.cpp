#include <tools/http/server.hpp>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <iterator>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/system.hpp>
#include <tools/http/connection.hpp>

namespace defiance {
namespace {

/// How long the threads that accept connections wait until they look whether the server stops.
constexpr double accept_seconds = 0.1;
/// And after something went wrong.
constexpr int pause_milliseconds = 50;
/// After this time stop() cuts off clients that do not take their replies.
constexpr std::chrono::seconds patience(1);

/// A connection and the thread that serves it.
struct ServedConnection {
    explicit ServedConnection(Socket accepted) : socket(std::move(accepted)) {}

    Socket socket;
    std::thread thread;
};

/// Connections that were refused. They are closed a little later, because a connection that is
/// closed before all was read is reset, and the client may lose the reply.
class RefusedConnections {
public:
    void refuse(Socket socket) {
        std::string reply;
        append_response(reply,
                        http_failure(503,
                                     "there are too many connections, of one address or in all; "
                                     "'defiance serve --connections' allows more"),
                        HttpAfter::close, true);
        if (!socket.write(reply, 0)) return;
        socket.end_sending();
        constexpr std::size_t max_kept = 64;
        if (kept_.size() >= max_kept) kept_.pop_front();
        kept_.push_back({std::move(socket), {}});
    }

    void close_old() {
        while (!kept_.empty() && kept_.front().since.seconds() > 0.5)
            kept_.pop_front();
    }

private:
    struct Kept {
        Socket socket;
        Stopwatch since;
    };
    std::list<Kept> kept_;  // a deque would need memory from the beginning
};

/// Whether this machine has the address at all, whatever ports are taken there.
bool has_address(const std::string& address) {
    return static_cast<bool>(Listener::open(address, 0));
}

}  // namespace

/// All that threads of the server use; it does not move.
class HttpServer::Core {
public:
    Core(const HttpServerOptions& options, HttpHandler& handler) : state_(options, handler) {}
    ~Core() { stop(); }
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    [[nodiscard]] std::optional<Error> listen();
    [[nodiscard]] std::optional<Error> begin();
    void stop();
    [[nodiscard]] HttpServerCounts counts() const;
    [[nodiscard]] std::uint16_t port() const { return port_; }

private:
    using Connections = std::list<ServedConnection>;

    [[nodiscard]] std::optional<Error> listen_at(std::uint16_t port);
    void accept_all(Listener& listener);
    void accept_next(Listener& listener, RefusedConnections& refused);
    [[nodiscard]] bool add(Socket& socket);
    [[nodiscard]] bool has_room_for(const IpAddress& address) const;
    void serve(Connections::iterator connection);
    void join_ended();

    ServerState state_;
    std::uint16_t port_ = 0;
    std::vector<Listener> listeners_;
    std::vector<std::thread> accepting_;
    std::mutex stop_mutex_;  ///< one thread stops

    mutable std::mutex mutex_;  ///< of all that follows
    std::condition_variable has_ended_;
    Connections open_;
    Connections ended_;  ///< their threads are about to return
    std::uint64_t accepted_ = 0;
    std::uint64_t refused_busy_ = 0;
};

std::optional<Error> HttpServer::Core::listen_at(std::uint16_t port) {
    listeners_.clear();
    std::optional<Error> problem = Error{"there is no address to listen at"};
    for (const std::string& address : state_.options.addresses) {
        Result<Listener> listener = Listener::open(address, port);
        if (!listener) {
            problem = Error{listener.error()};
            if (address == "::1" && !listeners_.empty() && !has_address(address)) continue;
            return problem;
        }
        port = listener->port();
        listeners_.push_back(*std::move(listener));
    }
    if (listeners_.empty()) return problem;
    port_ = port;
    return std::nullopt;
}

std::optional<Error> HttpServer::Core::listen() {
    std::optional<Error> problem;
    // A port that is free at one address may be taken at the next.
    const int attempts = state_.options.port == 0 ? 8 : 1;
    for (int i = 0; i < attempts; ++i) {
        problem = listen_at(state_.options.port);
        if (!problem) return std::nullopt;
    }
    return problem;
}

std::optional<Error> HttpServer::Core::begin() {
    try {
        for (Listener& listener : listeners_)
            accepting_.emplace_back([this, &listener] { accept_all(listener); });
    } catch (const std::system_error&) {
        return Error{"there are too many threads to start a server"};
    }
    return std::nullopt;
}

void HttpServer::Core::accept_all(Listener& listener) {
    RefusedConnections refused;
    while (!state_.is_stopping) {
        try {
            accept_next(listener, refused);
        } catch (const std::exception&) {
            // Out of memory: a connection is lost, the others go on.
            sleep_milliseconds(pause_milliseconds);
        }
    }
}

void HttpServer::Core::accept_next(Listener& listener, RefusedConnections& refused) {
    Socket socket = Listener::no_connection();
    const Listener::Accept outcome = listener.accept(socket, accept_seconds);
    refused.close_old();
    join_ended();
    if (outcome == Listener::Accept::failed) sleep_milliseconds(pause_milliseconds);
    if (outcome == Listener::Accept::accepted && !add(socket)) refused.refuse(std::move(socket));
}

bool HttpServer::Core::has_room_for(const IpAddress& address) const {
    const HttpServerOptions& options = state_.options;
    if (open_.size() >= static_cast<std::size_t>(options.max_connections)) return false;
    if (address.is_loopback()) return true;
    const std::uint64_t network = network_of(address);
    const auto count = std::count_if(open_.begin(), open_.end(), [&](const ServedConnection& c) {
        return network_of(c.socket.peer()) == network;
    });
    return count < options.max_connections_per_address;
}

/// Starts a thread for the connection. False when it must be refused.
bool HttpServer::Core::add(Socket& socket) {
    const std::lock_guard lock(mutex_);
    ++accepted_;
    if (!has_room_for(socket.peer())) {
        ++refused_busy_;
        return false;
    }
    auto connection = open_.end();
    try {
        connection = open_.emplace(open_.end(), std::move(socket));
        connection->thread = std::thread([this, connection] { serve(connection); });
    } catch (const std::exception&) {
        // There are too many threads, or there is too little memory.
        if (connection != open_.end()) {
            socket = std::move(connection->socket);
            open_.erase(connection);
        }
        ++refused_busy_;
        return false;
    }
    return true;
}

void HttpServer::Core::serve(Connections::iterator connection) {
    try {
        Connection(state_, connection->socket).serve();
    } catch (const std::exception&) {
        // Out of memory: this connection ends, the others go on.
        connection->socket.interrupt();
    }
    Socket closing = Listener::no_connection();
    const std::lock_guard lock(mutex_);
    closing = std::move(connection->socket);
    ended_.splice(ended_.end(), open_, connection);
    has_ended_.notify_all();
}

void HttpServer::Core::join_ended() {
    Connections ended;
    {
        const std::lock_guard lock(mutex_);
        ended.splice(ended.end(), ended_);
    }
    for (ServedConnection& connection : ended)
        connection.thread.join();
}

void HttpServer::Core::stop() {
    const std::lock_guard stopping(stop_mutex_);
    state_.is_stopping = true;
    for (std::thread& thread : accepting_)
        thread.join();
    accepting_.clear();
    listeners_.clear();
    {
        std::unique_lock lock(mutex_);
        has_ended_.wait_for(lock, patience, [&] { return open_.empty(); });
        for (ServedConnection& connection : open_)
            connection.socket.interrupt();
        has_ended_.wait(lock, [&] { return open_.empty(); });
    }
    join_ended();
}

HttpServerCounts HttpServer::Core::counts() const {
    HttpServerCounts counts;
    counts.requests = state_.requests;
    counts.malformed = state_.malformed;
    counts.over_limit = state_.over_limit;
    const std::lock_guard lock(mutex_);
    counts.connections = accepted_;
    counts.open = open_.size();
    counts.refused_busy = refused_busy_;
    return counts;
}

HttpServer::HttpServer(std::unique_ptr<Core> core) : core_(std::move(core)) {}

HttpServer::~HttpServer() {
    // Until then the handler may ask for the counts.
    core_->stop();
}

Result<std::unique_ptr<HttpServer>> HttpServer::start(const HttpServerOptions& options,
                                                      HttpHandler& handler) {
    auto core = std::make_unique<Core>(options, handler);
    if (std::optional<Error> problem = core->listen()) return *problem;
    if (std::optional<Error> problem = core->begin()) return *problem;
    return std::unique_ptr<HttpServer>(new HttpServer(std::move(core)));
}

void HttpServer::stop() {
    core_->stop();
}

std::uint16_t HttpServer::port() const {
    return core_->port();
}

HttpServerCounts HttpServer::counts() const {
    return core_->counts();
}

}  // namespace defiance
