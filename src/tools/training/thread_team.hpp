#pragma once

#include <atomic>
#include <barrier>
#include <functional>
#include <thread>
#include <vector>

#include <defiance/base/assert.hpp>

namespace defiance {

/// Threads that wait for tasks, for work in portions too small to start threads for each.
class ThreadTeam {
public:
    explicit ThreadTeam(int threads) : begin_(threads), end_(threads) {
        DEFIANCE_ASSERT(threads > 0);
        for (int thread = 1; thread < threads; ++thread)
            helpers_.emplace_back([this, thread] { help(thread); });
    }
    ~ThreadTeam() {
        is_over_ = true;
        begin_.arrive_and_wait();
        for (std::thread& helper : helpers_)
            helper.join();
    }
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    [[nodiscard]] int size() const { return static_cast<int>(helpers_.size()) + 1; }

    /// Calls task(number, thread) for the numbers 0 to `count` - 1, in any order on any threads.
    void run(int count, const std::function<void(int, int)>& task) {
        task_ = &task;
        count_ = count;
        next_ = 0;
        begin_.arrive_and_wait();
        work(0);
        end_.arrive_and_wait();
    }

private:
    void work(int thread) {
        for (;;) {
            const int number = next_.fetch_add(1);
            if (number >= count_) return;
            (*task_)(number, thread);
        }
    }
    void help(int thread) {
        for (;;) {
            begin_.arrive_and_wait();
            if (is_over_) return;
            work(thread);
            end_.arrive_and_wait();
        }
    }

    const std::function<void(int, int)>* task_ = nullptr;
    int count_ = 0;
    std::atomic<int> next_ = 0;
    bool is_over_ = false;  // written before the barrier, read behind it
    std::barrier<> begin_;
    std::barrier<> end_;
    std::vector<std::thread> helpers_;
};

}  // namespace defiance
