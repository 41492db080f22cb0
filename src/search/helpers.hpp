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
        nodes_.of_main = 0;
        nodes_.of_helpers = 0;
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
                    const NoSystemDialogs no_dialogs;
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

    /// What is searched from start() on; the main thread adds its part.
    [[nodiscard]] typename Worker::TeamNodes& nodes() { return nodes_; }

private:
    /// Adds up nodes and ends a search when the main one has ended.
    class Observer : public SearchObserver {
    public:
        explicit Observer(Helpers& helpers) : helpers_(helpers) {}

        bool must_stop(std::uint64_t nodes) override {
            DEFIANCE_ASSERT(nodes >= counted_);
            auto& [of_main, of_helpers] = helpers_.nodes_;
            const std::uint64_t new_nodes = nodes - counted_;
            const std::uint64_t all = of_helpers.fetch_add(new_nodes, std::memory_order_relaxed) +
                                      new_nodes + of_main.load(std::memory_order_relaxed);
            counted_ = nodes;
            // The main one sees the limit only when it asks the next time, and may be waiting for a
            // processor.
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
        } catch (...) {
            // The others go on without it, whatever it was: a driver for databases made by others
            // is not our code, and an exception that leaves a thread ends the program.
        }
    }

    TranspositionTable& table_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::thread> threads_;
    std::atomic<bool> is_stopped_ = false;
    typename Worker::TeamNodes nodes_;
    std::uint64_t max_nodes_ = UINT64_MAX;
};

}  // namespace defiance
