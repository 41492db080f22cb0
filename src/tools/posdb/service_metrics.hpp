#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include <tools/http/server.hpp>
#include <tools/posdb/api_request.hpp>
#include <tools/store/position_store.hpp>

namespace defiance {

/// What a position database has done since it was started. Any threads may use it.
struct ServiceMetrics {
    using Count = std::atomic<std::uint64_t>;

    /// By action; boards of a batch count each.
    std::array<Count, api_action_kinds.size()> requests{};
    Count invalid = 0;      ///< requests that ask for nothing there is
    Count failures = 0;     ///< of the store
    Count learned = 0;      ///< positions queued because a user stepped into them
    Count scored = 0;       ///< positions that other programs have scored
    Count scored_here = 0;  ///< positions that this program has scored
    Count failures_here =
        0;  ///< of the store, or for want of memory, when this program scored some
    Count expansion_queued = 0;     ///< positions queued by drop-out expansion
    Count expansion_positions = 0;  ///< known ones that it leads to
    Count microseconds = 0;         ///< that answers took
};

/// How much a store holds, as far as it could tell.
struct StoreSizes {
    std::array<std::uint64_t, store_game_names.size()> positions{};
    /// How often a value was read that makes no sense.
    std::array<std::uint64_t, store_game_names.size()> undecodable{};
    QueueSize queue;
    bool is_working = false;
};

/// All figures in the text format of Prometheus.
[[nodiscard]] std::string prometheus_text(const ServiceMetrics& metrics,
                                          const HttpServerCounts& http, const StoreSizes& sizes);

}  // namespace defiance
