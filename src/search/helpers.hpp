#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <system_error>
#include <thread>
#include <vector>

#include <defiance/base/system.hpp>

#include "worker.hpp"

namespace defiance {

/// The threads beside the main one of a search (lazy SMP): each searches the same position by
/// itself and helps by what it leaves in the transposition table.
template <class Rules>
class Search<Rules>::Helpers {
public:
    explicit Helpers(TranspositionTable& table) : table_(table) {}
    ~Helpers() { stop(); }

    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    /// Starts up to `count` threads, as many as can be had, with the databases and the network of
    /// the main one. `history` must be valid until stop().
    void start(int count, std::span<const Position> history, const SearchLimits& limits,
               const Worker& main) {
        DEFIANCE_ASSERT(threads_.empty() && count > 0 && count < max_search_threads);
        is_stopped_ = false;
        nodes_ = 0;
        max_nodes_ = limits.nodes;
        SearchLimits unlimited = limits;
        unlimited.nodes = UINT64_MAX;
        const int priority = thread_priority();
        try {
            for (int i = 0; i < count; ++i) {
                if (static_cast<int>(workers_.size()) == i)
                    workers_.push_back(std::make_unique<Worker>(table_));
                Worker& worker = *workers_[static_cast<std::size_t>(i)];
                worker.use_those_of(main);
                // Half of the threads, the main one among them, are at one depth and half at the
                // next, so that they do not all search the same tree.
                const int first_depth = i % 2 == 0 ? 2 : 1;
                threads_.emplace_back([this, &worker, history, unlimited, first_depth, priority] {
                    set_thread_priority(priority);
                    search(worker, history, unlimited, first_depth);
                });
            }
        } catch (const std::bad_alloc&) {
        } catch (const std::system_error&) {
        }
    }

    /// Ends all threads.
    void stop() {
        is_stopped_ = true;
        for (std::thread& thread : threads_)
            thread.join();
        threads_.clear();
    }

    /// What all of them have searched since start().
    [[nodiscard]] const std::atomic<std::uint64_t>& nodes() const { return nodes_; }

private:
    /// Adds up nodes and ends a search when the main one has ended.
    class Observer : public SearchObserver {
    public:
        explicit Observer(Helpers& helpers) : helpers_(helpers) {}

        bool must_stop(std::uint64_t nodes) override {
            DEFIANCE_ASSERT(nodes >= counted_);
            const std::uint64_t all =
                helpers_.nodes_.fetch_add(nodes - counted_, std::memory_order_relaxed) + nodes -
                counted_;
            counted_ = nodes;
            // The main one sees the limit only when it asks the next time.
            return all >= helpers_.max_nodes_ ||
                   helpers_.is_stopped_.load(std::memory_order_relaxed);
        }
        bool may_go_deeper(const SearchReport&) override {
            return !helpers_.is_stopped_.load(std::memory_order_relaxed);
        }

    private:
        Helpers& helpers_;
        std::uint64_t counted_ = 0;
    };

    void search(Worker& worker, std::span<const Position> history, const SearchLimits& limits,
                int first_depth) {
        Observer observer(*this);
        try {
            const SearchResult result = worker.run(history, limits, observer, first_depth);
            static_cast<void>(observer.must_stop(result.nodes));
        } catch (const std::bad_alloc&) {
            // The others go on without it.
        }
    }

    TranspositionTable& table_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::thread> threads_;
    std::atomic<bool> is_stopped_ = false;
    std::atomic<std::uint64_t> nodes_ = 0;
    std::uint64_t max_nodes_ = UINT64_MAX;
};

}  // namespace defiance
